import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { idOf } from '../api/contract/records/identity.ts'
import { systemCode, usage } from '../errors.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { newerFormat } from '../files/newer-format.ts'
import { ensurePrivateDirectory, makeDirectories } from '../files/private-directory.ts'
import { systemCommands } from '../files/system-commands.ts'
import { isObject, type Json, type JsonObject } from '../json/path.ts'
import { NotJson, readJson } from '../json/read-json.ts'
import { stringifyJson } from '../json/stringify.ts'

/** Which list a bookmark is for: one service's bookmark cannot be used for another. */
interface Place {
  readonly profile: string
  readonly origin: string
  /** The path of the base URL, if any. Missing in bookmarks of earlier versions. */
  readonly base?: string
  /** A digest of the API key. Missing in bookmarks of earlier versions. */
  readonly account?: string | undefined
  /** The operation: `payslips.list`. */
  readonly operation: string
}

/** Of the file; a later one is not read. */
const format = 1

/** Remembers which records earlier runs with the same name have written. */
export interface Bookmark {
  /** Whether it was saved with another key: the company's new key, or another company's. */
  readonly isOfOtherKey: boolean
  /** Begins to read the list, from its start: forgets which records an earlier reading of this run showed. */
  begin(): void
  /** Whether a record is new. Also remembers it, so the next call says no. */
  isNew(record: JsonObject): boolean
  /** Saves the new records of the last reading, once they are written. Throws a Failure if it cannot. */
  keep(): Promise<void>
}

/**
 * Opens the bookmark of a name; empty for a new name. The document does not show the order of a list, so the bookmark
 * has a digest of each record's `id`, not a position. Throws a usage failure for a bookmark of another service, and for
 * a damaged one, which it does not change.
 */
export async function openBookmark(directory: string, name: string, place: Place): Promise<Bookmark> {
  const folder = join(directory, 'bookmarks')
  const file = join(folder, `${named(name)}.json`)
  const bookmark = await readBookmark(file, name, place)
  let seen = new Set(bookmark?.seen)
  return {
    isOfOtherKey: bookmark?.account !== undefined && bookmark.account !== place.account,
    begin() {
      seen = new Set(bookmark?.seen)
    },
    isNew(record) {
      const digest = digestOf(record)
      const isNew = !seen.has(digest)
      seen.add(digest)
      return isNew
    },
    async keep() {
      await ensurePrivateDirectory(directory)
      await makeDirectories(folder)
      await writeFileAtomic(file, `${JSON.stringify({ version: format, ...place, seen: [...seen] })}\n`, true)
    },
  }
}

function named(name: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name)) return name
  throw usage(
    '--since-last takes a name of letters, digits, hyphens and underscores, such as --since-last nightly.',
  )
}

async function readBookmark(file: string, name: string, place: Place): Promise<StoredBookmark | undefined> {
  const bytes = await readFile(file).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined
    throw usage(`The bookmark ${file} cannot be read (${systemCode(error)}).`)
  })
  if (!bytes) return undefined
  const bookmark = parsed(bytes)
  if (isObject(bookmark) && typeof bookmark.version === 'number' && bookmark.version > format)
    throw newerFormat(`The bookmark ${file}`, bookmark.version, format)
  if (!isBookmark(bookmark)) {
    const hint = `To start again, with every record as new: ${systemCommands().moveAside(file)}`
    throw usage(`The bookmark ${file} is damaged. It was left as it is.`, hint)
  }
  const [theirs, ours] = [partsOf(bookmark, place.base), partsOf(place, place.base)]
  const other = theirs.findIndex((each, at) => each !== ours[at])
  if (other < 0) return bookmark
  throw usage(
    `The bookmark ${name} is for ${theirs[other]}, not for ${ours[other]}. Nothing was written.`,
    'Choose another name for --since-last.',
  )
}

/** What a bookmark belongs to. A bookmark without a path matches any. */
function partsOf({ origin, base, profile, operation }: Place, otherwise = ''): string[] {
  return [`${origin}${base ?? otherwise}`, profile, operation]
}

interface StoredBookmark extends Place {
  readonly seen: readonly string[]
}

function isBookmark(value: Json): value is StoredBookmark {
  if (!isObject(value) || value.version !== format || !Array.isArray(value.seen)) return false
  const texts = [value.profile, value.origin, value.operation, ...value.seen]
  const isTextOrNone = (each: Json) => each === undefined || typeof each === 'string'
  return texts.every((text) => typeof text === 'string') && [value.base, value.account].every(isTextOrNone)
}

function parsed(bytes: Uint8Array): Json {
  try {
    return readJson(bytes)
  } catch (error) {
    if (error instanceof NotJson) return undefined
    throw error
  }
}

/** A digest of its id, or of the whole record if it has none. 96 bits make an accidental match practically impossible. */
function digestOf(record: JsonObject): string {
  const identity = idOf(record) ?? stringifyJson(record)
  return createHash('sha256').update(identity).digest('base64url').slice(0, 16)
}
