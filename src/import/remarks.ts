import { randomBytes } from 'node:crypto'
import { leafFields } from '../api/contract/fields/field-tree.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { hmacWith } from '../formats/hmac.ts'
import { compactNumber } from '../formats/words.ts'
import { type Json, type JsonObject, parsePath, valueAt } from '../json/path.ts'
import { type Row, type RowIssue, rowList } from '../table/row.ts'

/** A message about a row of the file. */
export interface Remark extends RowIssue {
  /** 0 stands for no row: the remark is about something else, which the path names. */
  readonly row: number
  /** What stands in the file at that place. It may be sensitive: mask it before it is shown. */
  readonly value?: Json
  /** The message without what only this row has, so that equal ones can be counted. */
  readonly cause?: string
  /** It is named before all others, however many there are of its kind. */
  readonly leads?: boolean
}

/** All remarks with one cause. */
export interface RemarkGroup {
  readonly count: number
  /** The first of them: all, where a file has no more than some thousands. */
  readonly remarks: readonly Remark[]
}

/** Remarks, counted and grouped by cause, the rarest first: what is wrong once must not hide behind what is everywhere. */
export interface Remarks {
  readonly count: number
  /** The first hundred. */
  readonly first: readonly Remark[]
  readonly groups: readonly RemarkGroup[]
}

/** As many are listed as JSON; the rest is counted. */
export const mostListed = 100
/** As many are kept to be shown, of so many causes: a file may have a million rows. */
const [mostKept, mostCauses] = [10_000, 1000]

/** Remarks while they are collected. */
export interface RemarkTally {
  readonly add: (remark: Remark) => void
  /** What was collected so far. */
  readonly end: () => Remarks
}

/** Collects remarks. */
export function tallyRemarks(): RemarkTally {
  const first: Remark[] = []
  const byCause = new Map<string, { count: number; remarks: Remark[] }>()
  let count = 0
  return {
    add(remark) {
      count += 1
      if (first.length < mostListed) first.push(remark)
      const cause = causeOf(remark)
      const group = byCause.get(cause)
      if (!group) {
        if (byCause.size < mostCauses) byCause.set(cause, { count: 1, remarks: [remark] })
        return
      }
      group.count += 1
      if (count <= mostKept) group.remarks.push(remark)
    },
    end: () => ({
      count,
      first,
      groups: [...byCause.values()].sort(
        (one, other) => leadOf(other) - leadOf(one) || one.count - other.count,
      ),
    }),
  }
}

const leadOf = ({ remarks: [first] }: RemarkGroup) => (first?.leads ? 1 : 0)

/** A remark about a row, with what stands there in the file. */
export function remarkOf(record: Row, issue: RowIssue): Remark {
  const { row, original } = record.parts?.find((part) => part.row === issue.row) ?? record
  const { column, path } = issue
  const value = Array.isArray(original)
    ? original[column ?? -1]
    : valueAt(original, path === '' ? [] : (parsePath(path) ?? []))
  return { row, ...issue, ...(path !== '' && value !== undefined && { value }) }
}

/** Equal messages about one field. The message of a cell names its column. */
function causeOf({ path, message, cause = message }: Remark): string {
  return `${path}\n${cause}`
}

/** Finds rows of one file with the same number of a person: somebody was entered twice, under two references. */
interface NumberSearch {
  readonly add: (row: number, record: JsonObject) => void
  readonly end: () => readonly RepeatedNumber[]
}

/** A number of a person that stands in several rows. */
interface RepeatedNumber {
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
  const hmac = hmacWith(randomBytes(16))
  const firstRows = new Map<number, number>()
  const others = new Map<number, number[]>()
  return { note, repeated: () => [...others].map(([known, rows]) => [firstRows.get(known) ?? 0, ...rows]) }

  function note(row: number, number: string): void {
    const folded = compactNumber(number)
    // Less is no number but a word such as `none` or `TBC`.
    if (!/\d{5}/.test(folded)) return
    const known = Number.parseInt(hmac(folded, 'hex').slice(0, 12), 16)
    if (!firstRows.has(known)) firstRows.set(known, row)
    else if (others.has(known)) others.get(known)?.push(row)
    else others.set(known, [row])
  }
}
