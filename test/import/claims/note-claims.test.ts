import { describe, expect, test } from 'vitest'
import { payroll } from '../../payroll.ts'
import { importFixture, people } from '../import-fixture.ts'
import { sharedJournal } from '../shared-journal/empty-journal.ts'
import { otherRun } from '../shared-journal/other-run.ts'
import { withoutPostgres } from '../shared-journal/postgres.ts'

describe.skipIf(withoutPostgres)(`before an import sends (${withoutPostgres ?? 'PostgreSQL'})`, () => {
  const { journal, claims } = sharedJournal()
  const here = () => importFixture('candidates', { PAYROLL_JOURNAL: journal.url })

  test('a dry run names the rows that others have and have created, and claims none', async () => {
    const at = await here()
    const ann = await otherRun(journal.url, at.baseUrl, ['a-002', 'a-003'])
    const bob = await otherRun(journal.url, at.baseUrl, ['a-004'])
    await ann.note('a-003', 'created')
    await bob.close()
    const run = await at.importRows(people(5), '--dry-run')
    expect(run.code).toBe(0)
    const { ready, warnings } = run.json()
    expect(ready).toBe(3)
    const who = '\\S+@\\S+ \\(process \\d+\\)'
    const when = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC'
    expect(warnings.map(({ row, message }: any) => `${row}: ${message}`)).toEqual([
      expect.stringMatching(`^2: ${who} has been working on A-002 since ${when}$`),
      expect.stringMatching(`^3: ${who} created A-003 at ${when}$`),
      expect.stringMatching(
        `^4: ${who} claimed A-004 at ${when} and ended without saying what became of it$`,
      ),
    ])
    expect(claims(at)).toEqual({ 'a-002': 'sending 1', 'a-003': 'created 1', 'a-004': 'sending 1' })
    expect(at.posted()).toHaveLength(0)
    const table = await payroll(['candidates', 'import', at.file, '--dry-run', '-o', 'table'], at)
    expect(table.out).toContain('3  to create')
    expect(table.out).toContain('1  left to another run')
  })

  test('a dry run without the database says so: exit 7', async () => {
    const at = await here()
    at.write(people(3))
    journal.server.stop()
    const run = await at.import('--dry-run').finally(() => journal.server.start())
    expect([run.code, run.error().message]).toEqual([
      7,
      `The shared journal (127.0.0.1:${journal.server.port}/computers) could not be reached: nothing listens there. Nothing was sent.`,
    ])
  })

  test('an import says before it sends how many rows it leaves to another run', async () => {
    const at = await here()
    await otherRun(journal.url, at.baseUrl, ['a-002'])
    expect((await at.importRows(people(3))).err).toContain('3 rows: 2 to create, 1 left to another run.')
  })

  test('an import holds a row back for a reason of its own also where a run that ended had claimed it', async () => {
    const at = await here()
    const ann = (agencyRef: string) => ({ generalSetting: { agencyRef, forename: 'Ann', surname: 'Sample' } })
    await at.call('POST', '/svc/candidates', ann('AN-1001'))
    const other = await otherRun(journal.url, at.baseUrl, ['an-1002'])
    await other.close()
    const run = await at.importRows([ann('AN-1002')])
    expect([run.code, run.json(), at.posted()]).toMatchObject([9, { held: 1, created: 0 }, []])
    expect(run.err).toContain('nearly the same reference: is it mistyped?')
  })
})
