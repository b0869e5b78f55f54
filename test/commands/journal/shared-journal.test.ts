import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importFixture, people, person } from '../../import/import-fixture.ts'
import { asTyped, freshHome, payroll } from '../../payroll.ts'
import { answerJson } from '../../service.ts'
import { claimsIn, otherRun } from '../../shared-journal/other-run.ts'
import { behindPooler, withoutPooler } from '../../shared-journal/pooler.ts'
import { type Postgres, startPostgres, withoutPostgres } from '../../shared-journal/postgres.ts'

describe.skipIf(withoutPostgres)(`a shared journal (${withoutPostgres ?? 'PostgreSQL'})`, () => {
  let server: Postgres
  let url: string
  beforeAll(async () => {
    server = await startPostgres()
    server.sql('create database shared')
    url = server.url('shared')
    const home = '/nowhere'
    const run = await payroll(['journal', 'init', '--sql'], { home, env: { PAYROLL_JOURNAL: url } })
    server.sql(run.out, 'shared')
  }, 60_000)
  afterAll(() => server?.remove())

  const create = (at: { home: string; env: Record<string, string> }, ref: string) =>
    payroll(['candidates', 'create', '--json', '--yes', '--incomplete'], {
      ...at,
      input: JSON.stringify(person(ref)),
    })

  describe('payroll journal', () => {
    test('init makes the table once, for a user who may', async () => {
      server.sql('create database own owner payroll')
      const at = { home: freshHome(), env: { PAYROLL_JOURNAL: server.url('own') } }
      expect((await payroll(['journal', 'init'], at)).json()).toMatchObject({ made: true })
      expect((await payroll(['journal', 'init'], at)).json()).toMatchObject({ made: false })
      expect((await payroll(['journal', 'status'], at)).json()).toEqual({
        journal: `127.0.0.1:${server.port}/own`,
        passwordFrom: null,
        services: [],
        runs: [],
      })
    })

    test('init without the right to make a table is exit 2, and says what its owner has to run', async () => {
      server.sql('create database closed')
      const run = await payroll(['journal', 'init', '--json'], {
        env: { PAYROLL_JOURNAL: server.url('closed') },
      })
      expect(run.code).toBe(2)
      expect(run.error().hint).toContain('payroll journal init --sql')
    })

    test('status counts the rows by state, and names the runs that are at some', async () => {
      const at = await importFixture()
      const other = await otherRun(url, at.baseUrl, ['a-1', 'a-2'])
      await other.note('a-1', 'created')
      const { services, runs } = (
        await payroll(['journal', 'status'], { home: at.home, env: { PAYROLL_JOURNAL: url } })
      ).json()
      const service = `${at.baseUrl} `
      expect(services.find((each: any) => each.service.startsWith(service))).toMatchObject({
        created: 1,
        sending: 1,
        doubt: 0,
        refused: 0,
      })
      expect(runs.find((each: any) => each.service.startsWith(service))).toMatchObject({
        alive: true,
        rows: 1,
      })
    })

    test('is exit 2 where none is set, and where the table is missing or of another version', async () => {
      const home = freshHome()
      const key = { PAYROLL_BASE_URL: 'http://127.0.0.1:9', PAYROLL_API_KEY: 'CANARYkey0000' }
      expect((await payroll(['journal', 'status'], { home, env: key })).code).toBe(2)
      server.sql('create database empty')
      const run = await payroll(['journal', 'status', '--json'], {
        home,
        env: { PAYROLL_JOURNAL: server.url('empty') },
      })
      expect(run.code).toBe(2)
      expect(run.error().hint).toContain('payroll journal init')
      server.sql(
        "create table payroll_journal (key text); comment on table payroll_journal is 'payroll journal, version 9'; grant select on payroll_journal to payroll",
        'empty',
      )
      expect(
        (await payroll(['journal', 'status'], { home, env: { PAYROLL_JOURNAL: server.url('empty') } })).code,
      ).toBe(2)
    })
  })

  describe('profiles set --journal', () => {
    const set = (home: string, address: string) =>
      payroll(asTyped`profiles set acme --base-url https://acme.example.com --journal ${address}`, {
        home,
      })

    test('counts for the address of the profile, also where the environment names it', async () => {
      const at = await importFixture()
      await payroll(['profiles', 'set', 'acme', '--base-url', at.baseUrl, '--journal', url], at)
      await otherRun(url, at.baseUrl, ['a-1'])
      expect((await create(at, 'A-1')).code).toBe(11)
      expect(at.posted()).toHaveLength(0)
      const other = [
        ...['profiles', 'set', 'other', '--base-url', at.baseUrl],
        '--journal',
        `${url}?company=b`,
      ]
      await payroll(other, at)
      const unclear = await create(at, 'A-1')
      expect(unclear.code).toBe(2)
      expect(unclear.error().message).toContain('Several profiles have the address')
      expect((await create({ ...at, env: { ...at.env, PAYROLL_JOURNAL: url } }, 'A-1')).code).toBe(11)
    })

    test('stores the address, and none removes it', async () => {
      const home = freshHome()
      expect((await set(home, url)).code).toBe(0)
      const shown = async () =>
        (await payroll(['profiles', 'show', 'acme', '--json'], { home })).json().journal
      expect(await shown()).toBe(url)
      expect((await set(home, 'none')).code).toBe(0)
      expect(await shown()).toBe(null)
    })

    test.each([
      'postgres://ann:CANARYword@db.example.com/payroll',
      'postgres://db.example.com/payroll?password=CANARYword',
      'postgres://db.example.com/payroll?sslmode=CANARYword',
      'postgres://db.example.com/payroll?sslmode=require',
      'postgres://db.example.com/payroll?CANARYword=1',
      'https://CANARYword.example.com',
      'CANARYword',
    ])('refuses %s: exit 2, and repeats none of it', async (address) => {
      const home = freshHome()
      const run = await set(home, address)
      expect(run.code).toBe(2)
      expect(run.out + run.err).not.toMatch(/CANARYword\b(?!=)/)
      expect((await payroll(['profiles', 'list', '--json'], { home })).out).not.toContain('CANARY')
    })
  })

  describe('create', () => {
    test('claims the reference, and says who created it when it is created again: exit 6', async () => {
      const at = await importFixture('candidates', { PAYROLL_JOURNAL: url })
      expect((await create(at, 'A-1')).code).toBe(0)
      const again = await create(at, ' a-1 ')
      expect(again.code).toBe(6)
      expect(again.error().message).toMatch(
        /^\S+@\S+ \(process \d+\) created a-1 at .+ UTC\. Nothing was sent\.$/,
      )
      expect(at.posted()).toHaveLength(1)
    })

    test('create of a person that another run is at is exit 11, and sends nothing', async () => {
      const at = await importFixture('candidates', { PAYROLL_JOURNAL: url })
      await otherRun(url, at.baseUrl, ['a-1'])
      const run = await create(at, 'A-1')
      expect(run.code).toBe(11)
      expect(run.error()).toMatchObject({
        outcome: 'not-sent',
        message: expect.stringContaining(' has been working on A-1 since '),
      })
      expect(at.posted()).toHaveLength(0)
    })

    test('create of a person whose outcome is not known is exit 8; an import of the person settles it', async () => {
      const at = await importFixture('candidates', { PAYROLL_JOURNAL: url })
      at.intercept(({ method }, response) => method === 'POST' && !!response.destroy())
      expect((await create(at, 'A-001')).code).toBe(8)
      at.intercept(() => false)
      expect((await create(at, 'A-001')).code).toBe(8)
      expect(at.posted()).toHaveLength(1)
      expect(claimsIn(server, 'shared', at.baseUrl)).toEqual({ 'a-001': 'doubt 1' })
    })

    test('create of a person who was refused can be sent again', async () => {
      const at = await importFixture('candidates', { PAYROLL_JOURNAL: url })
      at.intercept(({ method }, response) => {
        if (method === 'POST') answerJson(response, 422, { success: false })
        return method === 'POST'
      })
      expect((await create(at, 'A-1')).code).toBe(6)
      at.intercept(() => false)
      expect((await create(at, 'A-1')).code).toBe(0)
    })

    test('create and an import of the same person at once: one person', async () => {
      const at = await importFixture('candidates', { PAYROLL_JOURNAL: url })
      at.intercept(async ({ method }) => {
        if (method === 'POST') await pause(100)
        return false
      })
      at.write(people(6))
      const [imported, ...created] = await Promise.all([
        at.import(),
        create(at, 'A-001'),
        create(at, 'A-006'),
      ])
      expect(imported.code).toBe(0)
      expect(created.every(({ code }) => [0, 6, 11].includes(code))).toBe(true)
      expect(await at.there()).toEqual(people(6).map(({ generalSetting }) => generalSetting.agencyRef))
    })
  })

  test('a shared journal behind a pooler that lends connections for a transaction is refused: exit 2, and nothing is sent', async ({
    skip,
  }) => {
    skip(withoutPooler !== undefined, withoutPooler)
    const at = await importFixture('candidates', { PAYROLL_JOURNAL: await behindPooler(server, 'shared') })
    const run = await at.importRows(people(2))
    expect(run.code).toBe(2)
    expect(run.error().message).toContain('pooler')
    expect(at.received).toHaveLength(0)
  })

  test('is reached with TLS only by the right certificate, name included', async () => {
    const tls = fileURLToPath(new URL('../../fixtures/tls/', import.meta.url))
    const status = async (query: string, host = 'localhost') => {
      const PAYROLL_JOURNAL = `postgres://payroll@${host}:${server.port}/shared?sslmode=verify-full${query}`
      const run = await payroll(['journal', 'status', '--json'], {
        env: { PAYROLL_JOURNAL },
      })
      return { code: run.code, said: run.code === 0 ? '' : run.error().message }
    }
    const serve = (certificate: string) => {
      const to = join(server.folder, 'data')
      copyFileSync(join(tls, `${certificate}.pem`), join(to, 'server.crt'))
      copyFileSync(join(tls, 'key.pem'), join(to, 'server.key'))
      server.own('server.key')
      server.sql('alter system set ssl = on')
      server.sql('select pg_reload_conf()')
    }
    const authority = `&sslrootcert=${join(tls, 'authority.pem')}`
    expect(await status(authority)).toMatchObject({ code: 2, said: expect.stringContaining('no TLS') })
    serve('localhost')
    await expect.poll(async () => (await status(authority)).code).toBe(0)
    expect(await status('')).toMatchObject({ code: 7, said: expect.stringContaining('UNABLE_TO_VERIFY') })
    // The same server by its address in digits, which the certificate does not name.
    expect(await status(authority, '127.0.0.1')).toMatchObject({
      code: 7,
      said: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    })
    serve('another-name')
    await expect.poll(async () => (await status(authority)).said).toContain('ERR_TLS_CERT_ALTNAME_INVALID')
  })
})
