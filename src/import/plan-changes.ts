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
import { isObject, type Json, type JsonObject, valueAt } from '../json/path.ts'
import type { RowSource } from '../table/open-source.ts'
import { type Row, type RowIssue, rowList } from '../table/row.ts'
import { inColumn } from '../table/row-source.ts'
import { headingFor } from '../values/read-heading.ts'
import { createChangeTally, type PlannedChanges } from './change-tally.ts'
import { type Entry, hashInFile, hold, isToChange } from './entry.ts'
import { type Finding, remarkOf } from './findings.ts'
import type { Guard, World } from './guards.ts'
import type { ImportJob } from './job.ts'
import { describeMatch, isSameLines, type LineMatch, matchLines } from './lines.ts'
import { asNumbers, hasNumber, keyOf, keyValues, nameOf, partsFrom } from './natural-key.ts'
import { changesOf, digestOfRecord, isBankField, type RecordChange } from './row-change.ts'
import { matchOf, type Scan } from './scan.ts'
import { changedNoun } from './service.ts'
import { isOther } from './similar-records.ts'

/** Compares the rows of a file with the records that the service has under their keys. */
interface ChangeGuard extends Guard {
  /** What the rows change, once the findings were made. */
  readonly planned: () => ChangePlan
}

/** What the rows of a file change of records that exist. */
export interface ChangePlan extends PlannedChanges {
  /** How many records differ from their row, where none may be changed. */
  readonly differing: number
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
interface Planning {
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
  readonly world: World & { readonly list: Scan }
  readonly found: Finding[]
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
export const noChanges: ChangePlan = { ...createChangeTally(undefined).end(), differing: 0 }

/**
 * For every row of a file it says what that row changes, and gives its entry the change. Reads each record of which the list
 * does not show that it is as its row says. Keeps of the list only what the rows have columns for.
 */
export function guardChanges(job: ImportJob): ChangeGuard {
  const { kind, change, create, reads } = job.service
  const type = (change?.update ?? create).requestRecord
  const filled = noFields()
  const cleared = new Set<string>()
  const listed = new Map<string, Listed>()
  /** Records that are being read, and what puts each into the plan: in the order of the file, however the answers come. */
  const reading: Promise<() => void>[] = []
  let places: readonly FieldPlace[] | undefined
  let planning: Planning | undefined
  let [differing, done, total] = [0, 0, 0]

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
    asksAgain({ list, ...world }) {
      if (!type || !list) return undefined
      const about = { nameRate: job.source.nameRate, kept: job.missingLines }
      planning = {
        job,
        type,
        places: places ?? [],
        listed,
        isSame: valueComparer(type),
        unreturned: new Set(unreturnedFields(type)),
        tally: createChangeTally(type, changedNoun(kind), job.keepsChanges, about),
        world: { ...world, list },
        found: [],
        moved: new Map(),
      }
      const { entries } = world
      const mayDiffer = (entry: Entry) =>
        entry.existing > 0 || (change !== undefined && entry.state === 'done')
      total = [...entries.values()].filter(mayDiffer).length
      return total === 0 ? undefined : mayDiffer
    },
    async onRowAgain(row, entry) {
      if (!planning || !isOfOne(planning, entry)) return
      // What this import created itself is known.
      if (!change && entry.state !== 'ready') return
      const seen = compareListed(planning, row, listed.get(keyOf(entry.name)))
      if (seen === 'differs') differing += 1
      if (seen === 'equal') {
        if (change) settleEqual(planning, entry)
      } else if (change || (type?.lines && reads)) {
        const next = readAndCompare(planning, row, entry)
        // It is thrown when its turn comes.
        next.catch(() => {})
        reading.push(next)
        if (reading.length >= job.concurrency) return planNext()
      }
      if (change) noteProgress()
    },
    async findings() {
      if (!planning) return []
      while (reading.length > 0) await planNext()
      const { found, moved, tally } = planning
      const about = { row: 0, path: '' }
      const severity = job.strict ? 'wrong' : 'doubt'
      return [
        ...found,
        // They are about the file, and not about the row that comes first.
        ...tally.end().shapes.map((each) => ({ ...each, ...(!job.strict && about), severity }) as const),
        ...[...moved].map(
          ([what, rows]) =>
            ({ ...about, severity: 'note', message: `${what}: ${rowList([...rows])}` }) as const,
        ),
      ]
    },
    planned: () =>
      planning && change ? { ...planning.tally.end(), differing: 0 } : { ...noChanges, differing },
  }

  async function planNext(): Promise<void> {
    const plan = await reading.shift()
    plan?.()
    noteProgress()
  }

  function noteProgress(): void {
    done += 1
    job.onPlanning?.({ done: Math.min(done, total), total })
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

/** Whether the service has one record of the row. A row that could change several is held back. */
function isOfOne({ job, world }: Planning, entry: Entry): boolean {
  const { count, ids } = matchOf(world.list, keyOf(entry.name))
  const isThere = entry.state === 'done' || (entry.state === 'ready' && entry.attempt === 1)
  if (entry.left || !isThere || count === 0) return false
  if (count === 1 && ids.length === 1) return true
  if (job.service.change && entry.state === 'ready') {
    const message =
      count > 1
        ? `${entry.name} is on the service ${count} times (${ids.join(', ')}), and which of them is meant is not known`
        : `the list shows no id of ${entry.name}, so it cannot be changed`
    hold(entry, [{ path: job.service.kind.key.request.join(', '), message }])
    entry.writes = 'change'
  }
  return false
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
  const { job, world, type, unreturned } = planning
  const { change, kind } = job.service
  const [id = ''] = matchOf(world.list, keyOf(entry.name)).ids
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
  const isAsSet = noted?.isSame && noted.state === 'done'
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
function holdLines(planning: Planning, entry: Entry, match: LineMatch | undefined): void {
  const { job, type } = planning
  const { lines } = type
  if (!lines || !match) return
  const { nameRate } = job.source
  const message = `the service has other ${lines.path === 'rates' ? 'hours' : lines.path} for it: ${describeMatch(lines, match, { nameRate })}`
  const path = `${lines.path}[0].${lines.amount}`
  const column = job.source.columnFor?.(path)?.column
  const hasMissingLines = job.service.change !== undefined && match.missing.length > 0
  const issues = [{ path, message, ...(column !== undefined && { column }) }]
  setChange(planning, entry, { state: 'held', issues, hasMissingLines })
}

/** Plans the change of one record, or holds its row back. */
function planChange(planning: Planning, changing: ChangingRow): void {
  const { job, type, world, tally, found } = planning
  const { row, entry, before, asked, issues, lines } = changing
  const wrong = findOtherPerson(planning, row, before) ?? findLacking(planning, changing)
  if (wrong) {
    found.push({ ...remarkOf(row, wrong), severity: 'wrong' })
    return
  }
  const person = labelOf(type, before) ?? ''
  const bankPaths = asked.flatMap(({ path }) => (isBankField(type, path) ? [path] : []))
  const isBank = bankPaths.length > 0
  const other = isBank ? findOtherName(planning, row, before) : undefined
  if (other || issues.length > 0) {
    setChange(planning, entry, { state: 'held', issues: [...(other ? [other] : []), ...issues], person })
    return
  }
  tally.add({ row: row.row, reference: entry.name, name: person, asked, lines, isBank })
  const noted = journalOf(planning, entry)
  const wasSent = noted?.state === 'doubt'
  setChange(planning, entry, {
    state: wasSent ? 'doubt' : 'ready',
    // Each run sends it once more at most, when what was sent has arrived or never will. What an edited row said before is
    // waited for too.
    attempt: wasSent && !noted.isSame ? 0 : 1,
    seen: digestOfRecord(type, before, world.salt),
    bankPaths,
    person,
    ...(wasSent && { sentAt: noted.at }),
  })
  const severity = job.strict ? 'wrong' : 'doubt'
  for (const doubt of findDoubts(planning, changing)) found.push({ ...remarkOf(row, doubt), severity })
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
    (noted?.isSame && noted.state === 'done') ||
    (planning.world.before?.rows.get(keyOf(entry.name))?.creation?.state === 'done' &&
      entry.edited === undefined)
  if (!wasOurs) return [...read, ...added]
  const changedSince = {
    path: job.service.kind.key.request.join(', '),
    message: `an earlier run of this import set it, and ${entry.name} was changed on the service since`,
    cause: 'changed on the service since an earlier run of this import set it',
  }
  return [changedSince, ...read, ...added]
}

/** To the eye an unreturned field is empty before and after, so it cannot be said that it was emptied. */
function holdUnseen({ job, type, found }: Planning, row: Row, path: string): void {
  const name = path.slice(path.lastIndexOf('.') + 1)
  const message = `the service does not return ${headingFor(type, path)}, so an import cannot see whether it is empty: empty it with update --unset ${name}`
  found.push({ ...remarkOf(row, inColumn(job.source, { path, message })), severity: 'wrong' })
}

/** Two of forename, surname and date of birth differ: that is no correction, but somebody else. */
function findOtherPerson(planning: Planning, row: Row, there: JsonObject): RowIssue | undefined {
  const { identityFields } = planning.job.service.kind
  const differ = identityFields.filter((field) => differsIn(field, row, there))
  return differ.length < 2 ? undefined : otherPerson(planning, row, there, '')
}

/** With other bank details one other name is enough: the pay would go to the person of the row. */
function findOtherName(planning: Planning, row: Row, there: JsonObject): RowIssue | undefined {
  const [forename, surname] = planning.job.service.kind.identityFields
  const isOtherName = [forename, surname].some((field) => field && differsIn(field, row, there))
  const rest = ' If it is, change the name first and the bank details after it'
  return isOtherName ? otherPerson(planning, row, there, `, with other bank details`, rest) : undefined
}

const differsIn = ([path]: readonly [string, string], { record }: Row, there: JsonObject) =>
  isOther(valueAt(record, path.split('.')), valueAt(there, path.split('.')))

function otherPerson({ job, type }: Planning, { record }: Row, there: JsonObject, beside: string, rest = '') {
  const [theirs, ours = 'another name'] = [labelOf(type, there), labelOf(type, record)]
  const message = `it is ${theirs} on the service, and the row says ${ours}${beside}: is the reference right?${rest}`
  const cause = `it is another name on the service than in the row${beside}: is the reference right?`
  return {
    ...inColumn(job.source, { path: job.service.kind.key.request.join(', '), message }),
    ...(beside && { cause }),
  }
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
function journalOf({ world }: Planning, entry: Entry) {
  const noted = world.before?.rows.get(keyOf(entry.name))?.change
  return noted && { ...noted, isSame: noted.hash === hashInFile(entry) }
}

/** The record is as the row says: nothing is to be sent. */
function settleEqual(planning: Planning, entry: Entry): void {
  const noted = journalOf(planning, entry)
  // A row that this import created, and that still says the same, was created.
  if (entry.state === 'done' && entry.edited === undefined && !noted) return
  // The request of a run that was killed arrived.
  const isEarlier = noted?.isSame === true && (noted.state === 'done' || noted.state === 'doubt')
  setChange(planning, entry, { state: isEarlier ? 'done' : 'equal', isEarlier, attempt: noted?.attempt ?? 0 })
}

/** Makes the entry of a row one that changes its record. */
function setChange({ world, job }: Planning, entry: Entry, more: Partial<Entry>): void {
  const { count, ids } = matchOf(world.list, keyOf(entry.name))
  const writes = job.service.change ? 'change' : entry.writes
  Object.assign(entry, {
    writes,
    id: ids[0],
    existing: count,
    isEarlier: false,
    attempt: 1,
    issues: [],
    ...more,
  })
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
export function holdBankChanges(source: RowSource, entries: Iterable<Entry>): void {
  for (const entry of entries) {
    const { bankPaths = [] } = entry
    if (bankPaths.length === 0 || !isToChange(entry)) continue
    const places = bankPaths.map((path) => source.columnFor?.(path))
    const inOrder = places.flatMap((each) => each ?? []).sort((one, other) => one.column - other.column)
    const columns = wordList(
      inOrder.map(({ place }) => place.replace(/^column /, '')),
      'and',
    )
    const where = columns && `column${inOrder.length > 1 ? 's' : ''} ${columns}: `
    // The same for each of them: a row is one line of an error.
    const issues = bankPaths.map((path, at) => {
      const column = places[at]?.column
      const message = where + bankNotAsked
      return { path, message, cause: bankNotAsked, way: '--bank', ...(column !== undefined && { column }) }
    })
    hold(entry, issues)
  }
}
