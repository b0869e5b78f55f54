import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject, type Json } from '../../api/contract/path.ts'
import { Failure, usage } from '../../errors.ts'
import { writeWhole } from '../../files/write-whole.ts'
import { ensurePrivateDirectory, systemCode } from '../../profile/directory.ts'

/** What a bookmark is for: it is not taken for one of another service. */
interface Title {
  readonly name: string
  readonly profile: string
  readonly origin: string
  readonly operation: string
}

/** The records that an export has written before, by their ids. */
export interface Bookmark {
  /** What is not among them, page by page. */
  unseen(pages: AsyncIterable<readonly Json[]>): AsyncGenerator<readonly Json[]>
  /** Adds what `unseen` gave. Only once that was written whole. */
  save(now: number): Promise<void>
}

/**
 * assumed: an id stays with its record. In which order a list comes, and whether a late payslip comes last, is not
 * shown, so no date and no count can tell what is new; the ids can. Kept as fingerprints, for this user alone. Throws
 * a usage failure for a bookmark that cannot be read: it is never begun again behind anybody's back.
 */
export async function openBookmark(directory: string, title: Title): Promise<Bookmark> {
  const folder = join(directory, 'bookmarks')
  await ensurePrivateDirectory(folder)
  const path = join(folder, `${fingerprint(JSON.stringify(Object.values(title)))}.json`)
  const before = await readSeen(path)
  const seen = new Set(before)
  return {
    async *unseen(pages) {
      for await (const items of pages) {
        const fresh = items.filter((item) => {
          const mark = fingerprint(idOf(item))
          return !seen.has(mark) && seen.add(mark)
        })
        if (fresh.length > 0) yield fresh
      }
    },
    save: (now) =>
      writeWhole(
        path,
        `${JSON.stringify({ version: 1, ...title, saved: new Date(now).toISOString(), seen: [...seen].join(' ') })}\n`,
        true,
      ),
  }
}

async function readSeen(path: string): Promise<readonly string[]> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw unreadable(path)
  }
  let kept: Json
  try {
    kept = JSON.parse(text)
  } catch {
    throw unreadable(path)
  }
  if (!isObject(kept) || kept.version !== 1 || typeof kept.seen !== 'string') throw unreadable(path)
  return kept.seen.split(' ').filter(Boolean)
}

function unreadable(path: string): Failure {
  return usage(
    `The bookmark ${path} cannot be read. Nothing was written.`,
    'Take it away to begin anew: everything counts as new then.',
  )
}

function idOf(item: Json): string {
  const id = isObject(item) ? item.id : undefined
  if (typeof id === 'string' || typeof id === 'number') return String(id)
  throw new Failure('answer', 'A record of the list has no id, so nobody can tell which are new.', {
    hint: 'Leave --since-last out to get all of them.',
  })
}

const fingerprint = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16)
