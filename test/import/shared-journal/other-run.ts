import { onTestFinished } from 'vitest'
import { accessTo } from '../../../src/import/shared-journal/access.ts'
import { readSharedJournalAddress } from '../../../src/import/shared-journal/address.ts'
import { connectToClaim } from '../../../src/import/shared-journal/connect.ts'
import { candidatesByCountry } from '../../../src/model/resources/operations.ts'
import type { Postgres } from './postgres.ts'

/** An import on another computer, which has claimed rows at this service, of UK candidates if nothing else is said, and sends nothing. */
export async function otherRun(
  url: string,
  baseUrl: string,
  keys: readonly string[],
  { settleMs = 0, operation = candidatesByCountry.uk.create.id } = {},
) {
  const scope = `${baseUrl} ${operation}`
  const access = await accessTo(readSharedJournalAddress(url, 'It'), {})
  const run = await connectToClaim(access, { scope, settleMs, file: 'f', connections: 1 })
  onTestFinished(() => run.close())
  for (const key of keys) await run.claim({ key, attempt: 1, fingerprint: 'x' })
  return {
    ...run,
    note: (key: string, state: 'created' | 'refused' | 'doubt', attempt = 1) =>
      run.writeOutcome(key, { state, attempt }),
  }
}

/** What the journal has, by key: `created 1`. */
export function claimsIn(server: Postgres, database: string, baseUrl: string): Record<string, string> {
  const text = server.sql(
    `select key || '=' || state || ' ' || attempt from payroll_journal where scope like '${baseUrl} %' order by key`,
    database,
  )
  return Object.fromEntries(text.split('\n').map((line) => line.split('=') as [string, string]))
}
