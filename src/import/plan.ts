import { usage } from '../errors.ts'
import type { JsonObject } from '../json/path.ts'
import { hashOf } from '../table/fingerprint.ts'
import type { RowSource } from '../table/open-source.ts'
import { type Row, type RowIssue, rowList, rowNumbers } from '../table/row.ts'
import { inColumn } from '../table/row-source.ts'
import type { Entry } from './ledger.ts'
import { asNumbers, keyOf, nameIn } from './natural-key.ts'
import {
  type Remark,
  type Remarks,
  type RemarkTally,
  remarkOf,
  searchNumbers,
  tallyRemarks,
} from './remarks.ts'
import type { JournalRow, Replay } from './replay.ts'
import type { JournalChange } from './row-change.ts'
import { isDoubtful, next } from './row-state.ts'
import { matchOf, type Scan } from './scan.ts'
import type { ImportKind } from './service.ts'

/** The whole file: its rows, errors and warnings. */
export interface FilePlan {
  readonly rows: number
  /** By key: the rows of the file that can be sent, and rows still in doubt that only the journal has. */
  readonly entries: Map<string, Entry>
  /** What is wrong with the rows that cannot be sent. */
  readonly invalid: Remarks
  /** The rows that cannot be sent, by number, with what is wrong with them. */
  readonly invalidRows: ReadonlyMap<number, readonly RowIssue[]>
  /** Whether there were too many errors to read the rest. */
  readonly isCutShort: boolean
  /** What is doubtful about rows. */
  readonly warnings: Remarks
  /** The rows that can be sent and are doubtful, by number. */
  readonly warned: ReadonlySet<number>
  /** About the file as a whole. */
  readonly notes: readonly Remark[]
  /** The rows in doubt, which the import compares with the service's records. */
  readonly doubtful: Map<string, Row>
  /** Of every row that may be sent, by its number: what the row was doubted for when it was checked. */
  readonly digests: ReadonlyMap<number, string>
  /** By key: what only matters of a row whose record the list does not show. */
  readonly ifNew: ReadonlyMap<string, NewFindings>
  /** Of records that are made of several rows: the numbers of all of them. */
  readonly groups: readonly (readonly number[])[]
  /** Where what is wrong or doubtful is collected, for what the list tells later. */
  readonly tallies: { readonly invalid: RemarkTally; readonly warnings: RemarkTally }
}

/** What the list of the service tells about rows that are ready. */
export interface Findings {
  /** For these the row is not sent. */
  readonly held: readonly Remark[]
  /** With these it is sent, and doubtful. */
  readonly doubts: readonly Remark[]
}

/** What only matters of a row whose record is not there yet. */
interface NewFindings extends Findings {
  /** The fields that it may not be created without. */
  readonly lacks: readonly Remark[]
}

/** More would not help anyone, and a million of them would fill the memory. */
const mostInvalid = 10_000

interface PlanOptions {
  /** What a new record may not be sent without. */
  readonly lacking?: (record: JsonObject) => readonly RowIssue[]
  readonly numbers?: ReturnType<typeof searchNumbers>
  readonly onRow?: (row: Row) => void
  /** A row that is doubtful is wrong, unless it was created. */
  readonly isStrict?: boolean
  /** A row whose record exists changes it: what is doubtful of such a row is looked at in the whole record. */
  readonly updates?: boolean
}

/** What an earlier run of this import wrote down. */
type Remembered = Pick<Replay, 'rows'> & Partial<Pick<Replay, 'changes' | 'left'>>

/**
 * Reads the whole file and compares it with the journal. A row that was edited after it was created is not sent again.
 * If a row in doubt was edited, the import first finds out what became of the version that it sent. Of two rows with
 * one key neither can be sent: which of them is right is not known.
 */
export async function planFile(
  source: RowSource,
  { key, noun }: ImportKind,
  salt: string,
  { rows: remembered, changes, left }: Remembered,
  {
    lacking = () => [],
    numbers = searchNumbers(undefined),
    onRow = () => {},
    isStrict = false,
    updates = false,
  }: PlanOptions = {},
): Promise<FilePlan> {
  const entries = new Map<string, Entry>()
  const doubtful = new Map<string, Row>()
  const digests = new Map<number, string>()
  const invalidRows = new Map<number, readonly RowIssue[]>()
  const [invalid, warnings, readings] = [tallyRemarks(), tallyRemarks(), tallyRemarks()]
  const notes: Remark[] = (source.remarks ?? []).map((message) => ({ row: 0, path: '', message }))
  const warned = new Set<number>()
  for (const doubt of source.doubts ?? []) warnings.add({ path: '', ...doubt })
  const ifNew = new Map<string, NewFindings>()
  const groups: (readonly number[])[] = []
  const reject = ({ row, value, cause, ...issue }: Remark) => {
    invalid.add({ row, ...issue, ...(value !== undefined && { value }), ...(cause && { cause }) })
    held += 1
    invalidRows.set(row, [...(invalidRows.get(row) ?? []), issue])
  }
  let [rows, held, isCutShort] = [0, 0, false]
  const path = key.request.join(', ')
  const place = source.columnFor?.(path)
  const inPlace = (message: string) => (place ? `${place.place}: ${message}` : message)
  const holdKey = (row: number, message: string, value?: string) =>
    reject({
      row,
      path,
      message: inPlace(message),
      ...(place && { column: place.column }),
      ...(value !== undefined && { value, cause: inPlace('the same is in another row') }),
    })
  for await (const each of source.rows()) {
    if (held >= mostInvalid) {
      isCutShort = true
      const message = 'there are too many errors above, so the rest was not read'
      invalid.add({ row: each.row, path: '', message })
      break
    }
    planRow(each)
  }
  judgeNumbers()
  holdWhole(invalidRows, groups, invalid)
  for (const [known, { row }] of entries) {
    if (!invalidRows.has(row)) continue
    entries.delete(known)
    warned.delete(row)
  }
  addMissing()
  for (const { count, remarks } of readings.end().groups) notes.push(noteOf(count, remarks))
  const counted = { invalid: invalid.end(), warnings: warnings.end(), warned }
  const tallies = { invalid, warnings }
  return {
    rows,
    entries,
    ...counted,
    invalidRows,
    isCutShort,
    notes,
    doubtful,
    digests,
    ifNew,
    groups,
    tallies,
  }

  /** Takes a row into the plan, or holds it back. */
  function planRow(each: Row): void {
    const numbersOfRows = rowNumbers(each)
    rows += numbersOfRows.length
    if (numbersOfRows.length > 1) groups.push(numbersOfRows)
    const { row, record, issues } = each
    for (const issue of issues) reject(remarkOf(each, issue))
    for (const note of each.notes ?? []) readings.add({ row, ...note })
    const rowWarnings = each.warnings
    // Of a row that may change a record it is not known yet whether it is new.
    const isNew = !updates || issues.length > 0
    if (isNew && !isStrict) for (const issue of rowWarnings) warnings.add(remarkOf(each, issue))
    else if (isNew && issues.length > 0) for (const issue of rowWarnings) reject(remarkOf(each, issue))
    const name = nameIn(record, key.request)
    // Rows with one reference are held back anyway.
    if (name === undefined || !entries.has(keyOf(name))) numbers.add(row, record)
    if (issues.length > 0) return
    if (name === undefined) {
      holdKey(row, `it is empty, and ${noun} are recognised by it`)
      return
    }
    const known = keyOf(name)
    const other = entries.get(known)
    if (other) {
      holdKey(row, `${name} is in row ${other.row} already`, name)
      if (!invalidRows.has(other.row) && other.state === 'pending')
        holdKey(other.row, `${name} is in row ${row} again`, other.name)
      return
    }
    const before = remembered.get(known)
    const rowCount = numbersOfRows.length
    const hash = fingerprintOf(each, salt, before)
    const entry = entryOf(name, { row, rowCount }, hash, before, changes?.get(known))
    const leaves = left?.get(known)
    if (leaves) entry.left = leaves
    entries.set(known, entry)
    if (entry.state !== 'created') {
      const remarks = rowWarnings.map((issue) => remarkOf(each, issue))
      if (isStrict && isNew && remarks.length > 0) {
        for (const remark of remarks) reject(remark)
        return
      }
      const lacks = lacking(record).map((issue) => remarkOf(each, issue))
      const later = isStrict ? { held: remarks, doubts: [] } : { held: [], doubts: remarks }
      if (!isNew) ifNew.set(known, { ...later, lacks })
      else if (lacks.length > 0) ifNew.set(known, { held: [], doubts: [], lacks })
    }
    onRow(each)
    if (isNew && rowWarnings.length > 0) warned.add(row)
    digests.set(row, each.digest)
    if (isDoubtful(entry) && !leaves) doubtful.set(known, each)
  }

  /** A number of a person in several rows is a doubt; with --strict it is wrong with each row that is not created yet. */
  function judgeNumbers(): void {
    const open = new Set<number>()
    if (isStrict) for (const { row, state } of entries.values()) if (state !== 'created') open.add(row)
    for (const { path, message, rows } of numbers.end()) {
      const remark = inColumn(source, { path, message })
      if (isStrict) {
        for (const row of rows.filter((each) => open.has(each))) reject({ row, ...remark })
        continue
      }
      warnings.add({ row: 0, ...remark })
      for (const row of rows) warned.add(row)
    }
  }

  /** What an earlier run sent without learning the outcome, of rows that are no longer in the file. */
  function addMissing(): void {
    for (const [known, { name, ...rest }] of remembered) {
      if (entries.has(known) || !isDoubtful(rest) || left?.has(known)) continue
      entries.set(known, { name, row: 0, ...rest, edited: undefined, id: rest.id, existingCount: 0 })
    }
  }
}

/** Of a record that is made of several rows none is sent where one of them is wrong. */
function holdWhole(
  invalidRows: Map<number, readonly RowIssue[]>,
  groups: FilePlan['groups'],
  invalid: FilePlan['tallies']['invalid'],
): void {
  for (const rows of groups) {
    const wrong = rows.find((row) => invalidRows.has(row))
    if (wrong === undefined) continue
    const message = `it belongs to the same record as row ${wrong}, which is wrong: neither is sent without the other`
    for (const row of rows) {
      if (invalidRows.has(row)) continue
      const issue = { path: '', message }
      invalidRows.set(row, [issue])
      invalid.add({ row, ...issue })
    }
  }
}

/** The plan with what the list tells about its rows. */
export function withFindings(file: FilePlan, { held, doubts }: Findings): FilePlan {
  const { entries, tallies } = file
  const invalidRows = new Map(file.invalidRows)
  const warned = new Set(file.warned)
  for (const remark of held) {
    const { row, value: _, cause: _cause, leads: _leads, ...issue } = remark
    tallies.invalid.add(remark)
    invalidRows.set(row, [...(invalidRows.get(row) ?? []), issue])
    warned.delete(row)
  }
  for (const remark of doubts) {
    tallies.warnings.add(remark)
    if (!invalidRows.has(remark.row)) warned.add(remark.row)
  }
  holdWhole(invalidRows, file.groups, tallies.invalid)
  for (const [key, { row }] of entries) if (invalidRows.has(row)) entries.delete(key)
  return { ...file, invalidRows, warned, invalid: tallies.invalid.end(), warnings: tallies.warnings.end() }
}

/** What was read so in several rows, as one remark about the file. */
function noteOf(count: number, remarks: readonly Remark[]): Remark {
  const where = rowList(
    remarks.map(({ row }) => row),
    count,
  )
  return { row: 0, path: '', message: `${remarks[0]?.message}: ${where}` }
}

/** A row that an earlier version sent as it was written has not changed because it is sent in standard form now. */
function fingerprintOf(row: Row, salt: string, before: JournalRow | undefined): string {
  const { record, cleared } = row
  const hash = hashOf(cleared ? { ...record, '[clear]': cleared } : record, salt)
  if (!before || before.hash === hash) return hash
  // Only now, because the row is read once more for it.
  const { asWritten } = row
  return asWritten && hashOf(asWritten, salt) === before.hash ? before.hash : hash
}

function entryOf(
  name: string,
  { row, rowCount }: { readonly row: number; readonly rowCount: number },
  hash: string,
  before: JournalRow | undefined,
  change: JournalChange | undefined,
): Entry {
  const fresh = {
    name,
    row,
    ...(rowCount > 1 && { rowCount }),
    edited: undefined,
    id: undefined,
    existingCount: 0,
    tries: before?.tries ?? [],
  }
  if (!before) return { ...fresh, state: 'pending', attempt: 1, hash }
  // A change that was applied is no edit that waits.
  const isKnown = before.hash === hash || (change?.state === 'applied' && change.hash === hash)
  const edited = isKnown ? undefined : hash
  // A refused row made no record, so it may be sent again.
  const renewed = before.state === 'refused' || (before.state === 'pending' && edited)
  if (renewed) return { ...fresh, ...next(before, { type: 'renewed' }), hash }
  const { state, attempt } = before
  return { ...fresh, state, attempt, hash: before.hash, edited, id: before.id }
}

/**
 * Notes which rows the service already has, and returns a warning for each. Throws a usage failure for two rows that
 * the list shows with the same key.
 */
export function noteBaseline(
  entries: ReadonlyMap<string, Entry>,
  baseline: Scan,
  { key }: ImportKind,
): Remark[] {
  const path = key.request.join(', ')
  const remarks: Remark[] = []
  const numbers = new Map<string, Entry>()
  for (const [known, entry] of entries) {
    const { count, ids } = matchOf(baseline, known)
    if (count === 0) continue
    if (baseline.numbers.size > 0) refuseSameNumber(numbers, entry, asNumbers(known))
    // The record is from an earlier run of this import, not from elsewhere.
    if (entry.state !== 'pending') continue
    entry.existingCount = count
    if (entry.left) continue
    if (entry.attempt > 1) continue
    const message =
      count === 1
        ? `${entry.name} is already on the service; it is not changed`
        : `${entry.name} is already on the service ${count} times (${ids.join(', ')}); nothing is sent`
    const cause = count === 1 ? 'already on the service; not changed' : 'more than once on the service'
    remarks.push({ row: entry.row, path, message, cause, value: entry.name })
  }
  return remarks
}

/** `0003` and `3` are one number in a list that shows numbers. */
function refuseSameNumber(numbers: Map<string, Entry>, entry: Entry, number: string): void {
  const other = numbers.get(number)
  if (!other) return void numbers.set(number, entry)
  throw usage(
    `The list shows the key as a number, so ${other.name} in row ${other.row} and ${entry.name} in row ${entry.row} cannot be told apart.`,
    'Give one of them another key, or create it by itself.',
  )
}

/** Whether the import should send the row. */
export const isReady = ({
  state,
  existingCount,
  row,
  elsewhere,
  left,
}: Pick<Entry, 'state' | 'existingCount' | 'row' | 'elsewhere' | 'left'>): boolean =>
  state === 'pending' && existingCount === 0 && row > 0 && !elsewhere && !left

/** Whether a row was edited after this import created it, and does not change its record. */
export const isChanged = ({ state, edited, change, left }: Entry): boolean =>
  state === 'created' && edited !== undefined && !change && !left
