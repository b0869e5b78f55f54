import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importFixture, people, person, refs } from '../../import/import-fixture.ts'
import { claimsIn, otherRun } from '../../import/shared-journal/other-run.ts'
import { behindPooler, withoutPooler } from '../../import/shared-journal/pooler.ts'
import { type Postgres, startPostgres, withoutPostgres } from '../../import/shared-journal/postgres.ts'
import { asTyped, endedWith, freshHome, payroll } from '../../payroll.ts'
import { answerJson } from '../../service.ts'
import type { Intercept } from '../../start-sandbox.ts'

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

  const journal = (verb: string, database = 'shared', home = freshHome()) =>
    payroll(['journal', verb, '--json'], { home, env: { PAYROLL_JOURNAL: server.url(database) } })

  const create = (at: { home: string; env: Record<string, string> }, ref: string) =>
    payroll(asTyped`candidates create --json --yes --incomplete`, {
      ...at,
      input: JSON.stringify(person(ref)),
    })

  /** A service of its own, and a home whose commands note in the journal what they do there. */
  const withJournal = async (by: Intercept = () => false) => {
    const at = await importFixture('candidates', { PAYROLL_JOURNAL: url })
    at.intercept(by)
    return at
  }

  describe('payroll journal', () => {
    test('init makes the table once, for a user who may', async () => {
      server.sql('create database own owner payroll')
      expect((await journal('init', 'own')).json()).toMatchObject({ made: true })
      expect((await journal('init', 'own')).json()).toMatchObject({ made: false })
      const nothing = { passwordFrom: null, services: [], runs: [] }
      expect((await journal('status', 'own')).json()).toEqual({
        journal: `127.0.0.1:${server.port}/own`,
        ...nothing,
      })
    })

    test('status counts the rows by state, and names the runs that are at some', async () => {
      const at = await importFixture()
      const other = await otherRun(url, at.baseUrl, ['a-1', 'a-2'])
      await other.note('a-1', 'created')
      const { services, runs } = (await journal('status')).json()
      const here = (each: any) => each.service.startsWith(`${at.baseUrl} `)
      expect(services.find(here)).toMatchObject({ created: 1, sending: 1, doubt: 0, refused: 0 })
      expect(runs.find(here)).toMatchObject({ alive: true, rows: 1 })
    })

    test('is exit 2 without the right to make the table, or a table of this version, and says what to run', async () => {
      for (const name of ['closed', 'empty', 'newer']) server.sql(`create database ${name}`)
      const table = 'create table payroll_journal (key text); grant select on payroll_journal to payroll'
      const comment = "comment on table payroll_journal is 'payroll journal, version 9'"
      server.sql(`${table}; ${comment}`, 'newer')
      for (const [verb, database, hint] of [
        ['init', 'closed', 'payroll journal init --sql'],
        ['status', 'empty', 'payroll journal init'],
        ['status', 'newer', 'Use the version of payroll that made it, or a newer one.'],
      ] as const) {
        const { code, error } = await journal(verb, database)
        expect([database, code, error().hint]).toEqual([database, 2, expect.stringContaining(hint)])
      }
    })

    test('status is exit 2 where no journal is set', async () => {
      const env = { PAYROLL_BASE_URL: 'http://127.0.0.1:9', PAYROLL_API_KEY: 'CANARYkey0000' }
      expect((await payroll(['journal', 'status'], { env })).code).toBe(2)
    })
  })

  describe('profiles set --journal', () => {
    const set = (home: string, address: string, name = 'acme', baseUrl = 'https://acme.example.com') =>
      payroll(asTyped`profiles set ${name} --base-url ${baseUrl} --journal ${address}`, { home })

    test('counts for the address of the profile, also where the environment names it', async () => {
      const at = await importFixture()
      await set(at.home, url, 'acme', at.baseUrl)
      await otherRun(url, at.baseUrl, ['a-1'])
      const busy = await create(at, 'A-1')
      expect(busy).toMatchObject(endedWith(11, ' has been working on A-1 since '))
      expect([busy.error().outcome, at.posted()]).toEqual(['not-sent', []])
      await set(at.home, `${url}?company=b`, 'other', at.baseUrl)
      const { code, error } = await create(at, 'A-1')
      expect([code, error().message]).toEqual([
        2,
        expect.stringContaining('Several profiles have the address'),
      ])
      expect((await create({ ...at, env: { ...at.env, PAYROLL_JOURNAL: url } }, 'A-1')).code).toBe(11)
    })

    test('stores the address, and none removes it', async () => {
      const home = freshHome()
      for (const [address, stored] of [
        [url, url],
        ['none', null],
      ] as const) {
        expect((await set(home, address)).code).toBe(0)
        const shown = await payroll(['profiles', 'show', 'acme', '--json'], { home })
        expect(shown.json().journal).toBe(stored)
      }
    })

    test.each([
      'postgres://ann:CANARYword@db.example.com/payroll',
      'postgres://db.example.com/CANARYword',
      'postgres://ann@db.example.com/payroll?password=CANARYword',
      'postgres://ann@db.example.com/payroll?sslmode=CANARYword',
      'postgres://ann@db.example.com/payroll?sslmode=require',
      'postgres://ann@db.example.com/payroll?CANARYword=1',
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

  describe('candidates create', () => {
    test('claims the reference, and says who created it when it is created again: exit 6', async () => {
      const at = await withJournal()
      expect((await create(at, 'A-1')).code).toBe(0)
      const { code, error } = await create(at, ' a-1 ')
      expect([code, at.posted().length]).toEqual([6, 1])
      const says = /^\S+@\S+ \(process \d+\) created a-1 at .+ UTC\. Nothing was sent\.$/
      expect(error().message).toMatch(says)
    })

    test('of a person whose outcome is not known is exit 8, and is not sent again', async () => {
      const at = await withJournal(({ method }, response) => method === 'POST' && !!response.destroy())
      expect((await create(at, 'A-001')).code).toBe(8)
      at.intercept(() => false)
      expect((await create(at, 'A-001')).code).toBe(8)
      expect(at.posted()).toHaveLength(1)
      expect(claimsIn(server, 'shared', at.baseUrl)).toEqual({ 'a-001': 'doubt 1' })
    })

    test('of a person who was refused can be sent again', async () => {
      const at = await withJournal(({ method }, response) => {
        if (method === 'POST') answerJson(response, 422, { success: false })
        return method === 'POST'
      })
      expect((await create(at, 'A-1')).code).toBe(6)
      at.intercept(() => false)
      expect((await create(at, 'A-1')).code).toBe(0)
    })

    test('and an import of the same person at once make one person', async () => {
      const at = await withJournal(async ({ method }) => {
        if (method === 'POST') await pause(100)
        return false
      })
      const runs = [at.importRows(people(6)), create(at, 'A-001'), create(at, 'A-006')]
      const [imported, ...created] = await Promise.all(runs)
      expect(imported?.code).toBe(0)
      for (const { code } of created) expect([0, 6, 11]).toContain(code)
      expect(await at.there()).toEqual(refs(6))
    })
  })

  test('a shared journal behind a pooler that lends connections for a transaction is refused: exit 2, and nothing is sent', async ({
    skip,
  }) => {
    skip(withoutPooler !== undefined, withoutPooler)
    const at = await importFixture('candidates', { PAYROLL_JOURNAL: await behindPooler(server, 'shared') })
    const { code, error } = await at.importRows(people(2))
    expect([code, error().message, at.received]).toEqual([2, expect.stringContaining('pooler'), []])
  })

  test('is reached with TLS only by the right certificate, name included', async () => {
    const tls = fileURLToPath(new URL('../../fixtures/tls/', import.meta.url))
    const status = async (query: string, host = 'localhost') => {
      const PAYROLL_JOURNAL = `postgres://payroll@${host}:${server.port}/shared?sslmode=verify-full${query}`
      const { code, error } = await payroll(['journal', 'status', '--json'], { env: { PAYROLL_JOURNAL } })
      return [code, code === 0 ? '' : `${error().message} ${error().hint}`]
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
    const says = (code: number, text: string) => [code, expect.stringContaining(text)]
    expect(await status(authority)).toEqual(says(2, 'no TLS'))
    serve('localhost')
    await expect.poll(() => status(authority)).toEqual([0, ''])
    expect(await status('')).toEqual(says(2, 'UNABLE_TO_VERIFY'))
    expect(await status('')).toEqual(says(2, 'the certificate of the authority that signed it (PEM)'))
    // The driver would go on without an authority.
    expect(await status(`&sslrootcert=${join(tls, 'key.pem')}`)).toEqual(
      says(2, 'no certificate in it (PEM)'),
    )
    // The same server by its address in digits, which the certificate does not name.
    expect(await status(authority, '127.0.0.1')).toEqual(says(2, 'ERR_TLS_CERT_ALTNAME_INVALID'))
    serve('another-name')
    await expect.poll(() => status(authority)).toEqual(says(2, 'ERR_TLS_CERT_ALTNAME_INVALID'))
    serve('expired')
    await expect.poll(() => status(authority)).toEqual(says(2, 'CERT_HAS_EXPIRED'))
  })
})
