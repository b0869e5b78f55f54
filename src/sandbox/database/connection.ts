import { chmod, mkdir, open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { Database as Connection } from 'libsql'
import { type Failure, noRoom, usage } from '../../errors.ts'

export type { Connection }

/** How long to wait while another process writes, in milliseconds. */
const busyTimeout = 5000

/**
 * Connects to the file and makes it if needed. Only its owner can read it (0600), because people practise with real
 * data. Throws a usage failure if the file cannot be opened or is not a database, or if the database is not installed.
 */
export async function connect(file: string): Promise<Connection> {
  const Libsql = await loadLibsql()
  await createPrivateFile(file)
  try {
    const connection = new Libsql(file)
    connection.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
    // Reading and writing processes do not wait for each other or for the disk: a killed process loses nothing, a
    // crash of the machine may lose the last practice run.
    connection.exec('PRAGMA journal_mode = WAL')
    connection.exec('PRAGMA synchronous = NORMAL')
    return connection
  } catch (error) {
    throw databaseFailure(file, error)
  }
}

/** The failure for a SQLite error while a file is opened or set up: the disk is full, or the file is not ours. */
export function databaseFailure(file: string, error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // SQLite has already rolled back; rolling back again causes the SQLITE_ERROR that arrives here.
  if (/^SQLITE_(FULL|IOERR|ERROR)/.test(code)) {
    return noRoom(`There is no room to write the sandbox file ${file} (${code}). Nothing was applied.`)
  }
  return usage(
    `The sandbox file ${file} is not a database, or cannot be written.`,
    'Move it away: the next run makes a new one.',
  )
}

/** Loaded on demand: only the sandbox needs the database, so only the sandbox fails without it. */
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
    // Others may be able to read a file that existed before.
    await chmod(file, 0o600)
  } catch {
    throw usage(
      `The sandbox file ${file} cannot be written.`,
      'Check who owns it and its folder, or set PAYROLL_CONFIG_DIR to a directory of your own.',
    )
  }
}

/**
 * Whether the sandbox's database is installed. It is a native module and an optional dependency: everything else works
 * without it. Looks for the package without loading it.
 */
export function isDatabaseInstalled(): boolean {
  try {
    return createRequire(import.meta.url).resolve('libsql') !== ''
  } catch {
    return false
  }
}

export const howToInstall =
  'Install payroll again with its optional packages: npm install --global --include=optional <what you installed>'

/** The failure when the sandbox cannot run here. Nothing was made. */
function notInstalled(): Failure {
  return usage(
    'The sandbox needs the package libsql, which is not installed here or does not run on this computer. Everything else works without it.',
    howToInstall,
  )
}
