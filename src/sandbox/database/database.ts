import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { usage } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { operations } from '../../model/resources/operations.ts'
import { sandboxCountries } from '../countries/countries.ts'
import { type Connection, databaseFailure, isSqliteError, loadSqlite, openConnection } from './connection.ts'
import { makeRecordTable, openTable, type RecordTable } from './record-table.ts'

type Operations = typeof operations

/** The resources that have a list, and so records. */
type ListedResource = {
  [Name in keyof Operations]: 'list' extends keyof Operations[Name] ? Name : never
}[keyof Operations]

/** The name of a table: a resource that has a list, or one that no operation lists. */
export type TableName = ListedResource | 'documentContents' | 'oauthTokens'

const listNames = Object.entries(operations).flatMap(([name, verbs]) => ('list' in verbs ? [name] : []))

/** One table for each resource of the contract that has records, and two that no operation lists. */
const tableNames = [...listNames, 'documentContents', 'oauthTokens'] as readonly TableName[]

/** Counts up when a new file starts with more records. A new table needs no number. */
const schemaVersion = 2

/** The sandbox's data: JSON documents in a SQLite file. */
export interface Database {
  readonly tables: Readonly<Record<TableName, RecordTable>>
  /** All or nothing; no other process writes meanwhile. Cannot be nested. */
  readonly transaction: <T>(change: () => T) => T
  /** Has no effect the second time. */
  readonly close: () => void
}

/** The sandbox's database, next to the settings: the next run finds what this one creates. */
export const databaseFile = (directory: string): string => join(directory, 'sandbox.db')

/** Opens the sandbox's database and makes it if needed. Throws a usage failure if it cannot be used. */
export async function openDatabase(file: string): Promise<Database> {
  const connection = await openConnection(file)
  try {
    return createSchema(file, connection)
  } catch (error) {
    connection.close()
    throw isSqliteError(error) ? databaseFailure(file, error) : error
  }
}

/** Throws what `openDatabase` would, and makes no file. */
export async function tryDatabase(file: string): Promise<void> {
  if (existsSync(file)) (await openDatabase(file)).close()
  else await loadSqlite()
}

function createSchema(file: string, connection: Connection): Database {
  const tables = Object.fromEntries(
    tableNames.map((name) => [name, openTable(connection, snakeCase(name))]),
  ) as Database['tables']
  const transaction: Database['transaction'] = (change) => runTransaction(connection, change)
  let isOpen = true
  const close = () => {
    if (isOpen) connection.close()
    isOpen = false
  }
  const database = { tables, transaction, close }

  const version = storedVersion(connection)
  if (version > schemaVersion) {
    throw usage(
      `The sandbox ${file} was written by a newer payroll: it has format ${version}, and this one knows format ${schemaVersion}. It was left untouched.`,
      'Update payroll, or move the file away: the next run makes a new one.',
    )
  }
  if (version < schemaVersion || lacksTable(connection)) transaction(() => makeTables(connection, database))
  return database
}

function runTransaction<T>(connection: Connection, change: () => T): T {
  connection.exec('BEGIN IMMEDIATE')
  try {
    const result = change()
    connection.exec('COMMIT')
    return result
  } catch (error) {
    try {
      connection.exec('ROLLBACK')
    } catch {
      // Where the disk is full SQLite has rolled back already.
    }
    throw error
  }
}

/** Deletes every record, then adds the VAT codes of a new sandbox. */
export function resetDatabase(database: Database): void {
  database.transaction(() => {
    for (const table of Object.values(database.tables)) table.clear()
    addVatCodes(database)
  })
}

/** Adds the tables that the file does not have yet. Keeps those of an older version, with their records. */
function makeTables(connection: Connection, database: Database): void {
  // Read it again, because another process may have been quicker.
  const version = storedVersion(connection)
  for (const name of tableNames) makeRecordTable(connection, snakeCase(name))
  if (version < 1) addVatCodes(database)
  connection.exec(`PRAGMA user_version = ${schemaVersion}`)
}

function addVatCodes({ tables }: Database): void {
  for (const { id, body } of defaultVatCodes) tables.vatCodes.insert('', body, Date.UTC(2026, 0, 1), id)
}

function lacksTable(connection: Connection): boolean {
  const rows = connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  const there = new Set((rows as { name: string }[]).map(({ name }) => name))
  return tableNames.some((name) => !there.has(snakeCase(name)))
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function storedVersion(connection: Connection): number {
  const row = connection.prepare('PRAGMA user_version').get()
  return (row as { user_version: number }).user_version
}

/** The VAT codes of a new sandbox, 2026. "VATRate (string with a percent sign)"; the rest is made up. */
export const defaultVatCodes: readonly { readonly id: string; readonly body: JsonObject }[] = Object.values(
  sandboxCountries,
)
  .flatMap(({ vatCodes }) => vatCodes)
  .map(([description, VATRate, VATCode], index) => ({
    id: `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
    body: { description, VATRate, VATCode },
  }))
