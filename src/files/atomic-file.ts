import { link, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure, isNoRoom, noRoom, usage } from '../errors.ts'
import { clearLeftovers, partName } from './leftovers.ts'
import { syncDirectory } from './sync-directory.ts'

/** What is written: at once, or as it comes. */
type Content = string | Uint8Array | AsyncIterable<string | Uint8Array>

/** A file on its way: a neighbour of its name that nobody else can read. */
export interface AtomicFile {
  write(content: Content): Promise<void>
  /** Gives it its name, once it is whole and on the disk. */
  finish(): Promise<void>
  /** Takes it away, finished or not; what has its name by now stays. */
  discard(): Promise<void>
}

/**
 * Writes a file whole or not at all, for its owner alone (0600): a neighbour is written and synced, then takes the
 * name. What is there is overwritten only when asked, and never through a symbolic link. Throws a Failure: exit 2
 * when the name cannot be had, exit 7 when there is no room, exit 1 when the disk fails.
 */
export async function writeFileAtomic(path: string, content: Content, overwrite: boolean): Promise<void> {
  const file = await openAtomic(path, overwrite)
  try {
    await file.write(content)
    await file.finish()
  } finally {
    await file.discard()
  }
}

/**
 * The same for a file that is written bit by bit. Throws as `writeWhole` does, each of its parts too. What a killed
 * run left beside it goes.
 */
export async function openAtomic(path: string, overwrite: boolean): Promise<AtomicFile> {
  const there = await lstat(path).catch(() => undefined)
  if (there && !there.isFile()) throw usage(`${path} is not a plain file; it was left as it is.`)
  if (there && !overwrite) throw taken(path)
  await clearLeftovers(dirname(path))
  const neighbour = join(dirname(path), partName())
  const file = await open(neighbour, 'wx', 0o600).catch(refuse)
  return {
    async write(content) {
      const parts = typeof content === 'object' && Symbol.asyncIterator in content ? content : [content]
      for await (const part of parts) await file.appendFile(part).catch(refuse)
    },
    async finish() {
      await file.sync().catch(refuse)
      await file.close()
      // A link fails where a file is, whoever put it there meanwhile; a rename would replace it.
      await (overwrite ? rename(neighbour, path) : link(neighbour, path)).catch(refuse)
      // The file has its name either way.
      await syncDirectory(dirname(path)).catch(() => {})
    },
    async discard() {
      await file.close()
      await rm(neighbour, { force: true })
    },
  }

  function refuse(error: NodeJS.ErrnoException): never {
    throw notWritten(path, error)
  }
}

function taken(path: string): Failure {
  return usage(`${path} is there already; it was left as it is.`, 'To overwrite it, add --force.')
}

function notWritten(path: string, { code }: NodeJS.ErrnoException): Failure {
  if (code === 'EEXIST') return taken(path)
  const message = `${path} could not be written (${code}). Nothing was left of it.`
  if (isNoRoom(code)) return noRoom(message)
  return code === 'EIO' ? new Failure('bug', message) : usage(message)
}
