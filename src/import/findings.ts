import { type Json, valueAt } from '../files/json/path.ts'
import { type FileRow, type RowIssue, rowList } from '../files/table/row.ts'
import { placeInFile } from '../files/table/row-source.ts'
import { keyInWords, keyPath } from '../model/natural-key.ts'
import { textIn } from '../model/records/identity.ts'
import { addTo } from '../text/group-by.ts'
import { asClause } from '../text/words.ts'
import type { GuardFinding, RowReason } from '../write/record-write.ts'
import type { ImportJob } from './job.ts'

/** The options that let rows through which are wrong without them, and what each does. */
export const waysThrough = {
  '--same-person': 'send those who really are different people anyway',
  '--overlapping': 'send the timesheets whose days overlap those of another one',
} as const

/**
 * What a finding does to its row. `wrong`: nothing is sent until it is fixed or left out. `held`: this row is
 * not sent. `doubt`: it is sent, after a question at a terminal; --strict makes it wrong. `marked`: like `doubt`, but it
 * is said once, in a doubt about the file. `note`: it is only said. `reading`: said once for all rows alike.
 */
type FindingSeverity = 'wrong' | 'held' | 'doubt' | 'marked' | 'note' | 'reading'

/** A finding of a check or a guard about a row of the file: as it is here, it is counted, shown on a screen and in JSON. */
export interface RowFinding extends RowIssue, RowReason {
  /** The row number; 0 for a finding that is not about a row. */
  readonly row: number
  readonly severity: FindingSeverity
  /** Whether a doubt is one with --strict too, for an option says that it may be so. */
  readonly isAllowed?: boolean | undefined
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

/** The place of the key in the file. */
export const keyPlace = ({ source, service: { kind } }: Pick<ImportJob, 'source' | 'service'>) =>
  placeInFile(source, keyPath(kind.key))

/** A finding about the record of an entry, placed at its key. `cause`: the message without what only this row has. */
export function aboutEntry<Severity extends FindingSeverity>(
  job: Pick<ImportJob, 'source' | 'service'>,
  { row, reference }: { readonly row: number; readonly reference: string },
  severity: Severity,
  message: string,
  cause?: string,
) {
  const { path, column } = keyPlace(job)
  return { row, path, column, severity, message, cause, ...keyAsShown(reference) }
}

/** A finding about a place in a row, with the value that the file has there. */
export function inRow<Severity extends FindingSeverity>(
  record: FileRow,
  severity: Severity,
  issue: RowIssue & RowReason,
) {
  const { row, original } = record.parts?.find((part) => part.row === issue.row) ?? record
  const { column, path } = issue
  const value = Array.isArray(original) ? original[column ?? -1] : valueAt(original, path)
  return { row, ...issue, severity, value: path === '' ? undefined : value }
}

/** What is wrong with a row: each value with what is wrong with it. */
export const faultsOf = (row: FileRow) => row.issues.map((issue) => inRow(row, 'wrong', issue))

/** Whether a row is wrong for single values alone. Its record may have just those: then the service took them once. */
export const mayBeStored = (row: FileRow): boolean =>
  faultsOf(row).every(
    ({ path, value, isBesideOther }) => path !== '' && !isBesideOther && textIn(value) !== '',
  )

/** Those faults of a row that are not just what its record has. */
export const faultsBeside = (faults: readonly RowFinding[], record: Json): readonly RowFinding[] =>
  faults.filter(({ path, value }) => textIn(valueAt(record, path)) !== textIn(value))

/**
 * What guards found about a row, as findings. A question holds the row back too: an import asks nothing of a single row.
 * `placed`: reasons of one guard at their places in the file.
 */
export function findingsOfGuards(
  job: Pick<ImportJob, 'service'>,
  guardFindings: readonly GuardFinding[],
  placed: (reasons: readonly RowReason[]) => readonly Omit<RowFinding, 'severity'>[],
): RowFinding[] {
  return guardFindings.flatMap((finding) => {
    const severity = severityOf(finding)
    const isAllowed = finding.does === 'doubt' ? finding.isAllowed : undefined
    return placed(reasonsOf(job, finding)).map((each) => ({ ...each, severity, isAllowed }))
  })
}

function severityOf(finding: GuardFinding): FindingSeverity {
  if (finding.does === 'warn') return 'note'
  if (finding.does === 'doubt') return 'doubt'
  return finding.stopsFile ? 'wrong' : 'held'
}

function reasonsOf({ service }: Pick<ImportJob, 'service'>, finding: GuardFinding): readonly RowReason[] {
  if (finding.does === 'warn') return [{ path: '', message: finding.message }]
  if (finding.does === 'doubt') return [finding.issue]
  if (finding.reasons) return finding.reasons
  const failure = finding.does === 'hold' ? finding.failure : finding.otherwise
  const { issues = [] } = failure.details
  const message = asClause(failure.message)
  const details = issues.map((each) => `${each.path || 'the record'}: ${each.message}`).join('; ')
  const path = issues[0]?.path || keyPath(service.kind.key)
  return [{ path, message: details === '' ? message : `${message} (${details})` }]
}

/** All findings with one cause. */
export interface FindingGroup {
  readonly count: number
  /** The first of them. In a file of up to some thousands of findings, all of them. */
  readonly findings: readonly RowFinding[]
}

/** The most that are listed as JSON; the rest is counted. */
export const mostListed = 100
/** The most findings and causes that are kept to be shown: a file may have a million rows. */
const [mostKept, mostCauses] = [10_000, 1000]

/** Counts findings of one kind. */
export function tallyFindings() {
  const first: RowFinding[] = []
  const byCause = new Map<string, { count: number; findings: RowFinding[] }>()
  let count = 0
  return {
    add(finding: RowFinding): void {
      count += 1
      if (first.length < mostListed) first.push(finding)
      // Groups equal messages about one field. A message about a cell names its column.
      const cause = `${finding.path}\n${finding.cause ?? finding.message}`
      const group = byCause.get(cause)
      if (!group) {
        if (byCause.size < mostCauses) byCause.set(cause, { count: 1, findings: [finding] })
        return
      }
      group.count += 1
      if (count <= mostKept) group.findings.push(finding)
    },
    end: () => ({
      count,
      /** The first hundred. */
      first,
      /** Grouped by cause, the rarest first: a single fault must not hide behind a frequent one. */
      groups: [...byCause.values()]
        .map((group) => ({
          ...group,
          findings: group.findings.toSorted((one, other) => one.row - other.row),
        }))
        .sort((one, other) => leadOf(other) - leadOf(one) || one.count - other.count),
    }),
  }
}

const leadOf = ({ findings: [first] }: FindingGroup) => (first?.leads ? 1 : 0)

/** All that was found about the rows of a file, and about the file. */
export type Findings = ReturnType<Collector['end']>

/** Takes the findings about the rows of a file one by one, and says at the end what there is to print. */
export type Collector = ReturnType<typeof collectFindings>

/** Collects findings of all severities. `isStrict`: a doubt is a fault. */
export function collectFindings(isStrict: boolean) {
  const tallies = {
    wrong: tallyFindings(),
    doubt: tallyFindings(),
    note: tallyFindings(),
    reading: tallyFindings(),
  }
  const wrongRows = new Map<number, RowFinding[]>()
  const doubtfulRows = new Set<number>()
  const ways = new Set<keyof typeof waysThrough>()
  return {
    /** What is wrong with each row so far, by its number. */
    wrongRows,
    /** Adds a finding. A row that is held back keeps its reason in its entry instead. */
    add(finding: RowFinding) {
      const { row, way, isAllowed } = finding
      const isFault = isStrict && finding.severity === 'doubt' && !isAllowed
      const severity = isFault ? 'wrong' : finding.severity
      if ((severity === 'doubt' || severity === 'marked') && row > 0) doubtfulRows.add(row)
      if (severity !== 'marked' && severity !== 'held') tallies[severity].add(finding)
      if (severity !== 'wrong') return
      addTo(wrongRows, row, finding)
      if (way === '--same-person' || way === '--overlapping') ways.add(way)
    },
    end(entries: Iterable<{ readonly row: number; readonly rows?: readonly number[] | undefined }>) {
      for (const { row, rows } of entries)
        if (rows?.some((each) => doubtfulRows.has(each))) doubtfulRows.add(row)
      for (const row of wrongRows.keys()) doubtfulRows.delete(row)
      for (const { count, findings } of tallies.reading.end().groups)
        tallies.note.add(onceForAll(count, findings))
      return {
        /** The faults of rows that cannot be sent. */
        wrong: tallies.wrong.end(),
        /** The doubts about rows that can. */
        doubts: tallies.doubt.end(),
        notes: tallies.note.end(),
        /** The rows that cannot be sent, by number, with what is wrong with them. */
        wrongRows,
        /** The rows with a doubt, and the first row of each record that has one of them. */
        doubtfulRows,
        /** The options that would let wrong rows through. */
        ways,
      }
    },
  }
}

function onceForAll(count: number, findings: readonly RowFinding[]): RowFinding {
  const rows = findings.map(({ row }) => row)
  return { row: 0, path: '', severity: 'note', message: `${findings[0]?.message}: ${rowList(rows, count)}` }
}
