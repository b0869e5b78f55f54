import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { asTyped, endedWith, freshHome, payroll } from '../../payroll.ts'
import { answering } from '../../service.ts'

const key = 'CANARYkey0000'

/** A profile of a service that takes anything, and programs that print. */
async function place() {
  const home = freshHome()
  const { baseUrl, received } = await answering(200, { data: [], totalDocs: 0 })
  const run = (argv: readonly string[], input = '', env: Record<string, string> = {}) =>
    payroll(argv, { home, input, env })
  const settings = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))
  /** A program of its own: its path. */
  const program = (name: string, lines: string) => {
    const path = join(home, name)
    writeFileSync(path, `#!/bin/sh\n${lines}\n`)
    chmodSync(path, 0o700)
    return path
  }
  await run(['profiles', 'set', 'acme', '--base-url', baseUrl])
  const set = (command: string, ...more: readonly string[]) =>
    run(asTyped`profiles set acme --key-command ${command} ${more}`)
  const setProgram = (lines: string, ...more: readonly string[]) => set(program('key.sh', lines), ...more)
  const login = () => run(['auth', 'login', '--profile', 'acme'], 'CANARYstored00')
  const sent = () => received.map(({ headers }) => headers.authorization)
  const keyCommand = () => settings().profiles.acme.keyCommand
  return { home, run, settings, program, set, setProgram, login, sent, keyCommand }
}

describe('a key command', () => {
  test('gives the key of its profile, without a shell, and is run once', async () => {
    const { home, run, set, program, sent } = await place()
    const path = program('my key', `echo x >> ${home}/count; [ "$1" = 'a b;c' ] && printf '%s\\n' ${key}`)
    expect((await set(`'${path}' 'a b;c'`)).code).toBe(0)
    writeFileSync(join(home, 'count'), '')
    const list = await run(['candidates', 'list', '--debug'])
    expect([list.code, list.out + list.err]).toEqual([0, expect.not.stringContaining('CANARY')])
    // These need no key.
    for (const noun of ['profiles', 'routes']) await run([noun, 'list'])
    expect(sent()).toEqual([key])
    expect(readFileSync(join(home, 'count'), 'utf8')).toBe('x\n')
    const status = (await run(['auth', 'status'])).json()
    expect(status).toMatchObject({ keyFrom: 'key command', key: '****0000', keptIn: `'${path}' 'a b;c'` })
    const doctor = await run(['doctor'])
    expect(doctor.out).toContain('the key command')
    expect(doctor.out).not.toContain('CANARY')
  })

  test('gets what the programs that keep secrets need, and no other secret of its environment', async () => {
    const { run, program, home } = await place()
    const seen = join(home, 'seen')
    const path = program('key.sh', `env > ${seen}; echo ${key}`)
    const env = {
      HOME: home,
      VAULT_TOKEN: 'a-token',
      PGPASSWORD: 'CANARYone0',
      PAYROLL_API_KEY: 'CANARYtwo0',
      https_proxy: 'http://ann:CANARYthree@127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
    }
    expect((await run(['profiles', 'set', 'acme', '--key-command', path], '', env)).code).toBe(0)
    const given = readFileSync(seen, 'utf8')
    expect(given).toContain(`HOME=${home}\n`)
    expect(given).toContain('VAULT_TOKEN=a-token\n')
    expect(given).toContain('https_proxy=http://127.0.0.1:9\n')
    expect(given).not.toMatch(/CANARY|PGPASSWORD|PAYROLL_/)
  })

  test('comes after PAYROLL_API_KEY and before what is stored, of which nothing stays behind', async () => {
    const { run, setProgram, login, sent, settings } = await place()
    await login()
    expect(await setProgram(`echo ${key}`)).toMatchObject(endedWith(0, 'Removed the stored key of acme'))
    expect(settings().keys).toEqual({})
    await run(['vat-codes', 'list'])
    await run(['vat-codes', 'list'], '', { PAYROLL_API_KEY: 'CANARYgiven000' })
    expect(sent().slice(-2)).toEqual([key, 'CANARYgiven000'])
  })

  test.each([
    ['ends with an error', 'exit 3', 4, 'ended with exit code 3'],
    ['prints nothing', ':', 2, 'is empty'],
    ['prints two lines', `echo ${key}; echo more`, 2, 'contains a line break'],
    ['prints a blank', `echo '${key} x'`, 2, 'contains a space'],
  ])('a key command that %s is not stored, and its output is not shown', async (_, lines, code, says) => {
    const { setProgram, keyCommand } = await place()
    const refused = await setProgram(`echo CANARYerror >&2; ${lines}`)
    expect(refused).toMatchObject(endedWith(code, says))
    expect(refused.err).not.toContain('CANARY')
    expect(keyCommand()).toBeUndefined()
  })

  test.each([
    ['a | b', 2, 'The key command is not one plain command.'],
    ['a; b', 2, 'The key command is not one plain command.'],
    ['/nowhere/at-all', 4, 'The key command /nowhere/at-all cannot be started.'],
  ])('is one plain program: %j is not', async (command, code, says) => {
    expect(await (await place()).set(command)).toMatchObject(endedWith(code, says))
  })

  test.each([
    [`echo "${key}`, 'a quotation mark (") that is not closed'],
    [`echo '${key}`, "a quotation mark (') that is not closed"],
    [`echo "a\\" ${key}`, 'a quotation mark (") that is not closed'],
    [`echo it's "${key}"`, "a quotation mark (') that is not closed"],
    [`echo \${${key}`, 'a variable whose braces are empty, or not closed'],
  ])('with a part that is left open is exit 2 and not stored: %s', async (command, says) => {
    const { set, keyCommand } = await place()
    const refused = await set(command)
    expect(refused).toMatchObject(endedWith(2, `The key command has ${says}. Nothing was changed.`))
    expect(keyCommand()).toBeUndefined()
  })

  test.each([`echo "${key}"`, `echo '${key}'""`, `echo $'${key}'`])(
    'may have quotation marks that are closed: %s',
    async (command) => {
      const { set, keyCommand } = await place()
      expect([(await set(command)).code, keyCommand()]).toEqual([0, command])
    },
  )

  test('a key command that fails later sends nothing, and no other key is used in its place: exit 4', async () => {
    const { run, set, program, sent } = await place()
    const path = program('key.sh', `echo ${key}`)
    await set(path)
    writeFileSync(path, '#!/bin/sh\nexit 1\n')
    const refused = await run(['vat-codes', 'list', '--json'])
    expect([refused.code, refused.error().outcome, sent()]).toEqual([4, 'not-sent', []])
  })

  test('goes to the stored address alone', async () => {
    const { run, setProgram, sent } = await place()
    await setProgram(`echo ${key}`)
    const other = await run(['vat-codes', 'list'], '', { PAYROLL_BASE_URL: 'http://127.0.0.1:9' })
    expect([other.code, sent()]).toEqual([4, []])
  })

  test('is in the way of a login until it is taken away', async () => {
    const { set, setProgram, login, keyCommand } = await place()
    await setProgram(`echo ${key}`)
    expect(await login()).toMatchObject({ code: 2, err: expect.stringMatching(/--key-command=$/m) })
    expect([(await set('')).code, keyCommand()]).toEqual([0, undefined])
    expect((await login()).code).toBe(0)
  })

  test('a key command and a key store are two places: exit 2', async () => {
    expect((await (await place()).set('true', '--key-store', 'file')).code).toBe(2)
  })

  describe('which does not end', () => {
    afterEach(() => void vi.useRealTimers())

    /** Waits until a run waits for its key command, whose timer is the only one. */
    const untilItWaits = async () => {
      while (vi.getTimerCount() === 0) await new Promise(setImmediate)
    }

    test.each([
      ['sleep 60', [], 5],
      ['sleep 60', ['--key-command-timeout', '1'], 1],
      ['yes CANARY | tr -d "\\n"', [], 5],
    ])('a key command of %j with %j is ended after %d s, and not stored', async (lines, options, seconds) => {
      const { setProgram, keyCommand } = await place()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      let isOver = false
      const ended = setProgram(lines, ...options).finally(() => {
        isOver = true
      })
      await untilItWaits()
      await vi.advanceTimersByTimeAsync(seconds * 1000 - 1)
      expect(isOver).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      const late = await ended
      const within = seconds === 1 ? 'within 1 second.' : `within ${seconds} seconds.`
      expect(late).toMatchObject(endedWith(4, within))
      expect(late.err).toContain('--key-command-timeout <seconds>')
      expect(late.err).not.toContain('CANARY')
      expect(keyCommand()).toBeUndefined()
    })

    test('a key command may take as long as profiles set --key-command-timeout says', async () => {
      const { run, set, program, sent, home, settings } = await place()
      const path = program('key.sh', `[ -e ${home}/slow ] && read line < ${home}/pipe; echo ${key}`)
      expect((await set(path)).code).toBe(0)
      const limit = async (seconds: string) =>
        (await run(['profiles', 'set', 'acme', '--key-command-timeout', seconds])).code
      execFileSync('mkfifo', [join(home, 'pipe')])
      for (const [seconds, code] of [
        [1, 4],
        [20, 0],
      ] as const) {
        rmSync(join(home, 'slow'), { force: true })
        expect(await limit(String(seconds))).toBe(0)
        writeFileSync(join(home, 'slow'), '')
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
        const list = run(['vat-codes', 'list'])
        await untilItWaits()
        await vi.advanceTimersByTimeAsync(10_000)
        vi.useRealTimers()
        if (code === 0) writeFileSync(join(home, 'pipe'), 'go\n')
        expect((await list).code).toBe(code)
      }
      expect(sent()).toEqual([key])
      await set('')
      expect(settings().profiles.acme).not.toHaveProperty('keyCommandTimeout')
      // Without a key command it would have no effect.
      expect([await limit('20'), await limit('0')]).toEqual([2, 2])
    })
  })
})
