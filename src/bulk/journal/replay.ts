import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isObject, type JsonObject } from '../../api/contract/path.ts'
import { Failure, usage } from '../../errors.ts'
import { refuseForeign, systemCode } from '../../profile/directory.ts'
import { keyOf } from '../key.ts'
import { replayed, type State, states } from '../states.ts'
import { decode } from './line.ts'

/** The first line of a journal: what it is about. */
export interface Header {
  readonly v: 1
  /** Scheme, host and port of the service. */
  readonly origin: string
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
}

export interface Replay {
  /** Undefined when not even the first line was written whole. */
  readonly header: Header | undefined
  /** By key. What was about to be sent is ambiguous here. */
  readonly rows: ReadonlyMap<string, Remembered>
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
  return { header, rows, end, seq, torn }

  function remember(object: JsonObject): void {
    const { key: name, state, attempt, hash, id } = object
    // The lines between which a run stands name no row.
    if (name === undefined) return
    const known = states.find((each) => each === state)
    if (typeof name !== 'string' || !known || typeof attempt !== 'number' || typeof hash !== 'string') {
      throw damaged(path, seq)
    }
    const standing = replayed({ state: known, attempt })
    rows.set(keyOf(name), { name, ...standing, hash, ...(typeof id === 'string' && { id }) })
  }
}

/** A plain file of this user's, and no link to another. */
async function openPlain(path: string): Promise<FileHandle | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    refuseForeign(path, (await file.stat()).uid)
    return file
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    if (code === undefined) throw error
    throw usage(`The journal ${path} cannot be opened (${code}). Nothing was sent.`)
  }
}

/** The lines of a file; the last one is not `whole` when no line feed ends it. */
async function* lines(file: FileHandle) {
  let rest = Buffer.alloc(0)
  for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 })) {
    rest = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10, from)) {
      yield { line: rest.subarray(from, at), bytes: at + 1 - from, whole: true }
      from = at + 1
    }
    rest = rest.subarray(from)
  }
  if (rest.byteLength > 0) yield { line: rest, bytes: rest.byteLength, whole: false }
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
    hint: `It cannot be told any more which rows were created. Compare the file with the service before you remove ${path}.`,
  })
}
