import { mappingOf, notReturned } from '../api/contract/mapping/field-mapping.ts'
import type { Operation } from '../api/contract/operations/operation.ts'
import type { Context } from '../context/context.ts'
import type { Gaps } from './export-records.ts'

/** What an import of an export would not bring back, counted while the records pass. */
export interface GapCount extends Gaps {
  /** Says it, each field once. */
  readonly tell: (context: Context, create: Operation | undefined, records: number) => void
}

export function countGaps(): GapCount {
  const [leftOut, absent, masked] = [tally(), tally(), tally()]
  return {
    leftOut: leftOut.add,
    absent: absent.add,
    masked: masked.add,
    tell(context, create, records) {
      if (leftOut.any()) context.warn(`left out, because no request has them: ${leftOut.said()}.`)
      if (absent.any()) context.warn(`the service did not return these parts of records: ${absent.said()}.`)
      if (masked.any()) {
        context.warn(
          `the service shows these only masked, and they are masked in the export: ${masked.said()}.`,
        )
      }
      const correspondence = mappingOf(create?.sends)
      const unseen = correspondence ? notReturned(correspondence) : []
      if (unseen.length > 0 && records > 0) {
        context.note(`The service does not return: ${unseen.join(', ')}.`)
      }
    },
  }
}

/** How many records each name was told of. */
function tally() {
  const counts = new Map<string, number>()
  return {
    add: (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    any: () => counts.size > 0,
    said: () =>
      [...counts]
        .map(([name, count]) => `${name} (${count} ${count === 1 ? 'record' : 'records'})`)
        .join(', '),
  }
}
