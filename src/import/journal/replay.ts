import { Failure, usage } from '../../errors.ts'
import { isObject, type JsonObject } from '../../json/path.ts'
import { type Attempt, attemptsAfter } from '../rows/attempts.ts'
import { keyOf } from '../rows/natural-key.ts'
import { type State, stateAfterReplay, states } from '../rows/row-state.ts'
import { decode } from './journal-line.ts'
import { lines, openPlain } from './journal-lines.ts'
import { type Shown, shownIn } from './shown-line.ts'

/** The first line of a journal: what it is about. */
export interface Header {
  readonly v: 1
  /** Scheme, host and port of the service. */
  readonly origin: string
  /** The path behind the origin, where the base URL has one. A journal of an earlier version does not say. */
  readonly base?: string
  /** A digest of the key. A journal of an earlier version does not say. */
  readonly account?: string
  readonly profile: string
  /** The id of the operation that creates. */
  readonly operation: string
  /** Of the file as it was when the journal was begun. */
  readonly sha256: string
  /** Of the fingerprints of the rows. */
  readonly salt: string
}

/** The last word of a journal on one row. */
export interface Remembered {
  /** The key as a person reads it. */
  readonly name: string
  readonly state: State
  readonly attempt: number
  readonly hash: string
  /** As the service calls the record, where it said so. */
  readonly id?: string
  readonly tries: readonly Attempt[]
}

export interface Replay {
  /** Undefined when not even the first line was written whole. */
  readonly header: Header | undefined
  /** By key. What was about to be sent is ambiguous here. */
  readonly rows: ReadonlyMap<string, Remembered>
  /** The last time that a list was seen to show what had just been created. */
  readonly shown: Shown | undefined
  /** Where the next line belongs: everything before is whole. In bytes. */
  readonly end: number
  /** The number of the last line. */
  readonly seq: number
  /** Whether something stands behind `end`: a line that a crash cut off. */
  readonly torn: boolean
}

/** The version of the form above. */
export const version = 1

/**
 * Reads a journal; undefined when there is none. A last line that is not whole is what a crash leaves, and is
 * passed over; throws a Failure (exit 1) for any other, because what is missing may be a person.
 */
export async function replay(path: string): Promise<Replay | undefined> {
  const file = await openPlain(path)
  if (!file) return undefined
  let header: Header | undefined
  const rows = new Map<string, Remembered>()
  let shown: Shown | undefined
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
      else remember(object)
    }
  } finally {
    await file.close()
  }
  return { header, rows, shown, end, seq, torn }

  function remember(object: JsonObject): void {
    // The lines between which a run stands name no row.
    if (object.key === undefined) {
      shown = shownIn(object) ?? shown
      return
    }
    const key = typeof object.key === 'string' ? keyOf(object.key) : ''
    const row = rememberedAfter(rows.get(key), object)
    if (!row) throw damaged(path, seq)
    rows.set(key, row)
  }
}

/** What is known of a row after a line on it; undefined for a line that is none. */
export function rememberedAfter(before: Remembered | undefined, line: JsonObject): Remembered | undefined {
  const { key, state, attempt, hash, id, http, via } = line
  const known = states.find((each) => each === state)
  if (typeof key !== 'string' || !known || typeof attempt !== 'number' || typeof hash !== 'string') {
    return undefined
  }
  const status = typeof http === 'number' ? http : undefined
  const tries = attemptsAfter(before?.tries ?? [], { state: known, http: status, via })
  const standing = stateAfterReplay({ state: known, attempt })
  return { name: key, ...standing, hash, ...(typeof id === 'string' && { id }), tries }
}

function headerOf(object: JsonObject, path: string): Header {
  if (object.v !== version) {
    throw usage(
      `The journal ${path} is of another version of payroll. Nothing was sent.`,
      'Finish this import with the version that began it.',
    )
  }
  const texts = [object.origin, object.profile, object.operation, object.sha256, object.salt]
  if (!isObject(object) || texts.some((each) => typeof each !== 'string')) throw damaged(path, 1)
  return object as unknown as Header
}

function damaged(path: string, line: number): Failure {
  return new Failure('bug', `The journal of this import is damaged at line ${line}. Nothing was sent.`, {
    outcome: 'not-sent',
    hint: `The journal no longer shows which rows were created. Compare the file with the service before you delete ${path}.`,
  })
}
