import { createHash, hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode, usage } from '../errors.ts'
import { refuseForeign } from '../files/private-directory.ts'
import { isObject, type JsonObject } from '../json/path.ts'
import type { ServicePlace } from '../origin.ts'

export const journalFolder = (directory: string): string => join(directory, 'imports')

/**
 * The path of an import's journal: one for each file and service. Its name holds only a digest of the file's real
 * path, because file names can name people. With `account` it is the journal for one of several keys.
 */
export function journalFile(
  directory: string,
  { origin, base, operation }: Omit<ServicePlace, 'account'>,
  file: string,
  account?: string,
): string {
  const parts = [`${origin}${base}`, operation, file, ...(account === undefined ? [] : [account])]
  const digest = createHash('sha256').update(parts.join('\n')).digest('hex')
  return join(journalFolder(directory), `${digest}.journal`)
}

/** Opens a journal: a plain file that this user owns, not a link. Undefined if it does not exist. */
export async function openPlain(path: string): Promise<FileHandle | undefined> {
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

/** The lines of a file; the last one is not `whole` if it does not end with a line feed. */
export async function* lines(file: FileHandle) {
  for await (const batch of batches(file)) yield* batch
}

/**
 * Calls `onLine` for each line of a journal, until it returns false. For the journals of other files, which may have
 * very many lines: a promise for each line would take most of the time.
 */
export async function eachLine(
  path: string,
  onLine: (line: Buffer, whole: boolean) => boolean,
): Promise<void> {
  const file = await openPlain(path)
  if (!file) return
  try {
    for await (const batch of batches(file)) {
      for (const { line, whole } of batch) if (!onLine(line, whole)) return
    }
  } finally {
    await file.close()
  }
}

interface Line {
  readonly line: Buffer
  /** Its length with the line feed. */
  readonly bytes: number
  readonly whole: boolean
}

async function* batches(file: FileHandle): AsyncGenerator<Line[]> {
  let rest = Buffer.alloc(0)
  for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 })) {
    rest = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk])
    const batch: Line[] = []
    let from = 0
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10, from)) {
      batch.push({ line: rest.subarray(from, at), bytes: at + 1 - from, whole: true })
      from = at + 1
    }
    rest = rest.subarray(from)
    yield batch
  }
  if (rest.byteLength > 0) yield [{ line: rest, bytes: rest.byteLength, whole: false }]
}

/**
 * A line of a journal: eight digits of a checksum, a space, an object as JSON. The checksum shows whether the whole
 * line was written.
 */
export function encode(object: JsonObject): string {
  const text = JSON.stringify(object)
  return `${checksum(text)} ${text}\n`
}

/** The object in a line (without its line feed); undefined if the line is damaged. */
export function decode(line: Buffer): JsonObject | undefined {
  const text = line.toString('utf8')
  // toString replaces bytes that are not UTF-8.
  if (Buffer.byteLength(text) !== line.byteLength || text[8] !== ' ') return undefined
  const json = text.slice(9)
  if (checksum(json) !== text.slice(0, 8)) return undefined
  const object: unknown = JSON.parse(json)
  return isObject(object) ? object : undefined
}

const checksum = (text: string) => hash('sha256', text).slice(0, 8)

/** The list showed a row that had just been created. */
export interface ListedRow {
  /** The key of the row, as a person reads it. */
  readonly name: string
  /** How long after it was created, in milliseconds. */
  readonly afterMs: number
  /** The service's id of the record, if the list shows one. */
  readonly id?: string
}

/** It as a line of a journal. */
export function listedRowLine({ name, afterMs, id }: ListedRow): JsonObject {
  return { run: 'shown', of: name, afterMs, ...(id !== undefined && { id }) }
}

/** Reads such a line; undefined for any other line. */
export function readListedRow({ run, of, afterMs, id }: JsonObject): ListedRow | undefined {
  if (run !== 'shown' || typeof of !== 'string' || typeof afterMs !== 'number') return undefined
  return { name: of, afterMs, ...(typeof id === 'string' && { id }) }
}

/** A person decided to leave a row as it is. */
export interface LeftRow {
  /** The key of the row, as a person reads it. */
  readonly name: string
  /** The user who decided it. */
  readonly by: string
  /** When, in milliseconds since 1970. */
  readonly at: number
}

/**
 * It as a line of a journal. It has no `key`: a version that does not know it skips it, and the row is in doubt there, as it
 * was before.
 */
export function leftRowLine({ name, by }: Omit<LeftRow, 'at'>): JsonObject {
  return { run: 'left', of: name, by }
}

/** Reads such a line; undefined for any other line. */
export function readLeftRow({ run, of, by, at }: JsonObject): LeftRow | undefined {
  if (run !== 'left' || typeof of !== 'string' || typeof by !== 'string') return undefined
  return { name: of, by, at: typeof at === 'number' ? at : 0 }
}

/** What a complete list showed of a row: the last word on its id, and on whether it is there once. */
export interface ListedCount {
  /** How many records the service has with this key. */
  readonly count: number
  /** The service's id, if there is one record and the list shows it. */
  readonly id?: string
  /** Whether the row says of it what it has already. */
  readonly equal?: true
  /** When it was read, in milliseconds since 1970. */
  readonly at: number
}

/** It as a line of a journal. `name`: the key of the row, as a person reads it. */
export function listedCountLine(name: string, { count, id, equal }: Omit<ListedCount, 'at'>): JsonObject {
  return { run: 'found', of: name, count, ...(id !== undefined && { id }), ...(equal && { equal }) }
}

/** Reads such a line; undefined for any other line. */
export function readListedCount({
  run,
  of,
  count,
  id,
  equal,
  at,
}: JsonObject): (ListedCount & { readonly name: string }) | undefined {
  if (run !== 'found' || typeof of !== 'string' || typeof count !== 'number') return undefined
  const time = typeof at === 'number' ? at : 0
  return {
    name: of,
    count,
    at: time,
    ...(typeof id === 'string' && { id }),
    ...(equal === true && { equal }),
  }
}
