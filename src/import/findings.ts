import { type Json, parsePath, valueAt } from '../files/json/path.ts'
import { type FileRow, type RowIssue, rowList } from '../files/table/row.ts'
import { keyInWords } from '../model/natural-key.ts'
import { addTo } from '../text/group-by.ts'
import type { GuardFinding, RowReason } from '../write/record-write.ts'
import type { ImportEntry } from './entry.ts'

/** The options that let rows through which are wrong without them, and what each does. */
export const overrides = {
  '--same-person': 'send those who really are different people anyway',
  '--overlapping': 'send the timesheets whose days overlap those of another one',
} as const

/**
 * What a finding does to its row. `wrong`: nothing is sent until it is fixed or left out. `held`: this row is
 * not sent. `doubt`: it is sent, after a question at a terminal. `marked`: like `doubt`, but the message
 * stands elsewhere. `note`: it is only said. `reading`: said once for all rows alike.
 */
type FindingSeverity = 'wrong' | 'held' | 'doubt' | 'marked' | 'note' | 'reading'

/** A message about a row of the file. */
export interface RowFinding extends RowIssue, RowReason {
  /** The row number; 0 for a finding that is not about a row. */
  readonly row: number
  readonly severity: FindingSeverity
  /** The value in the file at that place. It may be sensitive: mask it before it is shown. */
  readonly value?: Json | undefined
  /** The record in words, where several cells are its key. */
  readonly record?: string | undefined
}

/** The key of a record, for a finding about the row: what its cell has, or words where several cells are the key. */
export function keyAsShown(reference: string): Pick<RowFinding, 'value' | 'record'> {
  const words = keyInWords(reference)
  return words === reference ? { value: reference } : { record: words }
}

/** A finding whose severity is decided later. */
export type Remark = Omit<RowFinding, 'severity'>

/** All remarks with one cause. */
export interface RemarkGroup {
  readonly count: number
  /** The first of them. In a file of up to some thousands of remarks, all of them. */
  readonly remarks: readonly Remark[]
}

/** Remarks, grouped by cause, the rarest first: a single fault must not hide behind a frequent one. */
interface Remarks {
  readonly count: number
  /** The first hundred. */
  readonly first: readonly Remark[]
  readonly groups: readonly RemarkGroup[]
}

/** The most that are listed as JSON; the rest is counted. */
export const mostListed = 100
/** The most remarks and causes that are kept to be shown: a file may have a million rows. */
const [mostKept, mostCauses] = [10_000, 1000]

/** Collects remarks of one kind. */
export function tallyRemarks() {
  const first: Remark[] = []
  const byCause = new Map<string, { count: number; remarks: Remark[] }>()
  let count = 0
  return {
    add(remark: Remark): void {
      count += 1
      if (first.length < mostListed) first.push(remark)
      // Groups equal messages about one field. A message about a cell names its column.
      const cause = `${remark.path}\n${remark.cause ?? remark.message}`
      const group = byCause.get(cause)
      if (!group) {
        if (byCause.size < mostCauses) byCause.set(cause, { count: 1, remarks: [remark] })
        return
      }
      group.count += 1
      if (count <= mostKept) group.remarks.push(remark)
    },
    end: (): Remarks => ({
      count,
      first,
      groups: [...byCause.values()]
        .map((group) => ({ ...group, remarks: group.remarks.toSorted((one, other) => one.row - other.row) }))
        .sort((one, other) => leadOf(other) - leadOf(one) || one.count - other.count),
    }),
  }
}

const leadOf = ({ remarks: [first] }: RemarkGroup) => (first?.leads ? 1 : 0)

/** All that was found about the rows of a file, and about the file. */
export interface Findings {
  /** The faults of rows that cannot be sent. */
  readonly wrong: Remarks
  /** The doubts about rows that can. */
  readonly doubts: Remarks
  readonly notes: Remarks
  /** The rows that cannot be sent, by number, with what is wrong with them. */
  readonly wrongRows: ReadonlyMap<number, readonly RowIssue[]>
  /** The rows with a doubt, and the first row of each record that has one of them. */
  readonly doubtfulRows: ReadonlySet<number>
  /** The options that would let wrong rows through. */
  readonly overrides: ReadonlySet<keyof typeof overrides>
}

/** Takes the findings about the rows of a file one by one, and says at the end what there is to print. */
export interface Collector {
  /** What is wrong with each row so far, by its number. */
  readonly wrongRows: ReadonlyMap<number, readonly RowIssue[]>
  /** Adds a finding. A row that is held back keeps its reason in its entry instead. */
  readonly add: (finding: RowFinding & { readonly severity: Exclude<FindingSeverity, 'held'> }) => void
  readonly end: (entries: Iterable<Pick<ImportEntry, 'row' | 'rows'>>) => Findings
}

/** Collects findings of all severities. */
export function collectFindings(): Collector {
  const tallies = {
    wrong: tallyRemarks(),
    doubt: tallyRemarks(),
    note: tallyRemarks(),
    reading: tallyRemarks(),
  }
  const wrongRows = new Map<number, RowIssue[]>()
  const doubtfulRows = new Set<number>()
  const named = new Set<keyof typeof overrides>()
  return {
    wrongRows,
    add({ severity, ...remark }) {
      const { row } = remark
      if ((severity === 'doubt' || severity === 'marked') && row > 0) doubtfulRows.add(row)
      if (severity !== 'marked') tallies[severity].add(remark)
      if (severity !== 'wrong') return
      const { path, message, column, isLeftOut, override } = remark
      addTo(wrongRows, row, { path, message, column, isLeftOut })
      if (override === '--same-person' || override === '--overlapping') named.add(override)
    },
    end(entries) {
      for (const { row, rows } of entries)
        if (rows?.some((each) => doubtfulRows.has(each))) doubtfulRows.add(row)
      for (const row of wrongRows.keys()) doubtfulRows.delete(row)
      for (const { count, remarks } of tallies.reading.end().groups)
        tallies.note.add(readingOf(count, remarks))
      return {
        wrong: tallies.wrong.end(),
        doubts: tallies.doubt.end(),
        notes: tallies.note.end(),
        wrongRows,
        doubtfulRows,
        overrides: named,
      }
    },
  }
}

function readingOf(count: number, remarks: readonly Remark[]): Remark {
  const rows = remarks.map(({ row }) => row)
  return { row: 0, path: '', message: `${remarks[0]?.message}: ${rowList(rows, count)}` }
}

/** How a row counts by what a guard found about it. */
export function severityOf(finding: GuardFinding, isStrict: boolean) {
  if (finding.does === 'warn') return 'note'
  if (finding.does === 'doubt') return isStrict && !finding.isAllowed ? 'wrong' : 'doubt'
  const { code } = finding.does === 'hold' ? finding.failure : finding.otherwise
  return code === 'input' ? 'wrong' : 'held'
}

/** A remark about a row, with the value that the file has there. */
export function remarkOf(record: FileRow, issue: RowIssue & RowReason): Remark {
  const { row, original } = record.parts?.find((part) => part.row === issue.row) ?? record
  const { column, path } = issue
  const value = Array.isArray(original)
    ? original[column ?? -1]
    : valueAt(original, path === '' ? [] : (parsePath(path) ?? []))
  return { row, ...issue, value: path === '' ? undefined : value }
}
