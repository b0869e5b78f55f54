import { existsSync } from 'node:fs'
import { join } from 'node:path'
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
    return createSchema(connection)
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

function createSchema(connection: Connection): Database {
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
  if (missingTables(connection).length > 0) transaction(() => makeTables(connection, database))
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

/** Adds the tables that the file does not have yet, and the VAT codes to a new one. */
function makeTables(connection: Connection, database: Database): void {
  // Asked again, because another process may have been quicker.
  const missing = missingTables(connection)
  for (const name of missing) makeRecordTable(connection, snakeCase(name))
  if (missing.includes('vatCodes')) addVatCodes(database)
}

function addVatCodes({ tables }: Database): void {
  for (const { id, body } of defaultVatCodes) tables.vatCodes.insert('', body, Date.UTC(2026, 0, 1), id)
}

function missingTables(connection: Connection): readonly TableName[] {
  const rows = connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  const there = new Set((rows as { name: string }[]).map(({ name }) => name))
  return tableNames.filter((name) => !there.has(snakeCase(name)))
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The VAT codes of a new sandbox, 2026. "VATRate (string with a percent sign)"; the rest is made up. */
export const defaultVatCodes: readonly { readonly id: string; readonly body: JsonObject }[] = Object.values(
  sandboxCountries,
)
  .flatMap(({ vatCodes }) => vatCodes)
  .map(([description, VATRate, VATCode], index) => ({
    id: `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
    body: { description, VATRate, VATCode },
  }))
