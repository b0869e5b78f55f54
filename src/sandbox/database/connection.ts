import { chmod, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Database as Connection } from 'libsql'
import { type Failure, noRoom, usage } from '../../errors.ts'
import { notInstalled } from './not-installed.ts'

export type { Connection }

/** How long one process waits for another that writes, in milliseconds. */
const busyTimeout = 5000

/**
 * A connection to the file, which is made if it is not there, and is its owner's alone (0600): a sandbox is
 * for practice, and people practise with real data all the same. Throws a usage failure when the file cannot
 * be opened or is no database, and when the database is not installed.
 */
export async function connect(file: string): Promise<Connection> {
  const Libsql = await loadLibsql()
  await createPrivateFile(file)
  try {
    const connection = new Libsql(file)
    connection.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
    // Readers and a writer of two processes do not wait for each other, and nothing waits for the disk: a
    // killed process loses nothing, a lost machine may lose the last practice run.
    connection.exec('PRAGMA journal_mode = WAL')
    connection.exec('PRAGMA synchronous = NORMAL')
    return connection
  } catch (error) {
    throw databaseFailure(file, error)
  }
}

/** What it means that SQLite fails while a file is opened or laid out: there is no room for it, or it is none of ours. */
export function databaseFailure(file: string, error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // SQLite rolls back by itself then; that this is done once more is the SQLITE_ERROR that arrives here.
  if (/^SQLITE_(FULL|IOERR|ERROR)/.test(code)) {
    return noRoom(`There is no room to write the sandbox file ${file} (${code}). Nothing was applied.`)
  }
  return usage(
    `The sandbox file ${file} is not a database, or cannot be written.`,
    'Move it away: the next run makes a new one.',
  )
}

/** Loaded only when needed: only the sandbox pays for the database, and only the sandbox misses it. */
async function loadLibsql(): Promise<typeof import('libsql')> {
  try {
    return (await import('libsql')).default
  } catch {
    throw notInstalled()
  }
}

async function createPrivateFile(file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const handle = await open(file, 'a', 0o600)
    await handle.close()
    // A file that was there already may be open to others.
    await chmod(file, 0o600)
  } catch {
    throw usage(`The sandbox file ${file} cannot be written.`, 'Check who owns it and its folder.')
  }
}
