import { chmod, open } from 'node:fs/promises'
import { type Failure, noRoom, usage } from '../../errors.ts'

/** An open SQLite database: what the sandbox uses of `node:sqlite`, and of libsql, which offers the same. */
export interface Connection {
  exec(sql: string): unknown
  prepare(sql: string): {
    run(...values: unknown[]): { readonly lastInsertRowid: number | bigint }
    get(...values: unknown[]): unknown
    all(...values: unknown[]): unknown[]
  }
  close(): unknown
}

/** How long to wait while another process writes, in milliseconds. */
const busyTimeout = 5000

/** Connects to the file (0600: people practise with real data), made if needed. Throws a usage failure. */
export async function openConnection(file: string): Promise<Connection> {
  const openFile = await loadSqlite()
  await createPrivateFile(file)
  try {
    const connection = openFile(file)
    connection.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
    // Readers and writers do not wait for each other or the disk. A killed process loses nothing; a crash of
    // the machine may lose the last practice run.
    connection.exec('PRAGMA journal_mode = WAL')
    connection.exec('PRAGMA synchronous = NORMAL')
    return connection
  } catch (error) {
    throw databaseFailure(file, error)
  }
}

/** The failure for a SQLite error while a file is opened or set up: the disk is full, or the file is not ours. */
export function databaseFailure(file: string, error: unknown): Failure {
  const code = errorCode(error)
  // SQLite has already rolled back; rolling back again causes the SQLITE_ERROR that arrives here.
  if (/^SQLITE_(FULL|IOERR|ERROR)/.test(code)) {
    return noRoom(`There is no room to write the sandbox file ${file} (${code}). Nothing was applied.`)
  }
  return usage(
    `The sandbox file ${file} is not a database, or cannot be written.`,
    'Move it away: the next run makes a new one.',
  )
}

/** The codes of SQLite (https://sqlite.org/rescode.html) that `databaseFailure` tells apart. */
const sqliteCodes: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  10: 'SQLITE_IOERR',
  13: 'SQLITE_FULL',
}

/** The code of SQLite as libsql names it; `node:sqlite` gives its number, whose last eight bits are the kind. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code = '', errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  return (typeof errcode === 'number' && sqliteCodes[errcode & 0xff]) || String(code)
}

/** Whether SQLite itself reports the error, and no line of ours. */
export const isSqliteError = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'SqliteError' || ('code' in error && error.code === 'ERR_SQLITE_ERROR'))

/**
 * SQLite of Node itself from 22.13 on, before that the native libsql, an optional package that only the
 * sandbox needs. Throws a usage failure that says why it does not load and what to do; nothing was made.
 */
export async function loadSqlite(): Promise<(file: string) => Connection> {
  const own = sqliteOfNode()
  if (own) return (file) => new own.DatabaseSync(file)
  try {
    const { default: Libsql } = await import('libsql')
    return (file) => new Libsql(file)
  } catch (error) {
    // The native part may be missing, be of another system, or want a library or a glibc that is not there.
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw usage(
      `The sandbox cannot run: its database, the package libsql, is not installed or does not load${code}. Everything else works without it.`,
      'Use Node 22.13 or newer, which has a database of its own, or install payroll again on this computer with its optional packages: npm install --global --include=optional <what you installed>',
    )
  }
}

interface SqliteOfNode {
  readonly DatabaseSync: new (file: string) => Connection
}

/** The SQLite of Node; undefined where Node has none, or only behind a flag. */
function sqliteOfNode(): SqliteOfNode | undefined {
  const { emitWarning } = process
  // Node calls the module experimental, on the standard error of whoever lists candidates.
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule?.('node:sqlite') as unknown as SqliteOfNode | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}

async function createPrivateFile(file: string): Promise<void> {
  try {
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
