import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'

const key = 'CANARYkey0000'

/** A profile of a service that takes anything, and programs that print. */
async function place() {
  const home = freshHome()
  const { baseUrl, received } = await service((_, response) =>
    answerJson(response, 200, { data: [], totalDocs: 0 }),
  )
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
  const set = (command: string) => run(['profiles', 'set', 'acme', '--key-command', command])
  const sent = () => received.map(({ headers }) => headers.authorization)
  return { home, run, settings, program, set, sent }
}

describe('a key command', () => {
  test('gives the key of its profile, without a shell, and is run once', async () => {
    const { home, run, set, program, sent } = await place()
    const path = program('my key', `echo x >> ${home}/count; [ "$1" = 'a b;c' ] && printf '%s\\n' ${key}`)
    expect((await set(`'${path}' 'a b;c'`)).code).toBe(0)
    writeFileSync(join(home, 'count'), '')
    const list = await run(['candidates', 'list', '--debug'])
    expect([list.code, list.out + list.err]).toEqual([0, expect.not.stringContaining('CANARY')])
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

  test('is not run by what needs no key', async () => {
    const { run, set, program, home } = await place()
    await set(program('key.sh', `echo x >> ${home}/count; echo ${key}`))
    writeFileSync(join(home, 'count'), '')
    await run(['profiles', 'list'])
    await run(['routes', 'list'])
    expect(readFileSync(join(home, 'count'), 'utf8')).toBe('')
  })

  test('comes after PAYROLL_API_KEY and before what is stored, of which nothing stays behind', async () => {
    const { run, set, program, sent, settings } = await place()
    await run(['auth', 'login', '--profile', 'acme'], 'CANARYstored00')
    const done = await set(program('key.sh', `echo ${key}`))
    expect(done.err).toContain('Removed the stored key of acme')
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
    ['does not end', 'sleep 60', 4, 'did not end within 5 seconds'],
  ])(
    'a key command that %s is not stored, and its output is not shown',
    async (_, lines, code, says) => {
      const { set, program, settings } = await place()
      const refused = await set(program('key.sh', `echo CANARYerror >&2; ${lines}`))
      expect([refused.code, refused.err]).toEqual([code, expect.stringContaining(says)])
      expect(refused.err).not.toContain('CANARY')
      expect(settings().profiles.acme.keyCommand).toBeUndefined()
    },
    20_000,
  )

  test('a key command that prints without end is ended too', async () => {
    const { run, program, settings } = await place()
    const endless = program('key.sh', 'yes CANARY | tr -d "\\n"')
    const refused = await run([
      'profiles',
      'set',
      'acme',
      '--key-command',
      endless,
      '--key-command-timeout',
      '1',
    ])
    expect([refused.code, refused.err]).toEqual([4, expect.stringContaining('within 1 second.')])
    expect(refused.err).not.toContain('CANARY')
    expect(settings().profiles.acme.keyCommand).toBeUndefined()
  })

  test.each([['a | b'], ['a; b'], [''], ['/nowhere/at-all']])(
    'is one plain program: %j is not',
    async (command) => {
      const { set } = await place()
      const refused = await set(command)
      expect([2, 4]).toContain(command === '' ? 2 : refused.code)
      if (command !== '') expect(refused.code).not.toBe(0)
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
    const { run, set, program, sent } = await place()
    await set(program('key.sh', `echo ${key}`))
    const other = await run(['vat-codes', 'list'], '', { PAYROLL_BASE_URL: 'http://127.0.0.1:9' })
    expect([other.code, sent()]).toEqual([4, []])
  })

  test('is in the way of a login until it is taken away', async () => {
    const { run, set, program, settings } = await place()
    await set(program('key.sh', `echo ${key}`))
    const refused = await run(['auth', 'login', '--profile', 'acme'], 'CANARYstored00')
    expect([refused.code, refused.err]).toEqual([2, expect.stringMatching(/--key-command=$/m)])
    expect((await set('')).code).toBe(0)
    expect(settings().profiles.acme.keyCommand).toBeUndefined()
    expect((await run(['auth', 'login', '--profile', 'acme'], 'CANARYstored00')).code).toBe(0)
  })

  test('a key command and a key store are two places: exit 2', async () => {
    const { run } = await place()
    const both = ['profiles', 'set', 'acme', '--key-command', 'true', '--key-store', 'file']
    expect((await run(both)).code).toBe(2)
  })

  test('may take as long as profiles set --key-command-timeout says', async () => {
    const { run, set, program, sent, settings } = await place()
    const slow = program('key.sh', `sleep 1.3; echo ${key}`)
    const late = await run(['profiles', 'set', 'acme', '--key-command', slow, '--key-command-timeout', '1'])
    expect([late.code, late.err]).toEqual([4, expect.stringContaining('within 1 second.')])
    expect(late.err).toContain('--key-command-timeout <seconds>')
    expect((await set(slow)).code).toBe(0)
    const limit = async (seconds: string) =>
      (await run(['profiles', 'set', 'acme', '--key-command-timeout', seconds])).code
    expect(await limit('1')).toBe(0)
    expect((await run(['vat-codes', 'list'])).code).toBe(4)
    expect(await limit('20')).toBe(0)
    expect((await run(['vat-codes', 'list'])).code).toBe(0)
    expect(sent()).toEqual([key])
    await set('')
    expect(settings().profiles.acme).not.toHaveProperty('keyCommandTimeout')
    // Without a key command it would have no effect.
    expect([await limit('20'), await limit('0')]).toEqual([2, 2])
  }, 30_000)
})
