import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setUpSql } from '../../../src/import/shared-journal/journal-table.ts'
import { behindPooler, withoutPooler } from '../../import/shared-journal/pooler.ts'
import {
  freshJournal,
  type Postgres,
  startPostgres,
  withoutPostgres,
} from '../../import/shared-journal/postgres.ts'
import { freshHome, payroll, type Setting } from '../../payroll.ts'
import { loopback } from '../targets.ts'

describe.skipIf(withoutPostgres)(`doctor of a shared journal (${withoutPostgres ?? 'PostgreSQL'})`, () => {
  let server: Postgres
  beforeAll(async () => {
    server = await startPostgres()
    freshJournal(server, 'shared', setUpSql('payroll'))
  }, 60_000)
  afterAll(() => server?.remove())

  /** A run of doctor, and what it says of the journal. */
  async function doctor(setting: Setting) {
    const run = await payroll(['doctor', '--json'], setting)
    return { ...run, ...run.json().checks.find(({ name }: { name: string }) => name === 'journal') }
  }

  async function examined(PAYROLL_JOURNAL: string, more: Record<string, string> = {}) {
    return doctor({ env: { ...(await loopback()).env, PAYROLL_JOURNAL, ...more } })
  }

  test('doctor of a shared journal that can be used: its place, its version, and where the password comes from', async () => {
    const place = `127.0.0.1:${server.port}/shared`
    expect(await examined(server.url('shared'), { PGPASSWORD: 'CANARYword' })).toMatchObject({
      code: 0,
      status: 'ok',
      found: `${place}: its table has version 1, and no pooler changes its connections, password from PGPASSWORD`,
      from: 'PAYROLL_JOURNAL',
    })
    expect(server.sql('select count(*) from payroll_journal', 'shared')).toBe('0')
  })

  test('doctor of a shared journal that is not there: a problem, exit 7, and the other checks are made', async () => {
    const run = await examined('postgres://payroll@127.0.0.1:9/shared')
    expect(run).toMatchObject({
      code: 7,
      status: 'problem',
      found: 'The shared journal (127.0.0.1:9/shared) could not be reached: nothing listens there',
    })
    expect(run.json().checks.at(-1)).toMatchObject({ name: 'access', status: 'ok' })
  })

  test.each([
    ['has no table', '', 'has no table yet', 'payroll journal init'],
    [
      'has a table of another version',
      "create table payroll_journal (key text); comment on table payroll_journal is 'payroll journal, version 9'",
      'Another version of payroll made the table',
      'Use the version',
    ],
    [
      'may only be read',
      setUpSql('payroll').replace('insert, update ', '').replace('select, ', 'select '),
      'does not let this user do that',
      'payroll journal init --sql',
    ],
  ])(
    'doctor of a shared journal that %s: a problem, exit 2, with what to do',
    async (name, sql, found, hint) => {
      const database = name.replaceAll(' ', '_')
      server.sql(`create database ${database}`)
      if (sql) server.sql(sql, database)
      expect(await examined(server.url(database))).toMatchObject({
        code: 2,
        status: 'problem',
        found: expect.stringContaining(found),
        hint: expect.stringContaining(hint),
      })
    },
  )

  test('doctor of a shared journal behind a pooler that lends connections for a transaction: a problem, exit 2', async ({
    skip,
  }) => {
    skip(withoutPooler !== undefined, withoutPooler)
    expect(await examined(await behindPooler(server, 'shared'))).toMatchObject({
      code: 2,
      status: 'problem',
      found: expect.stringContaining('behind a pooler that changes connections between transactions'),
    })
  })

  test('doctor of a shared journal of a profile: the value is stored; and of a profile without one: none is shared', async () => {
    const home = freshHome()
    const set = ['profiles', 'set', 'acme', '--base-url', 'http://127.0.0.1:9']
    await payroll([...set, '--journal', server.url('shared')], { home })
    expect(await doctor({ home })).toMatchObject({ status: 'ok', from: 'stored' })
    await payroll([...set, '--journal', 'none'], { home })
    const found = 'on this computer; none is shared with others'
    expect(await doctor({ home })).toMatchObject({ status: 'ok', found, from: 'default' })
  })
})
