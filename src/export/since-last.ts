import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { idOf } from '../api/contract/records/identity.ts'
import { usage } from '../errors.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { ensurePrivateDirectory, systemCode } from '../files/private-directory.ts'
import { isObject, type Json, type JsonObject } from '../json/path.ts'
import { NotJson, readJson } from '../json/read-json.ts'
import { stringifyJson } from '../json/stringify.ts'

/** Which list a bookmark is for: one service's bookmark cannot be used for another. */
export interface Place {
  readonly profile: string
  readonly origin: string
  /** The path behind the origin, where the base URL has one. A bookmark of an earlier version does not say. */
  readonly base?: string
  /** A digest of the key. A bookmark of an earlier version does not say. */
  readonly account?: string | undefined
  /** The operation: `payslips.list`. */
  readonly operation: string
}

/** What earlier runs under a name have written. */
export interface Bookmark {
  /** Whether it was kept with another key: a new one of the same company, or that of another company. */
  readonly isOfOtherKey: boolean
  /** Whether a record is new; from then on it is not. */
  isNew(record: JsonObject): boolean
  /** Keeps what was new, once it is written. Throws a Failure when it cannot be kept. */
  keep(): Promise<void>
}

/**
 * The bookmark of a name; an empty one for a name never used. The order in which the service
 * lists records is not documented, so it remembers each record by a digest of its `id`, not a place in the list.
 * Throws a usage failure for a bookmark of another service, and for a damaged one, which it leaves as it is.
 */
export async function openBookmark(directory: string, name: string, place: Place): Promise<Bookmark> {
  const folder = join(directory, 'bookmarks')
  const file = join(folder, `${named(name)}.json`)
  const kept = await readKept(file, name, place)
  const seen = new Set(kept?.seen)
  return {
    isOfOtherKey: kept?.account !== undefined && kept.account !== place.account,
    isNew(record) {
      const digest = digestOf(record)
      const isNew = !seen.has(digest)
      seen.add(digest)
      return isNew
    },
    async keep() {
      await ensurePrivateDirectory(directory)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFileAtomic(file, `${JSON.stringify({ version: 1, ...place, seen: [...seen] })}\n`, true)
    },
  }
}

function named(name: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name)) return name
  throw usage(
    '--since-last takes a name of letters, digits, hyphens and underscores, such as --since-last nightly.',
  )
}

async function readKept(file: string, name: string, place: Place): Promise<Kept | undefined> {
  const bytes = await readFile(file).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined
    throw usage(`The bookmark ${file} cannot be read (${systemCode(error)}).`)
  })
  if (!bytes) return undefined
  const kept = parsed(bytes)
  if (!isKept(kept)) {
    const hint = `To start again, with every record as new: mv '${file}' '${file}.bak'`
    throw usage(`The bookmark ${file} is damaged. It was left as it is.`, hint)
  }
  const [theirs, ours] = [partsOf(kept, place.base), partsOf(place, place.base)]
  const other = theirs.findIndex((each, at) => each !== ours[at])
  if (other < 0) return kept
  throw usage(
    `The bookmark ${name} is for ${theirs[other]}, not for ${ours[other]}. Nothing was written.`,
    'Choose another name for --since-last.',
  )
}

/** What a bookmark belongs to. One that does not say which path it is of counts for any. */
function partsOf({ origin, base, profile, operation }: Place, otherwise = ''): string[] {
  return [`${origin}${base ?? otherwise}`, profile, operation]
}

interface Kept extends Place {
  readonly seen: readonly string[]
}

function isKept(value: Json): value is Kept {
  if (!isObject(value) || value.version !== 1 || !Array.isArray(value.seen)) return false
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
  const known = idOf(record) ?? stringifyJson(record)
  return createHash('sha256').update(known).digest('base64url').slice(0, 16)
}
