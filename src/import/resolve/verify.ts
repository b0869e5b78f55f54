import { setTimeout as pause } from 'node:timers/promises'
import type { ImportService } from '../import-service.ts'
import type { Entry, Ledger } from '../rows/ledger.ts'
import { keyOf } from '../rows/natural-key.ts'
import { matchOf, type Scan, scan } from './scan.ts'

/** A key of which the service has more or fewer records than it should. */
export interface Discrepancy {
  readonly entry: Entry
  readonly expected: number
  readonly count: number
  readonly ids: readonly string[]
}

/**
 * Reads the service again when all is done, and compares every row with it: a record that was acknowledged and
 * taken back is seen by nothing else, nor one that arrived twice. Empty when all is as it should be. A list that
 * lags behind is given one more chance.
 */
export async function verify(service: ImportService, ledger: Ledger, lagMs: number): Promise<Discrepancy[]> {
  const first = compare(ledger, await scan(service))
  if (first.length === 0) return first
  await pause(lagMs)
  return compare(ledger, await scan(service))
}

/** Every row that the list shows more or fewer times than it should. */
export function compare({ entries }: Ledger, list: Scan): Discrepancy[] {
  return [...entries.values()].flatMap((entry) => {
    const expected = expectedOf(entry)
    const { count, ids } = matchOf(list, keyOf(entry.name))
    return expected === undefined || count === expected ? [] : [{ entry, expected, count, ids }]
  })
}

/** Undefined when nothing can be expected: the row is reported as unknown. */
function expectedOf({ state, existingCount }: Entry): number | undefined {
  if (state === 'created') return 1
  // A refused row must not be on the service.
  if (state === 'refused') return 0
  return state === 'pending' ? existingCount : undefined
}
