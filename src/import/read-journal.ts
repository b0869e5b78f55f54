import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, systemCode, usage } from '../errors.ts'
import type { JsonObject } from '../files/json/path.ts'
import { newerFormat } from '../files/local/newer-format.ts'
import { refuseForeign } from '../files/local/private-directory.ts'
import { parsedAs } from '../files/local/private-json.ts'
import { matchingShape } from '../files/table/column-map.ts'
import { saltedDigest } from '../files/table/fingerprint.ts'
import type { Matching } from '../files/table/row-source.ts'
import { keyOf } from '../model/natural-key.ts'
import {
  type AnswerDetails,
  type ImportEntry,
  type LeftRow,
  type ListedCount,
  mostRequestsOfRow,
  type Standing,
  type State,
  type Try,
  triesAfter,
} from './entry.ts'
import type { Journals } from './job.ts'
import { matchOf, type Scan } from './scan.ts'
import { decodeLine, type Header, headerShape, journalVersion } from './write-journal.ts'

/** The words of a journal for the states of a row. A new one that is held back is not written: nothing was sent. */
const words: Readonly<Record<ImportEntry['writes'], Readonly<Partial<Record<State, string>>>>> = {
  create: {
    ready: 'pending',
    sending: 'intent',
    done: 'created',
    refused: 'refused',
    unclear: 'ambiguous',
    unresolved: 'unresolved',
    conflict: 'conflict',
    duplicate: 'duplicate',
  },
  change: {
    ready: 'planned',
    sending: 'sending',
    done: 'applied',
    equal: 'equal',
    refused: 'refused',
    held: 'held',
    unresolved: 'unknown',
    // Behind the other state of this word, which is read as this one.
    unclear: 'unknown',
  },
}

const statesByWord = (writes: ImportEntry['writes']) =>
  new Map(Object.entries(words[writes]).map(([state, word]) => [word, state as State]))

const stateOf = { create: statesByWord('create'), change: statesByWord('change') }

/**
 * The journal line of a row that creates a record. It holds no value of any field. Its `attempt` is the
 * number of the next request where the row is to be sent, else of the last one.
 */
export function createLine(
  { reference, hash }: Pick<ImportEntry, 'reference' | 'hash'>,
  { state, requests }: Standing,
  { http, id, via }: Pick<AnswerDetails, 'http' | 'id' | 'via'>,
): JsonObject {
  const word = words.create[state]
  if (word === undefined) throw new TypeError(`no journal has a new row that is ${state}`)
  const attempt = requests + beforeNext(state)
  return { key: reference, hash, state: word, attempt, http, id, via }
}

/** How much the `attempt` of a creation is ahead of its requests. */
const beforeNext = (state: State) => (state === 'ready' ? 1 : 0)

/** The journal line of a row that changes a record. Its `attempt` counts the requests that may have arrived. */
export function changeLine(
  { reference, hash }: Pick<ImportEntry, 'reference' | 'hash'>,
  { state, requests }: Standing,
): JsonObject {
  return { run: 'change', of: reference, hash, state: words.change[state], attempt: requests }
}

/** Says that the list showed a row that had just been created. */
export interface ListedRow {
  /** The key of the row, as a person reads it. */
  readonly reference: string
  /** How long after it was created, in milliseconds. */
  readonly afterMs: number
  /** The service's id of the record, if the list shows one. */
  readonly id?: string | undefined
}

/** Such a row as a line of a journal. */
export const listedRowLine = ({ reference, ...shown }: ListedRow): JsonObject => ({
  run: 'shown',
  of: reference,
  ...shown,
})

/**
 * The journal line for a row that a person left. It has no `key`, so that an older version of payroll skips
 * it and keeps the row unclear.
 */
export const leftRowLine = (reference: string, by: string): JsonObject => ({ run: 'left', of: reference, by })

/**
 * The journal line for a row that has a name in place of a reference: whose it is, only the service and a
 * person could tell. `digest`: that of the row.
 */
export const namedRowLine = (digest: string, reference: string, salt: string): JsonObject => ({
  run: 'named',
  row: namedRowHash(digest, salt),
  person: reference,
})

/** Finds the reference of a row that has a name in its place, by the digest of the row. */
export const nameFinder =
  ({ named, header }: Pick<JournalState, 'named' | 'header'>) =>
  (digest: string): string | undefined =>
    header && named.get(namedRowHash(digest, header.salt))

const namedRowHash = (digest: string, salt: string) => saltedDigest({ digest }, salt)

/** Such a count as a line of a journal. */
export const listedCountLine = (reference: string, count: ListedCount): JsonObject => ({
  run: 'found',
  of: reference,
  ...count,
})

/** The state of a row after the last line about it. One that was about to be sent is unclear: it may have been. */
export interface JournalledState extends Standing {
  readonly hash: string
  /** When it came to be in this state, in milliseconds since 1970. */
  readonly at?: number | undefined
}

/** The creation of a record, by the journal. */
export interface JournalledCreation extends JournalledState {
  readonly id?: string | undefined
  readonly tries: readonly Try[]
}

/** All that a journal says about one row. */
export interface JournalledRow {
  /** The key as a person reads it. */
  readonly reference: string
  creation?: JournalledCreation | undefined
  change?: JournalledState | undefined
  /** What the last list showed for the row, and when, in milliseconds since 1970. */
  listed?: (ListedCount & { readonly at: number }) | undefined
  /** Set where a person decided to leave the row as it is. */
  left?: LeftRow | undefined
}

/** Only this many ids are kept of a journal: enough to recognise a service. */
const mostIds = 50

const emptyJournal = (path: string) => ({
  path,
  /** Undefined if not even the first line is complete. */
  header: undefined as Header | undefined,
  /** Where the next line goes, in bytes: every line before it is complete. 0 for the journal of another file. */
  end: 0,
  /** How many lines it has. 0 for the journal of another file. */
  seq: 0,
  /** Whether a crash cut off a line, which then follows `end`. */
  torn: false,
  /** By key. Of the journal of another file, only the creations of the rows that were asked for. */
  rows: new Map<string, JournalledRow>(),
  /** By key as a person reads it: the ids of some records that the import created or found. They identify the service. */
  ids: new Map<string, string>(),
  /** The runs of this import, as a shared journal knows them. */
  owners: new Set<string>(),
  /** By the fingerprint of a row that has a name in place of a reference: that reference. */
  named: new Map<string, string>(),
  /** How the last run read the file, where the file does not say it itself. */
  matching: undefined as Matching | undefined,
  /** The last time that a list showed a row that had just been created. */
  shown: undefined as ListedRow | undefined,
})

type OpenJournal = ReturnType<typeof emptyJournal>

/** An import, as its journal tells it from its first line to the last one that is complete. */
export type JournalState = Readonly<OpenJournal>

/**
 * Reads the journal of the imported file; undefined where there is none. An incomplete last line is skipped,
 * because a crash leaves one. Throws exit 1 for any other damaged line, which may be about a person.
 */
export async function readJournal(path: string): Promise<JournalState | undefined> {
  const journal = emptyJournal(path)
  const exists = await eachLine(path, (line, isWhole) => {
    if (journal.torn) throw damagedFailure(path, journal.seq + 1)
    const object = isWhole ? decodeLine(line) : undefined
    journal.torn = !object
    if (!object) return true
    if (object.seq !== journal.seq + 1) throw damagedFailure(path, journal.seq + 1)
    journal.seq += 1
    journal.end += line.byteLength + 1
    if (journal.seq === 1) journal.header = headerOf(object, path)
    else if (!addLine(journal, object)) throw damagedFailure(path, journal.seq)
    return true
  })
  return exists ? journal : undefined
}

/** The keys of the rows that are wanted of a journal, which may have millions of others. */
type WantedKeys = Pick<ReadonlySet<string>, 'has'>

/**
 * Reads the wanted rows from another file's journal; undefined where its first line is of another service. A
 * damaged line counts as a row that may have been created.
 */
async function readOtherJournal(
  path: string,
  wants: WantedKeys,
  isOurs: (header: JsonObject) => boolean = () => true,
): Promise<JournalState | undefined> {
  const journal = emptyJournal(path)
  await eachLine(path, (line, isWhole) => {
    if (journal.header) {
      skimLine(journal, line, isWhole, wants)
      return true
    }
    const first = isWhole ? decodeLine(line) : undefined
    if (first && (isNewer(first) || isOurs(first))) journal.header = headerOf(first, path)
    return journal.header !== undefined
  })
  return journal.header && journal
}

/** Reads a line of another journal. Most lines are skipped without being parsed. */
function skimLine(journal: OpenJournal, line: Buffer, isWhole: boolean, wants: WantedKeys): void {
  const reference = keyOfLine(line)
  const isWanted = reference !== undefined && wants.has(keyOf(reference))
  const mayIdentify = journal.ids.size < mostIds && line.includes('"id":')
  if (reference !== undefined && !isWanted && !mayIdentify) return
  const object = isWhole ? decodeLine(line) : undefined
  if (object) addLine(journal, object, isWanted)
  else if (isWhole && isWanted) {
    // A line that a crash cut off was never relied on. Any other damaged
    // line may have said that the row was sent.
    const unclear: JournalledCreation = { state: 'unclear', requests: mostRequestsOfRow, hash: '', tries: [] }
    rowIn(journal, reference).creation = unclear
  }
}

/** Takes up what a line says; of an unwanted row only the id of its record. Returns whether it was understood. */
function addLine(journal: OpenJournal, line: JsonObject, isWanted = true): boolean {
  const { run, key, of, hash, state, attempt, count, equal, by, owner, afterMs } = line
  const [reference, id, at] = [textMember(key ?? of), textMember(line.id), numberMember(line.at) ?? 0]
  if (typeof owner === 'string') journal.owners.add(owner)
  if (run === 'begin') journal.matching = parsedAs(matchingShape, line.matching) ?? journal.matching
  if (run === 'named' && typeof line.row === 'string' && typeof line.person === 'string')
    journal.named.set(line.row, line.person)
  // A line without a key is about the run, a change, or what was found.
  if (reference === undefined) return key === undefined
  // A service with the same id under this key is the same one.
  const isThere = run === 'shown' || run === 'found' || (key !== undefined && state === words.create.done)
  if (isThere && id !== undefined && journal.ids.size < mostIds) journal.ids.set(reference, id)
  if (run === 'shown' && typeof afterMs === 'number') journal.shown = { reference, afterMs, id }
  if (!isWanted) return true
  const row = rowIn(journal, reference)
  if (key !== undefined) return addCreation(row, line)
  if (run === 'found' && typeof count === 'number')
    row.listed = { count, at, id, equal: equal === true || undefined }
  if (run === 'left' && typeof by === 'string') row.left = { by, at }
  const stateThen = stateOf.change.get(String(state))
  // Whatever is said of it later counts.
  if (run === 'change' && stateThen && typeof hash === 'string' && typeof attempt === 'number')
    Object.assign(row, {
      change: { state: afterCrash(stateThen), requests: attempt, hash, at },
      left: undefined,
    })
  return true
}

/** Takes up a line about the creation of a record. Returns whether it was understood. */
function addCreation(row: JournalledRow, { state, attempt, hash, id, http, via, at }: JsonObject): boolean {
  const reached = stateOf.create.get(String(state))
  if (!reached || typeof attempt !== 'number' || typeof hash !== 'string') return false
  row.creation = {
    state: afterCrash(reached),
    requests: attempt - beforeNext(reached),
    hash,
    tries: triesAfter(row.creation?.tries ?? [], reached, { http: numberMember(http), via }),
    id: textMember(id),
    at: numberMember(at),
  }
  // A change that was held back is none any more where the record is created now.
  if (row.change?.state === 'held') row.change = undefined
  row.left = undefined
  return true
}

/** The state after a crash: a row that was about to be sent may have been sent. */
const afterCrash = (state: State): State => (state === 'sending' ? 'unclear' : state)

function rowIn({ rows }: OpenJournal, reference: string): JournalledRow {
  const key = keyOf(reference)
  const row = rows.get(key) ?? { reference }
  rows.set(key, row)
  return row
}

const textMember = (value: unknown) => (typeof value === 'string' ? value : undefined)
const numberMember = (value: unknown) => (typeof value === 'number' ? value : undefined)

const finishThere = 'Finish this import with the payroll that began it: only it knows which rows were sent.'

/** Whether the first line of a journal names a newer format than this version knows. */
function isNewer(header: JsonObject): header is JsonObject & { readonly v: number } {
  return typeof header.v === 'number' && header.v > journalVersion
}

function headerOf(object: JsonObject, path: string): Header {
  if (isNewer(object)) throw newerFormat(`The journal ${path}`, object.v, journalVersion, finishThere)
  if (object.v !== journalVersion)
    throw usage(`The journal ${path} is of another version of payroll.`, finishThere)
  const header = parsedAs(headerShape, object)
  if (!header) throw damagedFailure(path, 1)
  return header
}

function damagedFailure(path: string, line: number): Failure {
  return new Failure('bug', `The journal of this import is damaged at line ${line}.`, {
    outcome: 'not-sent',
    hint: `The journal no longer shows which rows were created. Compare the file with the service before you delete ${path}.`,
  })
}

/**
 * Reads every other journal of this operation, because another file may have left the same row unclear.
 * `unreadable` has the paths of those that cannot be read.
 */
export async function readOtherJournals(
  { folder, place: { origin, base, operation } }: Journals,
  except: string,
  wants: ReadonlySet<string>,
): Promise<{ readonly journals: readonly JournalState[]; readonly unreadable: readonly string[] }> {
  const isOurs = (header: JsonObject) =>
    header.origin === origin && header.base === base && header.operation === operation
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === undefined) throw error
    return []
  })
  const journals: JournalState[] = []
  const unreadable: string[] = []
  for (const name of names.filter((each) => each.endsWith('.journal')).sort()) {
    const path = join(folder, name)
    if (path === except) continue
    try {
      const other = await readOtherJournal(path, wants, isOurs)
      if (other) journals.push(other)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      unreadable.push(path)
    }
  }
  return { journals, unreadable }
}

/** The keys of all rows that the journal has as created. */
export async function* readCreatedKeys(path: string): AsyncGenerator<string> {
  const journal = await readOtherJournal(path, { has: () => true })
  for (const [key, { creation }] of journal?.rows ?? []) if (creation?.state === 'done') yield key
}

const keyStart = Buffer.from(',"key":"')

/** The key in a line. Does not parse the line, because there may be millions. */
function keyOfLine(line: Buffer): string | undefined {
  const at = line.indexOf(keyStart)
  if (at < 0) return undefined
  const from = at + keyStart.byteLength - 1
  let to = from + 1
  while (to < line.byteLength && line[to] !== 0x22) to += line[to] === 0x5c ? 2 : 1
  try {
    return textMember(JSON.parse(line.toString('utf8', from, to + 1)))
  } catch {
    return undefined
  }
}

/**
 * Calls `onLine` for each line until it returns false. Returns false where there is no file. `isWhole`: the
 * line ends with a line feed. `onLine` is not async: a promise per line would take most of the time.
 */
async function eachLine(path: string, onLine: (line: Buffer, isWhole: boolean) => boolean): Promise<boolean> {
  const file = await openPlain(path)
  if (!file) return false
  let rest = Buffer.alloc(0)
  try {
    for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 })) {
      rest = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk])
      let from = 0
      for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10, from)) {
        if (!onLine(rest.subarray(from, at), true)) return true
        from = at + 1
      }
      rest = rest.subarray(from)
    }
    if (rest.byteLength > 0) onLine(rest, false)
    return true
  } finally {
    await file.close()
  }
}

/** Throws a usage failure for a link, or for a file of another user. */
async function openPlain(path: string): Promise<FileHandle | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    refuseForeign(path, (await file.stat()).uid)
    return file
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    if (code === undefined) throw error
    throw usage(`The journal ${path} cannot be opened (${code}).`)
  }
}

/** The journal of an import. `certain`: false where another API key started it, perhaps of another company. */
export async function findOwnJournal({ forFile, forApiKey, place: { account } }: Omit<Journals, 'profile'>) {
  const before = await readJournal(forFile)
  const theirs = before?.header?.account
  if (theirs === undefined || account === undefined || theirs === account)
    return { path: forFile, before, certain: true }
  const own = await readJournal(forApiKey)
  if (own) return { path: forApiKey, before: own, certain: true }
  return { path: forFile, before, certain: false }
}

/**
 * Whether a list is of the service where some records were created: no two companies have one key under the same id.
 */
export function compareService({ ids }: Pick<JournalState, 'ids'>, list: Scan): 'same' | 'other' | 'unknown' {
  if (ids.size === 0) return 'unknown'
  const isListed = [...ids].some(([reference, id]) => matchOf(list, keyOf(reference)).ids.includes(id))
  return isListed ? 'same' : 'other'
}
