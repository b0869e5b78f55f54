import { type Difference, isMovedOn, valueComparer } from '../api/contract/mapping/compare-stored.ts'
import { answerPlace, mappingOf } from '../api/contract/mapping/field-mapping.ts'
import {
  conversionTo,
  declaredAt,
  responseFieldAt,
  withoutNulls,
} from '../api/contract/mapping/map-record.ts'
import { labelOf } from '../api/contract/mapping/record-name.ts'
import { isMask, maskedFields } from '../api/contract/mapping/service-masks.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { addedWarnings } from '../api/contract/standards/warnings.ts'
import { readWholeRecord, type WholeRecord } from '../api/whole-record.ts'
import { Failure, type Issue } from '../errors.ts'
import { wordList } from '../formats/words.ts'
import { isObject, type Json, type JsonObject, parsePath, valueAt } from '../json/path.ts'
import type { RowSource } from '../table/open-source.ts'
import { type Row, type RowIssue, rowList } from '../table/row.ts'
import { headingFor } from '../values/read-heading.ts'
import { createChangeTally, type PlannedChanges } from './change-tally.ts'
import type { ImportJob } from './job.ts'
import type { Entry } from './ledger.ts'
import { asNumbers, hasNumber, keyOf, keyValues, nameIn, nameOf, partsFrom } from './natural-key.ts'
import type { FilePlan, Findings } from './plan.ts'
import { type Remark, remarkOf } from './remarks.ts'
import type { Replay } from './replay.ts'
import { changesOf, digestOfRecord, isBankField } from './row-change.ts'
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
  readonly find: (plan: Found) => Promise<ChangePlan>
}

interface Found {
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

/** A field that rows fill, and its place in what is kept of the list. */
interface FieldPlace {
  readonly path: string
  readonly segments: readonly string[]
  readonly isKey: boolean
  /** What is there, in an item of the list, in the form of the request. */
  readonly read: (item: Json) => Json
  readonly isShown: (value: Json) => boolean
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
  const { source, service, concurrency } = job
  const { kind, change, create } = service
  const type = (change?.update ?? create).requestRecord
  const key = kind.key.request
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
      places ??= placesOf(type)
      listed.set(
        known,
        places.map(({ read }) => read(item)),
      )
    },
    find,
  }

  /** The fields that a row fills or empties. */
  function placesOf(type: RecordType): FieldPlace[] {
    const all = new Map(pathsOf(filled).map((segments) => [segments.join('.'), segments]))
    for (const path of cleared) if (!all.has(path)) all.set(path, path.split('.'))
    return [...all].map(([path, segments]) => ({
      path,
      segments,
      isKey: key.includes(path),
      read: readerOf(type, segments),
      isShown: shownBy(type, segments),
    }))
  }

  async function find(found: Found): Promise<ChangePlan> {
    return type ? planChanges(type, found) : noChanges
  }

  async function planChanges(type: RecordType, { file, list, salt, before }: Found): Promise<ChangePlan> {
    const tally = createChangeTally(type, changedNoun(kind), job.keepsChanges)
    const findings = { held: [] as Remark[], doubts: [] as Remark[] }
    const mayDiffer = ({ existingCount, state }: Entry) =>
      existingCount > 0 || (change !== undefined && state === 'created')
    if (![...file.entries.values()].some(mayDiffer)) return noChanges
    const isSame = valueComparer(type)
    const open = new Set<number>()
    /** The rows that say what the service has moved on from, by the sentence about it. */
    const moved = new Map<string, Set<number>>()
    let differing = 0
    for await (const row of source.rows(file.digests)) {
      const entry = entryOf(row)
      if (!entry) continue
      const seen = compare(row, listed.get(keyOf(entry.name)))
      if (seen === 'differs') differing += 1
      if (!change || seen !== 'equal') open.add(row.row)
      else settleEqual(entry)
    }
    if (!change) return { ...noChanges, differing }
    let done = 0
    const window: Promise<() => void>[] = []
    for await (const row of open.size === 0 ? [] : source.rows(file.digests)) {
      const entry = open.has(row.row) ? entryOf(row) : undefined
      if (!entry) continue
      const looking = look(row, entry)
      // It is thrown when its turn comes.
      looking.catch(() => {})
      window.push(looking)
      if (window.length >= concurrency) await settle()
    }
    while (window.length > 0) await settle()
    const notes = [...moved].map(([message, rows]) => ({
      row: 0,
      path: '',
      message: `${message}: ${rowList([...rows])}`,
    }))
    return { ...tally.end(), differing: 0, findings, notes }

    function noteMoved({ row }: Row, path: string, said: Json, stored: Json): void {
      const message = `${headingFor(type, path)}: the service has made ${stored} of ${said} by itself, and it is left so`
      moved.set(message, (moved.get(message) ?? new Set()).add(row))
    }

    /** In the order of the file, however the answers come. */
    async function settle(): Promise<void> {
      const note = await window.shift()
      note?.()
      done += 1
      job.onPlanning?.({ done, total: open.size })
    }

    function entryOf({ row, record }: Row): Entry | undefined {
      const entry = file.entries.get(keyOf(nameIn(record, key) ?? ''))
      if (entry?.row !== row || entry.left || file.invalidRows.has(row)) return undefined
      const { count, ids } = matchOf(list, keyOf(entry.name))
      const isThere = entry.state === 'created' || (entry.state === 'pending' && entry.attempt === 1)
      if (!isThere || count === 0) return undefined
      if (count === 1 && ids.length === 1) return entry
      if (change && entry.state === 'pending') {
        const message =
          count > 1
            ? `${entry.name} is on the service ${count} times (${ids.join(', ')}), and which of them is meant is not known`
            : `the list shows no id of ${entry.name}, so it cannot be changed`
        hold(entry, [{ path: key.join(', '), message }])
      }
      return undefined
    }

    function journalOf(entry: Entry) {
      const noted = before?.changes.get(keyOf(entry.name))
      return noted && { ...noted, isSame: noted.hash === (entry.edited ?? entry.hash) }
    }

    function settleEqual(entry: Entry): void {
      const noted = journalOf(entry)
      // A row that this import created, and that still says the same, was created.
      if (entry.state === 'created' && entry.edited === undefined && !noted) return
      // The request of a run that was killed arrived.
      const isEarlier = noted?.isSame === true && (noted.state === 'applied' || noted.state === 'unknown')
      put(entry, { state: isEarlier ? 'applied' : 'equal', isEarlier, attempt: noted?.attempt ?? 0 })
    }

    function put(entry: Entry, more: Partial<NonNullable<Entry['change']>>): NonNullable<Entry['change']> {
      const [id = ''] = matchOf(list, keyOf(entry.name)).ids
      const base = { id, state: 'planned', attempt: 0, seen: undefined } as const
      entry.change = { ...base, bankPaths: [], isEarlier: false, issues: [], ...more }
      return entry.change
    }

    function hold(entry: Entry, issues: readonly RowIssue[]): void {
      put(entry, { state: 'held', issues })
    }

    /** Reads the record, and returns what notes in the plan what the row makes of it. */
    async function look(row: Row, entry: Entry): Promise<() => void> {
      const [id = ''] = matchOf(list, keyOf(entry.name)).ids
      const whole = await readForChange(job, type, entry, id)
      if ('why' in whole) return () => hold(entry, [inColumn(whole.why)])
      const { body } = whole
      const { after, asked, moved } = changesOf(type, key, body, row)
      for (const each of moved) noteMoved(row, each.path, each.after, each.before)
      const noted = journalOf(entry)
      if (asked.length === 0) return () => settleEqual(entry)
      const isGiven = (path: string) => valueAt(after, path.split('.')) !== undefined
      const issues = [
        ...masksLeft(type, body, asked),
        ...((await change?.lossesOf(id, whole, isGiven)) ?? []),
      ]
      const seen = digestOfRecord(type, body, salt)
      const bankPaths = asked.flatMap(({ path }) => (isBankField(type, path) ? [path] : []))
      return () => {
        const other = otherPerson(row.record, body)
        if (other) {
          findings.held.push(remarkOf(row, inColumn({ path: key.join(', '), message: other })))
          return
        }
        if (issues.length > 0) return hold(entry, issues.map(inColumn))
        const name = labelOf(type, body) ?? ''
        tally.add({ row: row.row, reference: entry.name, name, asked, isBank: bankPaths.length > 0 })
        const wasSent = noted?.state === 'unknown'
        put(entry, {
          state: wasSent ? 'unknown' : 'planned',
          // Each run sends it once more at most, when what was sent has arrived or never will. What an edited row said before is
          // waited for too.
          attempt: wasSent && noted.isSame ? 1 : 0,
          seen,
          bankPaths,
          ...(wasSent && { sentAt: noted.at }),
        })
        for (const doubt of doubtsOf(row, entry, body, after, asked)) {
          ;(job.strict ? findings.held : findings.doubts).push(remarkOf(row, doubt))
        }
      }
    }

    function doubtsOf(
      row: Row,
      entry: Entry,
      body: JsonObject,
      after: JsonObject,
      asked: readonly Difference[],
    ): RowIssue[] {
      const isAsked = ({ path }: Issue) => asked.some((each) => within(path, each.path))
      const read = row.warnings.filter(isAsked)
      const added = addedWarnings(type, body, after, job.today)
        .filter(({ path }) => !read.some((each) => each.path === path))
        .map(inColumn)
      const noted = journalOf(entry)
      const wasOurs =
        (noted?.isSame && noted.state === 'applied') ||
        (entry.state === 'created' && entry.edited === undefined)
      const since = `an earlier run of this import set it, and ${entry.name} was changed on the service since`
      const changedSince = wasOurs
        ? [
            {
              path: key.join(', '),
              message: since,
              cause: 'changed on the service since an earlier run of this import set it',
            },
          ]
        : []
      return [...changedSince, ...read, ...added]
    }

    /** Two of forename, surname and date of birth differ: that is no correction, but somebody else. */
    function otherPerson(record: JsonObject, body: JsonObject): string | undefined {
      const fields = kind.identityFields.map(([path]) => parsePath(path) ?? [])
      const differ = fields.filter((path) => isOther(valueAt(record, path), valueAt(body, path)))
      if (differ.length < 2) return undefined
      const theirs = labelOf(type, body)
      return `it is ${theirs} on the service, and the row says ${labelOf(type, record) ?? 'another name'}: is the reference right?`
    }

    function compare(row: Row, there: Listed | undefined): 'equal' | 'differs' | 'not shown' {
      if (!there) return 'not shown'
      let result: 'equal' | 'not shown' = 'equal'
      const empties = row.cleared && new Set(row.cleared.map(listOf))
      for (const [at, { path, segments, isKey, isShown }] of (places ?? []).entries()) {
        const value = valueAt(row.record, segments)
        const has = there[at]
        const isFilled = value !== undefined && !isObject(value) && !isKey
        if (!isFilled && !empties?.has(path)) continue
        if (!isShown(has)) result = 'not shown'
        else if (value === has) continue
        else if (isFilled && isMovedOn(type, path, value, has)) noteMoved(row, path, value, has)
        else if (isFilled && !isSame(path, has, laidOver(has, value, row))) return 'differs'
        else if (empties?.has(path) && !isSame(path, has, undefined)) return 'differs'
      }
      return result
    }

    function laidOver(has: Json, value: Json, row: Row): Json {
      if (!Array.isArray(value)) return value
      const { original, places } = row
      const said = { record: { list: value }, original, places }
      const { after } = changesOf(type, [], { list: has }, said)
      return after.list
    }

    function inColumn<T extends Issue>(issue: T): T & RowIssue {
      const place = source.columnFor?.(issue.path)
      return place ? { ...issue, message: `${place.place}: ${issue.message}`, column: place.column } : issue
    }
  }
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
  { service: { client, kind, change } }: Pick<ImportJob, 'service'>,
  type: RecordType,
  entry: Entry,
  id: string,
): Promise<WholeRecord | { readonly why: Issue }> {
  const path = kind.key.request.join(', ')
  const held = (message: string) => ({ why: { path, message } })
  if (!change) throw new TypeError('nothing may be changed')
  try {
    const whole = await readWholeRecord(client, change.reads, type, {
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
