import {
  type Difference,
  isMovedOn,
  isRewritten,
  valueComparer,
} from '../api/contract/mapping/compare-stored.ts'
import { answerPlace, mappingOf, unreturnedFields } from '../api/contract/mapping/field-mapping.ts'
import {
  conversionTo,
  declaredAt,
  responseFieldAt,
  withoutNulls,
} from '../api/contract/mapping/map-record.ts'
import { labelOf } from '../api/contract/mapping/record-name.ts'
import { isMask, maskedFields } from '../api/contract/mapping/service-masks.ts'
import { lackingFields, type RecordType } from '../api/contract/records/record-type.ts'
import { addedWarnings } from '../api/contract/standards/warnings.ts'
import { readWholeRecord, type WholeRecord } from '../api/whole-record.ts'
import { Failure, type Issue } from '../errors.ts'
import { wordList } from '../formats/words.ts'
import { isObject, type Json, type JsonObject, parsePath, valueAt } from '../json/path.ts'
import type { RowSource } from '../table/open-source.ts'
import { type Row, type RowIssue, rowList } from '../table/row.ts'
import { inColumn } from '../table/row-source.ts'
import { headingFor } from '../values/read-heading.ts'
import { createChangeTally, type PlannedChanges } from './change-tally.ts'
import type { ImportJob } from './job.ts'
import type { Entry } from './ledger.ts'
import { describeMatch, isSameLines, type LineMatch, matchLines } from './lines.ts'
import { asNumbers, hasNumber, keyOf, keyValues, nameIn, nameOf, partsFrom } from './natural-key.ts'
import type { FilePlan, Findings } from './plan.ts'
import { type Remark, remarkOf } from './remarks.ts'
import type { Replay } from './replay.ts'
import { changesOf, digestOfRecord, isBankField, type RecordChange, type RowChange } from './row-change.ts'
import { matchOf, type Scan } from './scan.ts'
import { changedNoun } from './service.ts'
import { isOther } from './similar-records.ts'

/** Compares the rows of a file with the records that the service has under their keys. */
interface ChangeSearch {
  /** Call it for every row that may be sent. */
  readonly onRow: (row: Row) => void
  /** Call it for every record of the list. It may be called for a record twice: a list that changes is read again. */
  readonly onItem: (key: string | undefined, item: Json, entries: ReadonlyMap<string, Entry>) => void
  /**
   * Finds out what the rows change. Where they may change records, reads each record of which the list does not show
   * that it is as its row says, gives the entry of such a row its change, and returns what is wrong or doubtful.
   */
  readonly find: (known: Known) => Promise<ChangePlan>
}

/** What the file, the list and the journal say. */
interface Known {
  readonly file: FilePlan
  readonly list: Scan
  readonly salt: string
  readonly before: Replay | undefined
}

/** What the rows of a file change of records that exist. */
export interface ChangePlan extends PlannedChanges {
  /** How many records differ from their row, where none may be changed. */
  readonly differing: number
  /** What is wrong or doubtful about rows that change a record. */
  readonly findings: Findings
  /** What the rows say and is no change: nothing of a row is left out in silence. */
  readonly notes: readonly Remark[]
}

/** What the list shows of one record, in the order of the places; undefined for what it does not show. */
type Listed = readonly Json[]

/** What the list tells of a row. */
type Comparison = 'equal' | 'differs' | 'not shown'

/** A field that rows fill, and its place in what is kept of the list. */
interface FieldPlace {
  readonly path: string
  readonly segments: readonly string[]
  readonly isKey: boolean
  /** What is there, in an item of the list, in the form of the request. */
  readonly read: (item: Json) => Json
  readonly isShown: (value: Json) => boolean
}

/** A plan of changes in the making: what its steps share, and what they find. */
interface Planning extends Known {
  readonly job: ImportJob
  /** The record as it is sent. */
  readonly type: RecordType
  /** The fields that rows fill or empty. */
  readonly places: readonly FieldPlace[]
  /** The fields that no answer returns. */
  readonly unreturned: ReadonlySet<string>
  /** What the list shows in these places, by the key of the record. */
  readonly listed: ReadonlyMap<string, Listed>
  /** Whether two values of a field are one to the service. */
  readonly isSame: ReturnType<typeof valueComparer>
  readonly tally: ReturnType<typeof createChangeTally>
  readonly findings: { readonly held: Remark[]; readonly doubts: Remark[] }
  /** The rows that say what the service has moved on from, by the sentence about it. */
  readonly moved: Map<string, Set<number>>
}

/** A row that changes its record. */
interface ChangingRow extends RecordChange {
  readonly row: Row
  readonly entry: Entry
  /** The record as the service has it. */
  readonly before: JsonObject
  /** Why it may not be sent. */
  readonly issues: readonly RowIssue[]
}

/** Nothing changes. */
export const noChanges: ChangePlan = {
  ...createChangeTally(undefined).end(),
  differing: 0,
  findings: { held: [], doubts: [] },
  notes: [],
}

/** For every row of a file it says what that row changes. Keeps of the list only what the rows have columns for. */
export function searchChanges(job: ImportJob): ChangeSearch {
  const { kind, change, create } = job.service
  const type = (change?.update ?? create).requestRecord
  const filled = noFields()
  const cleared = new Set<string>()
  const listed = new Map<string, Listed>()
  let places: readonly FieldPlace[] | undefined

  return {
    onRow(row) {
      if (!type) return
      noteFields(row.record, filled)
      for (const path of row.cleared ?? []) cleared.add(listOf(path))
    },
    onItem(known, item, entries) {
      if (!type || known === undefined) return
      const entry = entries.get(known)
      if (!entry || entry.row === 0) return
      places ??= listPlaces(type)
      const shown = places.map(({ read }) => read(item))
      listed.set(known, shown)
    },
    async find(known) {
      if (!type) return noChanges
      const shared = {
        job,
        type,
        places: places ?? [],
        listed,
        isSame: valueComparer(type),
        unreturned: new Set(unreturnedFields(type)),
      }
      const about = { nameRate: job.source.nameRate, kept: job.missingLines }
      const tally = createChangeTally(type, changedNoun(kind), job.keepsChanges, about)
      return planChanges({ ...known, ...shared, tally, findings: { held: [], doubts: [] }, moved: new Map() })
    },
  }

  /** The fields that any row fills or empties. */
  function listPlaces(type: RecordType): FieldPlace[] {
    const all = new Map(pathsOf(filled).map((segments) => [segments.join('.'), segments]))
    for (const path of cleared) if (!all.has(path)) all.set(path, path.split('.'))
    return [...all].map(([path, segments]) => ({
      path,
      segments,
      isKey: kind.key.request.includes(path),
      read: readerOf(type, segments),
      isShown: shownBy(type, segments),
    }))
  }
}

/** Compares every row with the list, and reads the records of which that does not show enough. */
async function planChanges(planning: Planning): Promise<ChangePlan> {
  const { job, file, tally, findings, moved } = planning
  const { change } = job.service
  const mayDiffer = ({ existingCount, state }: Entry) =>
    existingCount > 0 || (change !== undefined && state === 'created')
  if (![...file.entries.values()].some(mayDiffer)) return noChanges
  const { open, differing } = await compareWithList(planning)
  if (!change && !(planning.type.lines && job.service.reads)) return { ...noChanges, differing }
  await compareWithRecords(planning, open)
  const about = { row: 0, path: '' }
  const notes = [...moved].map(([what, rows]) => ({ ...about, message: `${what}: ${rowList([...rows])}` }))
  return { ...tally.end(), differing: 0, findings, notes }
}

/** Settles the rows that are as the list shows them. `open`: the others; `differing`: how many certainly differ. */
async function compareWithList(planning: Planning): Promise<{ open: Set<number>; differing: number }> {
  const { job, file, listed } = planning
  const open = new Set<number>()
  let differing = 0
  for await (const row of job.source.rows(file.digests)) {
    const entry = findEntry(planning, row)
    // What this import created itself is known.
    if (!entry || (!job.service.change && entry.state !== 'pending')) continue
    const seen = compareListed(planning, row, listed.get(keyOf(entry.name)))
    if (seen === 'differs') differing += 1
    if (seen !== 'equal') open.add(row.row)
    else if (!job.service.change) continue
    else settleEqual(planning, entry)
  }
  return { open, differing }
}

/** Reads the records of these rows, several at once, and plans them in the order of the file, however the answers come. */
async function compareWithRecords(planning: Planning, open: ReadonlySet<number>): Promise<void> {
  const { job, file } = planning
  const window: Promise<() => void>[] = []
  let done = 0
  for await (const row of open.size === 0 ? [] : job.source.rows(file.digests)) {
    const entry = open.has(row.row) ? findEntry(planning, row) : undefined
    if (!entry) continue
    const reading = readAndCompare(planning, row, entry)
    // It is thrown when its turn comes.
    reading.catch(() => {})
    window.push(reading)
    if (window.length >= job.concurrency) await planNext()
  }
  while (window.length > 0) await planNext()

  async function planNext(): Promise<void> {
    const plan = await window.shift()
    plan?.()
    done += 1
    job.onPlanning?.({ done, total: open.size })
  }
}

/** The entry of a row whose record the service has. A row that could change several is held back. */
function findEntry(planning: Planning, { row, record }: Row): Entry | undefined {
  const { job, file, list } = planning
  const key = job.service.kind.key.request
  const entry = file.entries.get(keyOf(nameIn(record, key) ?? ''))
  if (entry?.row !== row || entry.left || file.invalidRows.has(row)) return undefined
  const { count, ids } = matchOf(list, keyOf(entry.name))
  const isThere = entry.state === 'created' || (entry.state === 'pending' && entry.attempt === 1)
  if (!isThere || count === 0) return undefined
  if (count === 1 && ids.length === 1) return entry
  if (job.service.change && entry.state === 'pending') {
    const message =
      count > 1
        ? `${entry.name} is on the service ${count} times (${ids.join(', ')}), and which of them is meant is not known`
        : `the list shows no id of ${entry.name}, so it cannot be changed`
    setChange(planning, entry, { state: 'held', issues: [{ path: key.join(', '), message }] })
  }
  return undefined
}

/** Compares a row with what the list shows of its record. */
function compareListed(planning: Planning, row: Row, there: Listed | undefined): Comparison {
  if (!there) return 'not shown'
  const { type, places, isSame } = planning
  let result: Comparison = 'equal'
  const empties = row.cleared && new Set(row.cleared.map(listOf))
  for (const [at, { path, segments, isKey, isShown }] of places.entries()) {
    const value = valueAt(row.record, segments)
    const has = there[at]
    const isFilled = value !== undefined && !isObject(value) && !isKey
    if (!isFilled && !empties?.has(path)) continue
    if (!isShown(has)) result = 'not shown'
    else if (type.lines?.path === path && !isSameLines(matchLines(type.lines, has, value))) return 'differs'
    else if (type.lines?.path === path || value === has) continue
    else if (isFilled && isMovedOn(type, path, value, has)) noteMoved(planning, row, path, value, has)
    else if (isFilled && isRewritten(type, path, value, has)) continue
    else if (isFilled && !isSame(path, has, laidOver(type, has, value, row))) return 'differs'
    else if (empties?.has(path) && !isSame(path, has, undefined)) return 'differs'
  }
  return result
}

/** A value of the list with that of a row on top: the lines of an address go to their places. */
function laidOver(type: RecordType, has: Json, value: Json, { original, places }: Row): Json {
  if (!Array.isArray(value)) return value
  return changesOf(type, [], { list: has }, { record: { list: value }, original, places }).after.list
}

/** Reads the record of a row, and compares the two. Returns what puts the result into the plan, when its turn comes. */
async function readAndCompare(planning: Planning, row: Row, entry: Entry): Promise<() => void> {
  const { job, list, type, unreturned } = planning
  const { change, kind } = job.service
  const [id = ''] = matchOf(list, keyOf(entry.name)).ids
  const whole = await readForChange(job, type, entry, id)
  const place = (issue: Issue) => inColumn(job.source, issue)
  if ('why' in whole) return () => setChange(planning, entry, { state: 'held', issues: [place(whole.why)] })
  const { body: before } = whole
  const wanted = changesOf(type, kind.key.request, before, row, job.missingLines)
  if (wanted.lines && !change)
    return isSameLines(wanted.lines) ? () => {} : () => holdLines(planning, entry, wanted.lines)
  for (const each of wanted.moved) noteMoved(planning, row, each.path, each.after, each.before)
  const emptied = (row.cleared ?? []).find((path) => unreturned.has(listOf(path)))
  if (emptied !== undefined) return () => holdUnseen(planning, row, emptied)
  // A field that is not returned is taken to be as an earlier run of this import set it.
  const noted = journalOf(planning, entry)
  const isAsSet = noted?.isSame && noted.state === 'applied'
  const open = isAsSet ? wanted.asked.filter(({ path }) => !unreturned.has(path)) : wanted.asked
  // What an earlier run of this import left beside its lines needs no second answer.
  const isOpen = wanted.lines && wanted.lines.missing.length > 0 && !job.missingLines && !isAsSet
  if (isOpen) return () => holdLines(planning, entry, wanted.lines)
  if (open.length === 0) return () => settleEqual(planning, entry)
  const isGiven = (path: string) => valueAt(wanted.after, path.split('.')) !== undefined
  const losses = (await change?.lossesOf(id, whole, isGiven)) ?? []
  const issues = [...masksLeft(type, before, wanted.asked), ...losses].map(place)
  return () => planChange(planning, { row, entry, before, issues, ...wanted })
}

/** Holds a row back whose record has other lines: what stands in the sheet is what is paid, and so is what does not. */
function holdLines({ job, type, ...planning }: Planning, entry: Entry, match: LineMatch | undefined): void {
  const { lines } = type
  if (!lines || !match) return
  const { nameRate } = job.source
  const message = `the service has other ${lines.path === 'rates' ? 'hours' : lines.path} for it: ${describeMatch(lines, match, { nameRate })}`
  const place = job.source.columnFor?.(`${lines.path}[0].${lines.amount}`)
  const issue = { path: `${lines.path}[0].${lines.amount}`, message, ...(place && { column: place.column }) }
  setChange({ job, type, ...planning }, entry, {
    state: 'held',
    issues: [issue],
    hasMissingLines: job.service.change !== undefined && match.missing.length > 0,
  })
}

/** Plans the change of one record, or holds its row back. */
function planChange(planning: Planning, changing: ChangingRow): void {
  const { job, type, salt, tally, findings } = planning
  const { row, entry, before, asked, issues } = changing
  const wrong = findOtherPerson(planning, row, before) ?? findLacking(planning, changing)
  if (wrong) {
    findings.held.push(remarkOf(row, wrong))
    return
  }
  const name = labelOf(type, before) ?? ''
  if (issues.length > 0) {
    setChange(planning, entry, { state: 'held', issues, name })
    return
  }
  const bankPaths = asked.flatMap(({ path }) => (isBankField(type, path) ? [path] : []))
  const { lines } = changing
  const isBank = bankPaths.length > 0
  tally.add({ row: row.row, reference: entry.name, name, asked, lines, isBank })
  const noted = journalOf(planning, entry)
  const wasSent = noted?.state === 'unknown'
  setChange(planning, entry, {
    state: wasSent ? 'unknown' : 'planned',
    // Each run sends it once more at most, when what was sent has arrived or never will. What an edited row said before is
    // waited for too.
    attempt: wasSent && noted.isSame ? 1 : 0,
    seen: digestOfRecord(type, before, salt),
    bankPaths,
    ...(wasSent && { sentAt: noted.at }),
  })
  for (const doubt of findDoubts(planning, changing))
    (job.strict ? findings.held : findings.doubts).push(remarkOf(row, doubt))
}

/** What is doubtful about a change: the record was changed since we set it, and the warnings that it adds. */
function findDoubts(planning: Planning, { row, entry, before, after, asked }: ChangingRow): RowIssue[] {
  const { job, type } = planning
  const isAsked = ({ path }: Issue) => asked.some((each) => within(path, each.path))
  const read = row.warnings.filter(isAsked)
  const added = addedWarnings(type, before, after, job.today)
    .filter(({ path }) => !read.some((each) => each.path === path))
    .map((issue) => inColumn(job.source, issue))
  const noted = journalOf(planning, entry)
  const wasOurs =
    (noted?.isSame && noted.state === 'applied') || (entry.state === 'created' && entry.edited === undefined)
  if (!wasOurs) return [...read, ...added]
  const changedSince = {
    path: job.service.kind.key.request.join(', '),
    message: `an earlier run of this import set it, and ${entry.name} was changed on the service since`,
    cause: 'changed on the service since an earlier run of this import set it',
  }
  return [changedSince, ...read, ...added]
}

/** To the eye an unreturned field is empty before and after, so it cannot be said that it was emptied. */
function holdUnseen({ job, type, findings }: Planning, row: Row, path: string): void {
  const name = path.slice(path.lastIndexOf('.') + 1)
  const message = `the service does not return ${headingFor(type, path)}, so an import cannot see whether it is empty: empty it with update --unset ${name}`
  findings.held.push(remarkOf(row, inColumn(job.source, { path, message })))
}

/** Two of forename, surname and date of birth differ: that is no correction, but somebody else. */
function findOtherPerson({ job, type }: Planning, { record }: Row, there: JsonObject): RowIssue | undefined {
  const { identityFields, key } = job.service.kind
  const fields = identityFields.map(([path]) => parsePath(path) ?? [])
  const differ = fields.filter((path) => isOther(valueAt(record, path), valueAt(there, path)))
  if (differ.length < 2) return undefined
  const [theirs, ours = 'another name'] = [labelOf(type, there), labelOf(type, record)]
  const message = `it is ${theirs} on the service, and the row says ${ours}: is the reference right?`
  return inColumn(job.source, { path: key.request.join(', '), message })
}

/** What a record has and may not be without, and the row empties. */
function findLacking({ job, type }: Planning, { before, after }: ChangingRow): RowIssue | undefined {
  if (job.incomplete) return undefined
  const lackedBefore = new Set(lackingFields(type, before).map(({ path }) => path))
  const lacking = lackingFields(type, after).find(({ path }) => !lackedBefore.has(path))
  if (!lacking) return undefined
  const message = `${lacking.message}; --incomplete would empty it`
  return inColumn(job.source, { path: lacking.path, message })
}

/** What the journal of an earlier run says of the change of a row; `isSame`: the row said then what it says now. */
function journalOf({ before }: Planning, entry: Entry) {
  const noted = before?.changes.get(keyOf(entry.name))
  return noted && { ...noted, isSame: noted.hash === (entry.edited ?? entry.hash) }
}

/** The record is as the row says: nothing is to be sent. */
function settleEqual(planning: Planning, entry: Entry): void {
  const noted = journalOf(planning, entry)
  // A row that this import created, and that still says the same, was created.
  if (entry.state === 'created' && entry.edited === undefined && !noted) return
  // The request of a run that was killed arrived.
  const isEarlier = noted?.isSame === true && (noted.state === 'applied' || noted.state === 'unknown')
  const state = isEarlier ? 'applied' : 'equal'
  setChange(planning, entry, { state, isEarlier, attempt: noted?.attempt ?? 0 })
}

/** Gives the entry of a row its change. */
function setChange({ list }: Planning, entry: Entry, more: Partial<RowChange>): void {
  const [id = ''] = matchOf(list, keyOf(entry.name)).ids
  const base = { id, state: 'planned', attempt: 0, seen: undefined } as const
  entry.change = { ...base, bankPaths: [], isEarlier: false, issues: [], ...more }
}

function noteMoved({ type, moved }: Planning, { row }: Row, path: string, said: Json, stored: Json): void {
  const message = `${headingFor(type, path)}: the service has made ${stored} of ${said} by itself, and it is left so`
  moved.set(message, (moved.get(message) ?? new Set()).add(row))
}

const within = (path: string, section: string) =>
  path === section || path.startsWith(`${section}.`) || path.startsWith(`${section}[`)

/** The fields that any row fills, by name; those of a section under its name. */
interface FilledFields {
  readonly leaves: Set<string>
  readonly sections: Map<string, FilledFields>
}

const noFields = (): FilledFields => ({ leaves: new Set(), sections: new Map() })

/** Rows mostly fill the same fields: to put each path together again for every row would take longer than to read it. */
function noteFields(record: JsonObject, { leaves, sections }: FilledFields): void {
  for (const name of Object.keys(record)) {
    const value = record[name]
    if (!isObject(value)) {
      leaves.add(name)
      continue
    }
    const section = sections.get(name) ?? noFields()
    sections.set(name, section)
    noteFields(value, section)
  }
}

const pathsOf = (
  { leaves, sections }: FilledFields,
  above: readonly string[] = [],
): (readonly string[])[] => [
  ...[...leaves].map((name) => [...above, name]),
  ...[...sections].flatMap(([name, section]) => pathsOf(section, [...above, name])),
]

/** `address` of `address[2]`: a list is compared as a whole. */
const listOf = (path: string) => path.replace(/\[\d+\]$/, '')

/** A mask shows nothing, and what is missing may be there. null says that there is none. */
function shownBy({ fields }: RecordType, segments: readonly string[]): (value: Json) => boolean {
  const name = segments.at(-1) ?? ''
  const { standard } = declaredAt(fields, segments) ?? {}
  return (value) => value !== undefined && !isMask({ name, standard }, value)
}

/** Reads a field of a request in an item of a list, in the form of the request. */
function readerOf(type: RecordType, segments: readonly string[]): (item: Json) => Json {
  const mapping = mappingOf(type)
  const answered = mapping ? answerPlace(mapping, segments) : segments
  const field = declaredAt(type.fields, segments)
  const convert = field && conversionTo(field, mapping && responseFieldAt(mapping, segments))
  return (item) => {
    const there = valueAt(item, answered)
    const value = there === undefined ? valueAt(item, segments) : there
    if (value === undefined || value === null) return value
    return withoutNulls(convert ? convert(value) : value)
  }
}

/** What would go back to the service as the mask that it showed, although the row does not give it. */
function masksLeft(type: RecordType, body: JsonObject, asked: readonly Difference[]): Issue[] {
  return maskedFields(type, body)
    .filter((path) => !asked.some((each) => within(path, each.path)))
    .map((path) => ({ path, message: 'the service shows a mask in its place, and would be sent that mask' }))
}

/**
 * Reads the record that a row changes; or why it cannot be changed. Throws a Failure that is not about this record alone.
 */
export async function readForChange(
  { service }: Pick<ImportJob, 'service'>,
  type: RecordType,
  entry: Entry,
  id: string,
): Promise<WholeRecord | { readonly why: Issue }> {
  const { client, kind, change } = service
  const path = kind.key.request.join(', ')
  const held = (message: string) => ({ why: { path, message } })
  const reads = change?.reads ?? service.reads
  if (!reads) throw new TypeError('nothing may be changed')
  try {
    const whole = await readWholeRecord(client, reads, type, {
      parameters: { id },
      unambiguous: true,
    })
    const [misfit] = whole.misfits
    if (misfit) {
      return held(
        `the service answered ${entry.name} in a form that cannot be sent back without losing part of it (${misfit.path || 'the record'}: ${misfit.message})`,
      )
    }
    const values = keyValues(whole.record, kind.key)
    const name = nameOf(partsFrom(values))
    // `0003` is the number 3 for some services.
    const plain = (text: string) => (hasNumber(values) ? asNumbers(keyOf(text)) : keyOf(text))
    if (name !== undefined && plain(name) !== plain(entry.name)) {
      return held(`in the list ${entry.name} is ${id}, but the service answered ${name} for ${id}`)
    }
    return whole
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-found') throw error
    return held(`the list shows ${entry.name} as ${id}, but the service has no such record`)
  }
}

const bankNotAsked = 'bank details change only with --bank, so the whole row is held back'

/** Holds back the rows that change bank details, whole: nobody said that these may be changed. */
export function holdBankChanges(
  source: RowSource,
  {
    file,
    changes,
  }: {
    readonly file: FilePlan
    readonly changes: ChangePlan
  },
): void {
  if (changes.bankRecords === 0) return
  for (const { change } of file.entries.values()) {
    if (!change || change.bankPaths.length === 0) continue
    if (change.state !== 'planned' && change.state !== 'unknown') continue
    change.state = 'held'
    const places = change.bankPaths.map((path) => source.columnFor?.(path))
    const inOrder = places.flatMap((each) => each ?? []).sort((one, other) => one.column - other.column)
    const columns = wordList(
      inOrder.map(({ place }) => place.replace(/^column /, '')),
      'and',
    )
    const where = columns && `column${inOrder.length > 1 ? 's' : ''} ${columns}: `
    // The same for each of them: a row is one line of an error.
    change.issues = change.bankPaths.map((path, at) => {
      const column = places[at]?.column
      const message = where + bankNotAsked
      return { path, message, cause: bankNotAsked, ...(column !== undefined && { column }) }
    })
  }
}
