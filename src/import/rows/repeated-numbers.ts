import { createHmac, randomBytes } from 'node:crypto'
import { leafFields } from '../../api/contract/fields/field-tree.ts'
import type { RecordType } from '../../api/contract/records/record-type.ts'
import { compactNumber } from '../../formats/fold-text.ts'
import { type JsonObject, valueAt } from '../../json/path.ts'
import { rowList } from './row-list.ts'

/** Finds rows of one file with the same number of a person: somebody was entered twice, under two references. */
export interface NumberSearch {
  readonly add: (row: number, record: JsonObject) => void
  readonly end: () => readonly RepeatedNumber[]
}

/** A number of a person that stands in several rows. */
export interface RepeatedNumber {
  readonly path: string
  readonly message: string
  readonly rows: readonly number[]
}

/** Two people may share a bank account, but no two have the same number. */
export function searchNumbers(type: RecordType | undefined): NumberSearch {
  const searches = leafFields(type?.fields ?? {})
    .filter(({ field }) => field.standard === 'nino' || field.standard === 'ppsn')
    .map(({ path, field }) => ({ path, label: field.label, segments: path.split('.'), ...searchRows() }))
  return {
    add(row, record) {
      for (const { segments, note } of searches) {
        const number = valueAt(record, segments)
        if (typeof number === 'string') note(row, number)
      }
    },
    end: () =>
      searches.flatMap(({ path, label, repeated }) =>
        repeated().map((rows) => ({ path, rows, message: `the same ${label} is in ${rowList(rows)}` })),
      ),
  }
}

/** Keeps a few bytes of each number, which say nothing without the salt, and are written nowhere. */
function searchRows() {
  const salt = randomBytes(16)
  const firstRows = new Map<number, number>()
  const others = new Map<number, number[]>()
  return { note, repeated: () => [...others].map(([known, rows]) => [firstRows.get(known) ?? 0, ...rows]) }

  function note(row: number, number: string): void {
    const folded = compactNumber(number)
    // Less is no number but a word such as "none" or "TBC".
    if (!/\d{5}/.test(folded)) return
    const known = createHmac('sha256', salt).update(folded).digest().readUIntBE(0, 6)
    if (!firstRows.has(known)) firstRows.set(known, row)
    else if (others.has(known)) others.get(known)?.push(row)
    else others.set(known, [row])
  }
}
