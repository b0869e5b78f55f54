import { randomUUID } from 'node:crypto'
import { link, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure, usage } from '../errors.ts'

/** What is written: at once, or as it comes. */
type Content = string | Uint8Array | AsyncIterable<string | Uint8Array>

/**
 * Writes a file whole or not at all, for its owner alone (0600): a neighbour is written and synced, then takes the
 * name. What is there is overwritten only when asked, and never through a symbolic link. Throws a Failure: exit 2
 * when the name cannot be had, exit 1 when the disk does not take it; and what the content throws as it comes.
 */
export async function writeWhole(path: string, content: Content, overwrite: boolean): Promise<void> {
  const there = await lstat(path).catch(() => undefined)
  if (there && !there.isFile()) throw usage(`${path} is not a plain file; it was left as it is.`)
  if (there && !overwrite) throw taken(path)
  const neighbour = join(dirname(path), `.payroll-${randomUUID()}.part`)
  try {
    await writeSynced(neighbour, content)
    if (overwrite) await rename(neighbour, path)
    // A link fails where a file is, whoever put it there meanwhile; a rename would replace it.
    else await link(neighbour, path)
  } catch (error) {
    throw isOfTheDisk(error) ? notWritten(path, error) : error
  } finally {
    await rm(neighbour, { force: true })
  }

async function writeSynced(path: string, content: Content): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    const parts = typeof content === 'object' && Symbol.asyncIterator in content ? content : [content]
    for await (const part of parts) await file.appendFile(part)
    await file.sync()
  } finally {
    await file.close()
  }
}

function isOfTheDisk(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error
}

function taken(path: string): Failure {
  return usage(`${path} is there already; it was left as it is.`, 'To overwrite it, add --force.')
}

function notWritten(path: string, { code }: NodeJS.ErrnoException): Failure {
  if (code === 'EEXIST') return taken(path)
  const disk = code === 'ENOSPC' || code === 'EIO' || code === 'EDQUOT'
  const message = `${path} could not be written (${code}). Nothing was left of it.`
  return disk ? new Failure('bug', message) : usage(message)
}
