import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importFixture, people } from '../../import/import-fixture.ts'
import { type Postgres, startSecurePostgres, withoutPostgres } from '../../import/shared-journal/postgres.ts'
import { atTerminal, endedWith, freshHome, keys, payroll } from '../../payroll.ts'

const password = 'CANARY word:\\ü'

describe.skipIf(withoutPostgres)(`the password of a journal (${withoutPostgres ?? 'PostgreSQL'})`, () => {
  let server: Postgres
  let url: string
  beforeAll(async () => {
    server = await startSecurePostgres(password)
    url = server.url('shared')
    await payroll(['journal', 'init'], {
      home: '/nowhere',
      env: { PAYROLL_JOURNAL: url, PGPASSWORD: password },
    })
  }, 60_000)
  afterAll(() => server?.remove())

  /** A home with a profile whose journal this is, and the commands of the journal there. */
  async function acme(journal = url) {
    const home = freshHome()
    const set = (...more: string[]) => payroll(['profiles', 'set', 'acme', ...more], { home })
    await set('--base-url', 'https://acme.example.com', '--journal', journal)
    await payroll(['auth', 'login', '--profile', 'acme'], { home, input: 'CANARYkey0000\n', env: away })
    const run = (verb: string, input = '', env: Record<string, string> = {}) =>
      payroll(['journal', verb, '--json', '--debug'], { home, input, env })
    const file = () => readFileSync(join(home, 'config.json'), 'utf8')
    return { home, set, run, file }
  }
  /** A proxy that is not there: the key of the profile cannot be tried. */
  const away = { HTTPS_PROXY: 'http://127.0.0.1:9' }

  const acmeKey = { keys: { acme: { key: 'CANARYkey0000' } } }

  test('is stored for the profile from standard input, beside the key and for its owner alone, and used', async () => {
    const { home, run, file } = await acme()
    expect((await run('status')).code).toBe(2)
    const login = await run('login', `${password}\n`)
    expect(login).toMatchObject(endedWith(0, 'The database accepts it.'))
    const database = `payroll@127.0.0.1:${server.port}/shared`
    expect(JSON.parse(file())).toMatchObject({ ...acmeKey, journals: { acme: { database, password } } })
    expect(statSync(join(home, 'config.json')).mode & 0o777).toBe(0o600)
    const status = await run('status')
    expect(status.json()).toMatchObject({ passwordFrom: join(home, 'config.json') })
    for (const { out, err } of [login, status]) expect(out + err).not.toContain('CANARY')
  })

  test('is typed in unseen', async () => {
    const { home, run } = await acme()
    const at = atTerminal(['journal', 'login'], { home })
    await at.type(`Password for payroll@127.0.0.1:${server.port}/shared`, `${password}${keys.enter}`)
    expect((await at.ended).code).toBe(0)
    expect(at.screen()).not.toContain('CANARY')
    expect((await run('status')).code).toBe(0)
  })

  test('lets an import claim its rows', async () => {
    const at = await importFixture()
    await payroll(['profiles', 'set', 'acme', '--base-url', at.baseUrl, '--journal', url], at)
    const login = ['journal', 'login', '--profile', 'acme']
    expect((await payroll(login, { home: at.home, input: password })).code).toBe(0)
    expect((await at.importRows(people(3), '--profile', 'acme')).json()).toMatchObject({ created: 3 })
    const claimed = `select count(*) from payroll_journal where scope like '${at.baseUrl} %'`
    expect(server.sql(claimed, 'shared')).toBe('3')
  })

  const unusable =
    'The password is empty, longer than 1000 characters, or has a line break in it. Nothing was stored.'
  test.each([
    ['the database refuses', 'CANARYwrong', 'Nothing was stored.'],
    ['is empty', '\n', unusable],
    ['has a line break', 'CANARY\nword\n', unusable],
  ])('that %s is exit 2 and not stored, and one from before stays', async (_, input, says) => {
    const { run, file } = await acme()
    for (const stored of [undefined, { password }]) {
      if (stored) await run('login', password)
      const login = await run('login', input)
      expect([login.code, login.error().message]).toEqual([2, expect.stringContaining(says)])
      expect(login.out + login.err).not.toContain('CANARY')
      const { journals } = JSON.parse(file())
      expect(journals).toEqual(stored && { acme: expect.objectContaining(stored) })
    }
  })

  test('that cannot be tried is stored, with a warning that says why', async () => {
    const { run, file } = await acme('postgres://payroll@127.0.0.1:9/shared')
    const { code, err } = await run('login', password)
    const why = 'The shared journal (127.0.0.1:9/shared) could not be reached: nothing listens there.'
    expect([code, err]).toEqual([0, expect.stringContaining(`the password could not be tried. ${why}`)])
    expect(JSON.parse(file()).journals.acme.password).toBe(password)
  })

  test('is removed by logout, which leaves the key; and by --journal none', async () => {
    const { run, file, set } = await acme()
    for (const remove of [() => run('logout'), () => set('--journal', 'none')]) {
      await run('login', password)
      expect((await remove()).code).toBe(0)
      expect(JSON.parse(file())).toMatchObject(acmeKey)
      expect(JSON.parse(file()).journals).toEqual({})
      expect((await run('logout')).code).toBe(2)
    }
  })

  test('stays when another key is stored, and when the key is removed; with the profile it goes', async () => {
    const { home, file, run } = await acme()
    await run('login', password)
    const journals = { acme: { password } }
    await payroll(['auth', 'login', '--profile', 'acme'], { home, input: 'CANARYother000', env: away })
    expect(JSON.parse(file())).toMatchObject({ keys: { acme: { key: 'CANARYother000' } }, journals })
    await payroll(['auth', 'logout'], { home })
    expect(JSON.parse(file())).toMatchObject({ keys: {}, journals })
    await payroll(['profiles', 'remove', 'acme'], { home })
    expect(file()).not.toContain('CANARY')
  })

  test('is not sent to another database than the one it was stored for', async () => {
    const { run, set, file } = await acme()
    await run('login', password)
    await set('--journal', server.url('postgres'))
    const status = await run('status')
    expect(status.code).toBe(2)
    expect(status.error().message).toContain('payroll found no password for it')
    expect(JSON.parse(file()).journals.acme.password).toBe(password)
  })

  test('needs a profile with a journal: exit 2 otherwise', async () => {
    const { run, set } = await acme('none')
    expect((await run('login', password)).error().message).toContain('No shared journal is set')
    const access = { PAYROLL_BASE_URL: 'https://b.example.com', PAYROLL_API_KEY: 'CANARYkey' }
    const login = await run('login', password, { PAYROLL_JOURNAL: url, ...access })
    expect(login.error().message).toContain('environment is not a stored one')
    expect((await set('--journal', url)).code).toBe(0)
  })

  test('comes from PGPASSWORD, or else from the profile; and is shown nowhere', async () => {
    const { run } = await acme()
    const status = (env: Record<string, string>) => run('status', '', env)
    const runs = [
      await status({}),
      await status({ PGPASSWORD: 'CANARYwrong' }),
      await run('login', password),
      await status({}),
      await status({ PGPASSWORD: 'CANARYwrong' }),
      await run('logout'),
      await status({}),
    ]
    expect(runs.map(({ code }) => code)).toEqual([2, 2, 0, 0, 2, 0, 2])
    for (const { out, err } of runs) expect(out + err).not.toContain('CANARY')
    expect(runs[1]?.error().message).toContain('refused the user or the password (from PGPASSWORD)')
  })
})
