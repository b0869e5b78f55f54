import { Failure, usage } from '../errors.ts'
import { newerFormat } from '../files/newer-format.ts'
import { isObject, type JsonObject } from '../json/path.ts'
import { type Attempt, attemptsAfter } from './attempts.ts'
import {
  decode,
  type LeftRow,
  type ListedCount,
  type ListedRow,
  lines,
  openPlain,
  readLeftRow,
  readListedCount,
  readListedRow,
} from './journal-file.ts'
import { keyOf } from './natural-key.ts'
import { type JournalChange, readChange } from './row-change.ts'
import { type State, stateAfterReplay, states } from './row-state.ts'

/** The ids of so many records are read from a journal: enough to recognise a service. */
export const mostIds = 50

/** The first line of a journal: which file, service and profile it is for. */
export interface Header {
  readonly v: 1
  /** Scheme, host and port of the service. */
  readonly origin: string
  /** The path of the base URL. Missing in journals of earlier versions. */
  readonly base?: string
  /** A digest of the API key. Missing in journals of earlier versions. */
  readonly account?: string
  readonly profile: string
  /** The id of the create operation. */
  readonly operation: string
  /** Digest of the file when the journal was started. */
  readonly sha256: string
  /** Salt of the rows' fingerprints. */
  readonly salt: string
}

/** What the last line about a row says. */
export interface JournalRow {
  /** The key as a person reads it. */
  readonly name: string
  readonly state: State
  readonly attempt: number
  readonly hash: string
  /** The service's id of the record, if it gave one. */
  readonly id?: string
  readonly tries: readonly Attempt[]
  /** When it came to be in this state, in milliseconds since 1970. */
  readonly at?: number
}

/** What a journal says of an import, from its first line to the last one that is complete. */
export interface Replay {
  /** Undefined if not even the first line is complete. */
  readonly header: Header | undefined
  /** By key. A row that was about to be sent is ambiguous here. */
  readonly rows: ReadonlyMap<string, JournalRow>
  /** The last time that a list showed a row that had just been created. */
  readonly shown: ListedRow | undefined
  /** By key: what the last list showed, where that is more than the rows themselves say. */
  readonly found: ReadonlyMap<string, ListedCount>
  /** By key: what the last line says of the change of a record. */
  readonly changes: ReadonlyMap<string, JournalChange>
  /** By key: the rows that a person decided to leave as they are. */
  readonly left: ReadonlyMap<string, LeftRow>
  /** The runs of this import, as a shared journal knows them. */
  readonly owners: ReadonlySet<string>
  /** Where the next line goes, in bytes: every line before it is complete. */
  readonly end: number
  /** The number of the last line. */
  readonly seq: number
  /** Whether a crash cut off a line, which then follows `end`. */
  readonly torn: boolean
}

/** The version of the journal's format. */
export const version = 1

/**
 * Reads a journal; undefined if there is none. Skips an incomplete last line, which a crash leaves. Throws a Failure
 * (exit 1) if any other line is damaged, because that line may be about a person.
 */
export async function replay(path: string): Promise<Replay | undefined> {
  const file = await openPlain(path)
  if (!file) return undefined
  let header: Header | undefined
  const rows = new Map<string, JournalRow>()
  const foundRows = new Map<string, ListedCount>()
  const changes = new Map<string, JournalChange>()
  const left = new Map<string, LeftRow>()
  const owners = new Set<string>()
  let shown: ListedRow | undefined
  let [end, seq, torn] = [0, 0, false]
  try {
    for await (const { line, bytes, whole } of lines(file)) {
      if (torn) throw damaged(path, seq + 1)
      const object = whole ? decode(line) : undefined
      if (!object) {
        torn = true
        continue
      }
      if (object.seq !== seq + 1) throw damaged(path, seq + 1)
      seq += 1
      end += bytes
      if (seq === 1) header = headerOf(object, path)
      else addLine(object)
    }
  } finally {
    await file.close()
  }
  return { header, rows, shown, found: foundRows, changes, left, owners, end, seq, torn }

  function addLine(object: JsonObject): void {
    // Lines about the run (begin, shown, found, end) have no key.
    if (object.key === undefined) {
      shown = readListedRow(object) ?? shown
      const found = readListedCount(object)
      if (found) foundRows.set(keyOf(found.name), found)
      const change = readChange(object)
      if (change) changes.set(keyOf(change.name), change)
      const leaves = readLeftRow(object)
      if (leaves) left.set(keyOf(leaves.name), leaves)
      // Whatever is said of it later counts.
      else if (change) left.delete(keyOf(change.name))
      if (typeof object.owner === 'string') owners.add(object.owner)
      return
    }
    const key = typeof object.key === 'string' ? keyOf(object.key) : ''
    const row = rowAfterLine(rows.get(key), object)
    if (!row) throw damaged(path, seq)
    rows.set(key, row)
    left.delete(key)
  }
}

/** What the journal says about a row after one more line; undefined if the line is not about a row. */
export function rowAfterLine(before: JournalRow | undefined, line: JsonObject): JournalRow | undefined {
  const { key, state, attempt, hash, id, http, via, at } = line
  const known = states.find((each) => each === state)
  if (typeof key !== 'string' || !known || typeof attempt !== 'number' || typeof hash !== 'string') {
    return undefined
  }
  const status = typeof http === 'number' ? http : undefined
  const tries = attemptsAfter(before?.tries ?? [], { state: known, http: status, via })
  const standing = stateAfterReplay({ state: known, attempt })
  const named = typeof id === 'string' && { id }
  return { name: key, ...standing, hash, ...named, tries, ...(typeof at === 'number' && { at }) }
}

const finishThere = 'Finish this import with the payroll that began it: only it knows which rows were sent.'

/** Whether the first line of a journal says that it has a format that is not known here. */
export function isNewerJournal(header: JsonObject): header is JsonObject & { readonly v: number } {
  return typeof header.v === 'number' && header.v > version
}

function headerOf(object: JsonObject, path: string): Header {
  if (isNewerJournal(object)) throw newerFormat(`The journal ${path}`, object.v, version, finishThere)
  if (object.v !== version) {
    throw usage(`The journal ${path} is of another version of payroll.`, finishThere)
  }
  const texts = [object.origin, object.profile, object.operation, object.sha256, object.salt]
  if (!isObject(object) || texts.some((each) => typeof each !== 'string')) throw damaged(path, 1)
  return object as unknown as Header
}

function damaged(path: string, line: number): Failure {
  return new Failure('bug', `The journal of this import is damaged at line ${line}.`, {
    outcome: 'not-sent',
    hint: `The journal no longer shows which rows were created. Compare the file with the service before you delete ${path}.`,
  })
}
