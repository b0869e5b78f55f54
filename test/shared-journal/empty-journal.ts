import { afterAll, beforeAll, beforeEach } from 'vitest'
import { setUpSql } from '../../src/shared-journal/journal-table.ts'
import { claimsIn } from './other-run.ts'
import { freshJournal, type Postgres, startPostgres } from './postgres.ts'

/** A database with the shared journal for the tests that are declared with it, empty before each. */
export function sharedJournal() {
  const journal = {} as { server: Postgres; url: string }
  beforeAll(async () => {
    journal.server = await startPostgres()
    journal.url = freshJournal(journal.server, 'computers', setUpSql('payroll'))
  }, 60_000)
  afterAll(() => journal.server?.remove())
  beforeEach(() => {
    journal.server.sql('truncate payroll_journal', 'computers')
  })
  const claims = (at: { readonly baseUrl: string }) => claimsIn(journal.server, 'computers', at.baseUrl)
  return { journal, claims }
}
