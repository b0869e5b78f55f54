import type { Discrepancy } from '../resolve/verify.ts'
import type { Entry } from '../rows/ledger.ts'
import { isDoubtful } from '../rows/row-state.ts'

/** How many rows of the file ended in each way; the counts add up to `rows`. */
export interface Summary {
  readonly rows: number
  /** Created by this import, in this run or an earlier one. */
  readonly created: number
  /** Already on the service before the import. */
  readonly existing: number
  readonly refused: number
  /** The outcome is unknown, or the service has something other than what we sent. */
  readonly unresolved: number
  readonly pending: number
  /** Path of the rejects file. */
  readonly rejects: string | null
}

/** Counts the rows of a file. Rows with a discrepancy count as unresolved. */
export function summarise(
  entries: Iterable<Entry>,
  discrepancies: readonly Discrepancy[],
  rejects: string | null,
): Summary {
  const withDiscrepancy = new Set(discrepancies.map(({ entry }) => entry))
  const counts = { created: 0, existing: 0, refused: 0, unresolved: 0, pending: 0 }
  let rows = 0
  for (const entry of entries) {
    if (entry.row === 0) continue
    rows += 1
    if (withDiscrepancy.has(entry)) counts.unresolved += 1
    else if (entry.state === 'created' || entry.state === 'refused') counts[entry.state] += 1
    else if (isDoubtful(entry) || entry.state === 'intent') counts.unresolved += 1
    else if (entry.existingCount > 0) counts.existing += 1
    else counts.pending += 1
  }
  return { rows, ...counts, rejects }
}
