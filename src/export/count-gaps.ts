import { mappingOf, unreturnedFields } from '../api/contract/mapping/field-mapping.ts'
import type { Operation } from '../api/contract/operations/operation.ts'
import { plural } from '../formats/words.ts'
import type { Gaps } from './export-records.ts'

/** Counts what an import of the exported file would not bring back. */
export interface GapCount extends Gaps {
  /** Sentences; each field occurs once. */
  readonly warnings: () => readonly string[]
}

export function countGaps(): GapCount {
  const [leftOut, absent, masked] = [tally(), tally(), tally()]
  return {
    leftOut: leftOut.add,
    absent: absent.add,
    masked: masked.add,
    warnings: () =>
      [
        leftOut.any() && `not exported, because an import could not send them: ${leftOut.said()}.`,
        absent.any() && `the service did not return these parts of records: ${absent.said()}.`,
        masked.any() &&
          `the service masks these fields, so they are masked in the export too: ${masked.said()}.`,
      ].filter((warning) => warning !== false),
  }
}

/** The fields of the create request that the service never returns. */
export function neverReturned(create: Operation | undefined): readonly string[] {
  const mapping = mappingOf(create?.requestRecord)
  return mapping ? unreturnedFields(mapping) : []
}

/** Counts in how many records each name occurs. */
function tally() {
  const counts = new Map<string, number>()
  return {
    add: (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    any: () => counts.size > 0,
    said: () => [...counts].map(([name, count]) => `${name} (${plural(count, 'record')})`).join(', '),
  }
}
