import type { Entry } from '../../../import/rows/ledger.ts'
import type { FilePlan } from '../../../import/rows/plan.ts'

/** How many rows of a file are there already, and how many an earlier run created. */
export function countsOf({ entries }: FilePlan): { readonly there: number; readonly before: number } {
  const count = (is: (entry: Entry) => boolean) => [...entries.values()].filter(is).length
  return {
    there: count(({ existingCount, attempt }) => existingCount > 0 && attempt === 1),
    before: count(({ state, row }) => state === 'created' && row > 0),
  }
}
