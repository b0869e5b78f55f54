import type { ImportJob } from './job.ts'
import type { Entry, Ledger } from './ledger.ts'
import { keyOf } from './natural-key.ts'
import { matchOf, type Scan, scan } from './scan.ts'

/** A row that the service has more or fewer times than it should. */
export interface Discrepancy {
  readonly entry: Entry
  readonly expected: number
  readonly count: number
  readonly ids: readonly string[]
}

/** A complete list, and what is not in it as it should be. */
export interface Verdict {
  readonly list: Scan
  /** Empty if all is well. */
  readonly discrepancies: readonly Discrepancy[]
}

/**
 * Reads the list again at the end and compares every row with it. Nothing else notices a record that the service
 * acknowledged and then dropped, or one that arrived twice. Reads a list that differs once more, because it may lag
 * behind.
 */
export async function verify(
  job: Pick<ImportJob, 'service' | 'clock'>,
  ledger: Ledger,
  lagMs: number,
): Promise<Verdict> {
  const first = compare(ledger, await scan(job))
  if (first.discrepancies.length === 0) return first
  await job.clock.sleep(lagMs)
  return compare(ledger, await scan(job))
}

/** Holds every row against one reading of the list. */
export function compare({ entries }: Ledger, list: Scan): Verdict {
  const discrepancies = [...entries.values()].flatMap((entry) => {
    const expected = expectedOf(entry)
    const { count, ids } = matchOf(list, keyOf(entry.name))
    return expected === undefined || count === expected ? [] : [{ entry, expected, count, ids }]
  })
  return { list, discrepancies }
}

/** How many records there should be; undefined for a row that is reported as unknown anyway. */
function expectedOf({ state, existingCount, elsewhere, left }: Entry): number | undefined {
  // Another run may create it at any moment.
  if (elsewhere || left) return undefined
  if (state === 'created') return 1
  // A refused row must not be on the service.
  if (state === 'refused') return 0
  return state === 'pending' ? existingCount : undefined
}
