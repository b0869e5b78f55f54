import { afterAll, beforeAll, beforeEach } from 'vitest'
import { setUpSql } from '../../../src/import/shared-journal/journal-table.ts'
import { claimsIn } from './other-run.ts'
import { freshJournal, type Postgres, startPostgres, withoutPostgres } from './postgres.ts'

/**
 * A database with the shared journal for the tests that are declared with it, empty before each. `journals`: the two kinds of
 * journal that an import may have, for tests that run with each. Where there is no PostgreSQL nothing is started. `more`: SQL
 * for its database; `env`: variables for its server.
 */
export function sharedJournal({
  more,
  env,
}: {
  readonly more?: string
  readonly env?: Record<string, string>
} = {}) {
  const name = 'computers'
  const journal = {} as { server: Postgres; url: string }
  if (withoutPostgres === undefined) {
    beforeAll(async () => {
      journal.server = await startPostgres([], env)
      journal.url = freshJournal(journal.server, name, setUpSql('payroll'))
      if (more !== undefined) journal.server.sql(more, name)
    }, 60_000)
    afterAll(() => journal.server?.remove())
    beforeEach(() => {
      journal.server.sql('truncate payroll_journal', name)
    })
  }
  const claims = (at: { readonly baseUrl: string }) => claimsIn(journal.server, name, at.baseUrl)
  /** SQL in its database. */
  const sql = (text: string) => journal.server.sql(text, name)
  const shared = () => ({ PAYROLL_JOURNAL: journal.url })
  const journals = [
    { where: 'on this computer', variables: (): Record<string, string> => ({}), missing: undefined },
    { where: 'that several computers share', variables: shared, missing: withoutPostgres },
  ]
  return { journal, claims, sql, shared, journals }
}
