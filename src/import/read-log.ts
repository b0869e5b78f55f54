import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { Failure, systemCode, usage } from '../errors.ts'
import type { JsonObject } from '../files/json/path.ts'
import { newerFormat } from '../files/local/newer-format.ts'
import { refuseForeign } from '../files/local/private-directory.ts'
import { readAs } from '../files/local/private-json.ts'
import { keyOf } from '../model/natural-key.ts'
import { canonicalOrigin, type ServicePlace } from '../origin.ts'
import {
  type AnswerFacts,
  type Attempt,
  type LeftRow,
  requestsMade,
  type Standing,
  type State,
  triesAfter,
} from './entry.ts'
import type { JournalPaths } from './job.ts'
import { matchOf, type Scan } from './scan.ts'
import { decode, type Header, version } from './write-log.ts'

/** How a journal writes the states of a row that creates a record. One that is held back is not written: nothing was sent. */
const created = {
  ready: 'pending',
  sending: 'intent',
  done: 'created',
  refused: 'refused',
  doubt: 'ambiguous',
  unresolved: 'unresolved',
  conflict: 'conflict',
  duplicate: 'duplicate',
} as const satisfies Partial<Record<State, string>>

/** And those of one that changes a record. */
const changed = {
  ready: 'planned',
  sending: 'sending',
  done: 'applied',
  equal: 'equal',
  refused: 'refused',
  held: 'held',
  doubt: 'unknown',
  unresolved: 'unknown',
} as const satisfies Partial<Record<State, string>>

const reversed = (names: Readonly<Partial<Record<State, string>>>) =>
  Object.entries(names).map(([state, name]) => [name, state as State] as const)

const readCreated = new Map<string, State>(reversed(created))
const readChanged = new Map<string, State>([...reversed(changed), ['unknown', 'doubt']])

/** A row that creates a record as a line of a journal: no value of a field is in it. */
export function createLine(
  { name, hash }: { readonly name: string; readonly hash: string },
  { state, attempt }: Standing,
  { http, id, via }: Pick<AnswerFacts, 'http' | 'id' | 'via'>,
): JsonObject {
  const known = created[state as keyof typeof created]
  if (known === undefined) throw new TypeError(`no journal has a new row that is ${state}`)
  return { key: name, hash, state: known, attempt, http, id, via }
}

/** A row that changes a record as a line of a journal, which counts the requests that may have reached the service. */
export function changeLine(
  { name, hash }: { readonly name: string; readonly hash: string },
  to: Standing,
): JsonObject {
  const state = changed[to.state as keyof typeof changed]
  return { run: 'change', of: name, hash, state, attempt: requestsMade(to) }
}

/** The list showed a row that had just been created. */
export interface ListedRow {
  /** The key of the row, as a person reads it. */
  readonly name: string
  /** How long after it was created, in milliseconds. */
  readonly afterMs: number
  /** The service's id of the record, if the list shows one. */
  readonly id?: string | undefined
}

/** It as a line of a journal. */
export const listedRowLine = ({ name, afterMs, id }: ListedRow): JsonObject => ({
  run: 'shown',
  of: name,
  afterMs,
  id,
})

/** Reads such a line; undefined for any other line. */
function readListedRow({ run, of, afterMs, id }: JsonObject): ListedRow | undefined {
  if (run !== 'shown' || typeof of !== 'string' || typeof afterMs !== 'number') return undefined
  return { name: of, afterMs, id: textMember(id) }
}

/** The decision of a person. It has no `key`, so that an older version skips it and keeps the row in doubt. */
export const leftRowLine = (name: string, by: string): JsonObject => ({ run: 'left', of: name, by })

/** The records that a complete list showed of a row: the last word on its id, and on whether it is there once. */
export interface ListedCount {
  /** How many records the service has with this key. */
  readonly count: number
  /** The service's id, if there is one record and the list shows it. */
  readonly id?: string | undefined
  /** Whether the row says of it what it has already. */
  readonly equal?: true | undefined
  /** When it was read, in milliseconds since 1970. */
  readonly at: number
}

/** It as a line of a journal. `name`: the key of the row, as a person reads it. */
export const listedCountLine = (name: string, listed: Omit<ListedCount, 'at'>): JsonObject => ({
  run: 'found',
  of: name,
  ...listed,
})

/** The state of a row by the last line about it. One that was about to be sent may have been, and is in doubt. */
export interface LoggedState extends Standing {
  readonly hash: string
  /** When it came to be in this state, in milliseconds since 1970. */
  readonly at?: number | undefined
}

/** The creation of a record, by the log. */
export interface LoggedCreation extends LoggedState {
  readonly id?: string | undefined
  readonly tries: readonly Attempt[]
}

/** All that a log says of one row. */
export interface LoggedRow {
  /** The key as a person reads it. */
  readonly name: string
  creation?: LoggedCreation | undefined
  change?: LoggedState | undefined
  /** The records that the last list showed, where that is more than the row itself says. */
  listed?: ListedCount | undefined
  /** Set where a person decided to leave the row as it is. */
  left?: LeftRow | undefined
}

/** An import as its log has it, from its first line to the last one that is complete. */
export interface LogState {
  readonly path: string
  /** Undefined if not even the first line is complete. */
  readonly header: Header | undefined
  /** By key; of the log of another file only the rows that were asked for. */
  readonly rows: ReadonlyMap<string, LoggedRow>
  /** The last time that a list showed a row that had just been created. */
  readonly shown: ListedRow | undefined
  /** The ids of some records that it created or found, by their key as a person reads it: they identify the service. */
  readonly ids: ReadonlyMap<string, string>
  /** The runs of this import, as a shared journal knows them. */
  readonly owners: ReadonlySet<string>
  /** Where the next line goes, in bytes: every line before it is complete. */
  readonly end: number
  readonly seq: number
  /** Whether a crash cut off a line, which then follows `end`. */
  readonly torn: boolean
}

/** The ids of so many records are read from a log: enough to recognise a service. */
const mostIds = 50

interface OtherLog {
  /** Whether it is about this service, by its first line. */
  readonly isOurs: (header: JsonObject) => boolean
  /** The keys of the rows that are wanted: there may be millions of others. */
  readonly wants: ReadonlySet<string>
}

/**
 * Reads a log; undefined for none, or one of another service. Skips an incomplete last line, which a crash
 * leaves. Throws exit 1 if another is damaged: it may be about a person. Of another file it is a row that
 * may have been created.
 */
export async function readLog(path: string, other?: OtherLog): Promise<LogState | undefined> {
  const rows = new Map<string, LoggedRow>()
  const ids = new Map<string, string>()
  const owners = new Set<string>()
  let header: Header | undefined
  let shown: ListedRow | undefined
  let [end, seq, torn, isOther] = [0, 0, false, false]
  const isThere = await eachLine(path, (line, whole) => {
    if (other && seq > 0) {
      seq += 1
      skim(line, whole, other.wants)
      return true
    }
    if (torn) throw damaged(path, seq + 1)
    const object = whole ? decode(line) : undefined
    if (other && object && isNewer(object)) throw newerFormat(`The journal ${path}`, object.v, version)
    isOther = other !== undefined && !(object && other.isOurs(object))
    if (isOther) return false
    torn = !object
    if (!object) return true
    if (!other && object.seq !== seq + 1) throw damaged(path, seq + 1)
    seq += 1
    end += line.byteLength + 1
    if (seq > 1) addLine(object)
    else header = other ? readAs(headerShape, object) : headerOf(object, path)
    return true
  })
  if (!isThere || isOther || (other && !header)) return undefined
  return { path, header, rows, shown, ids, owners, end, seq, torn }

  function skim(line: Buffer, whole: boolean, wants: ReadonlySet<string>): void {
    const name = keyIn(line)
    const key = name === undefined ? undefined : keyOf(name)
    const isWanted = key !== undefined && wants.has(key)
    if (key !== undefined && !isWanted && (ids.size >= mostIds || !line.includes('"id":'))) return
    const object = whole ? decode(line) : undefined
    if (object) addLine(object, isWanted)
    // The import never relied on a line that a crash cut off; any other damaged line may have said anything.
    else if (whole && isWanted)
      rowOf(name ?? '').creation = { state: 'doubt', attempt: 2, hash: '', tries: [] }
  }

  function addLine(object: JsonObject, isWanted = true): void {
    shown = readListedRow(object) ?? shown
    // A list showed it under this id: the service that has it so is the same.
    const { run, of } = object
    const isListed = (run === 'shown' || run === 'found') && typeof of === 'string'
    if (isListed && typeof object.id === 'string' && ids.size < mostIds) ids.set(of, object.id)
    if (typeof object.owner === 'string') owners.add(object.owner)
    if (object.key === undefined) {
      if (!other) addRunLine(object)
      return
    }
    const { key, id } = object
    const isNamed = typeof key === 'string' && typeof id === 'string' && object.state === 'created'
    if (isNamed && ids.size < mostIds) ids.set(key, id)
    if (!isWanted) return
    const row = rowOf(String(key))
    const creation = creationAfter(row.creation, object)
    // What was held back, and is created now, is no change any more.
    const change = row.change?.state === 'held' ? undefined : row.change
    if (creation) Object.assign(row, { creation, change, left: undefined })
    else if (!other) throw damaged(path, seq)
  }

  /** Lines about the run and about changes have no key. */
  function addRunLine({ run, of, hash, state, attempt, count, id, equal, by, at: time }: JsonObject): void {
    if (typeof of !== 'string') return
    const at = typeof time === 'number' ? time : 0
    if (run === 'found' && typeof count === 'number')
      rowOf(of).listed = { count, at, id: textMember(id), equal: equal === true || undefined }
    if (run === 'left' && typeof by === 'string') rowOf(of).left = { by, at }
    const known = readChanged.get(String(state))
    if (run !== 'change' || typeof hash !== 'string' || !known || typeof attempt !== 'number') return
    const change = { state: known === 'sending' ? 'doubt' : known, attempt, hash, at } as const
    // Whatever is said of it later counts.
    Object.assign(rowOf(of), { change, left: undefined })
  }

  function rowOf(name: string): LoggedRow {
    const key = keyOf(name)
    const row = rows.get(key) ?? { name }
    rows.set(key, row)
    return row
  }
}

/** A creation after one more line of the log; undefined if the line does not say it. */
function creationAfter(before: LoggedCreation | undefined, line: JsonObject): LoggedCreation | undefined {
  const { key, state, attempt, hash, id, http, via, at } = line
  const known = readCreated.get(String(state))
  if (typeof key !== 'string' || !known || typeof attempt !== 'number' || typeof hash !== 'string')
    return undefined
  const status = typeof http === 'number' ? http : undefined
  const tries = triesAfter(before?.tries ?? [], known, { http: status, via })
  return {
    state: known === 'sending' ? 'doubt' : known,
    attempt,
    hash,
    tries,
    id: textMember(id),
    at: typeof at === 'number' ? at : undefined,
  }
}

const textMember = (value: unknown) => (typeof value === 'string' ? value : undefined)

const finishThere = 'Finish this import with the payroll that began it: only it knows which rows were sent.'

/** Whether the first line of a journal says that it has a format that is not known here. */
function isNewer(header: JsonObject): header is JsonObject & { readonly v: number } {
  return typeof header.v === 'number' && header.v > version
}

function headerOf(object: JsonObject, path: string): Header {
  if (isNewer(object)) throw newerFormat(`The journal ${path}`, object.v, version, finishThere)
  if (object.v !== version) throw usage(`The journal ${path} is of another version of payroll.`, finishThere)
  const header = readAs(headerShape, object)
  if (!header) throw damaged(path, 1)
  return header
}

const headerShape = z.object({
  v: z.literal(version),
  origin: z.string(),
  base: z.optional(z.string()),
  account: z.optional(z.string()),
  profile: z.string(),
  operation: z.string(),
  sha256: z.string(),
  salt: z.string(),
})

function damaged(path: string, line: number): Failure {
  return new Failure('bug', `The journal of this import is damaged at line ${line}.`, {
    outcome: 'not-sent',
    hint: `The journal no longer shows which rows were created. Compare the file with the service before you delete ${path}.`,
  })
}

/** Reads every other journal of this operation: a person may be in doubt from a file with another name. */
export async function readOtherLogs(
  {
    folder,
    place: { origin, base, operation },
    except,
  }: { readonly folder: string; readonly place: ServicePlace; readonly except: string },
  wants: ReadonlySet<string>,
  onUnreadable: (path: string) => void,
): Promise<LogState[]> {
  const isOurs = (header: JsonObject) =>
    typeof header.origin === 'string' &&
    URL.canParse(header.origin) &&
    canonicalOrigin(header.origin) === origin &&
    (typeof header.base === 'string' ? header.base : base) === base &&
    header.operation === operation
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === undefined) throw error
    return []
  })
  const found: LogState[] = []
  for (const name of names.filter((each) => each.endsWith('.journal')).sort()) {
    const path = join(folder, name)
    if (path === except) continue
    try {
      const other = await readLog(path, { isOurs, wants })
      if (other) found.push(other)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      onUnreadable(path)
    }
  }
  return found
}

/** The keys of all rows that the journal has as created. */
export async function createdIn(path: string): Promise<Set<string>> {
  const found = new Set<string>()
  await eachLine(path, (line, whole) => {
    const name = whole ? keyIn(line) : undefined
    if (name === undefined) return true
    if (line.includes(`"state":"${created.done}"`)) found.add(keyOf(name))
    else found.delete(keyOf(name))
    return true
  })
  return found
}

const keyStart = Buffer.from(',"key":"')

/** The key in a line, found without parsing the line: there may be millions. */
function keyIn(line: Buffer): string | undefined {
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
 * Calls `onLine` for each line until it returns false; false for no file. A promise per line would take most
 * of the time. `whole`: it ends with a line feed. Throws a usage failure for a link, or somebody else's
 * file.
 */
async function eachLine(path: string, onLine: (line: Buffer, whole: boolean) => boolean): Promise<boolean> {
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

/** The log of an import. `certain`: false where another API key started it, perhaps of another company. */
export async function findOwnLog({ plain, ofAccount }: JournalPaths, { account }: ServicePlace) {
  const before = await readLog(plain)
  const theirs = before?.header?.account
  if (theirs === undefined || account === undefined || theirs === account)
    return { path: plain, before, certain: true }
  const own = await readLog(ofAccount)
  if (own) return { path: ofAccount, before: own, certain: true }
  return { path: plain, before, certain: false }
}

/** Recognises a service by records created there earlier. No two companies have the same key under the same id. */
export function serviceOf({ ids }: Pick<LogState, 'ids'>, list: Scan): 'same' | 'other' | 'unknown' {
  if (ids.size === 0) return 'unknown'
  const isThere = [...ids].some(([name, id]) => matchOf(list, keyOf(name)).ids.includes(id))
  return isThere ? 'same' : 'other'
}
