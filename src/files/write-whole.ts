import { randomUUID } from 'node:crypto'
import { link, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure, usage } from '../errors.ts'

/**
 * Writes a file whole or not at all, for its owner alone (0600): a neighbour is written and synced, then takes the
 * name. What is there is overwritten only when asked, and never through a symbolic link. Throws a Failure: exit 2
 * when the name cannot be had, exit 1 when the disk does not take it.
 */
export async function writeWhole(
  path: string,
  content: string | Uint8Array,
  overwrite: boolean,
): Promise<void> {
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
    throw error instanceof Failure ? error : notWritten(path, error as NodeJS.ErrnoException)
  } finally {
    await rm(neighbour, { force: true })
  }
}

async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
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
