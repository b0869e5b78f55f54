import type { Entry } from '../../../import/rows/ledger.ts'
import type { FilePlan } from '../../../import/rows/plan.ts'

/** How many rows of a file are there already, how many an earlier run created, and how many another run is at. */
export function countsOf({ entries }: FilePlan): Readonly<Record<'there' | 'before' | 'elsewhere', number>> {
  const count = (is: (entry: Entry) => boolean) => [...entries.values()].filter(is).length
  return {
    there: count(({ existingCount, attempt }) => existingCount > 0 && attempt === 1),
    elsewhere: count(({ elsewhere }) => elsewhere !== undefined),
    before: count(({ state, row }) => state === 'created' && row > 0),
  }
}
