import { usage } from '../errors.ts'
import { type Connection, connect } from './connection.ts'
import { defaultVatCodes, vatCodesSince } from './default-vat-codes.ts'
import { openTable, type Table } from './table.ts'

/** One for each resource. A name more is a schema version more. */
const tableNames = ['candidates', 'payment_rates', 'vat_codes'] as const
const schemaVersion = 1

export type TableName = (typeof tableNames)[number]

/** Everything that the sandbox remembers: JSON documents in a file of SQLite. */
export interface Database {
  readonly tables: Readonly<Record<TableName, Table>>
  /** All or nothing, and no other process writes meanwhile. Not to be nested. */
  readonly transaction: <T>(work: () => T) => T
  readonly close: () => void
}

/** The sandbox's database in this file, made if it is not there. Throws a usage failure when it cannot be used. */
export async function openDatabase(file: string): Promise<Database> {
  const connection = await connect(file)
  const tables = Object.fromEntries(
    tableNames.map((name) => [name, openTable(connection, name)]),
  ) as Database['tables']
  const transaction: Database['transaction'] = (work) => connection.transaction(work).immediate()
  const database = { tables, transaction, close: () => void connection.close() }

  const version = versionOf(connection)
  if (version > schemaVersion) {
    connection.close()
    throw usage(
      `The sandbox file ${file} was made by a newer version of this tool.`,
      'Use that version, or move the file away: the next run makes a new one.',
    )
  }
  if (version < schemaVersion) transaction(() => makeTables(connection, database))
  return database
}

/** Forgets every record; the VAT codes are there again as in a new sandbox. */
export function resetDatabase(database: Database): void {
  database.transaction(() => {
    for (const table of Object.values(database.tables)) table.clear()
    addVatCodes(database)
  })
}

function makeTables(connection: Connection, database: Database): void {
  // Another process may have been quicker.
  if (versionOf(connection) === schemaVersion) return
  for (const name of tableNames) {
    connection.exec(`
      CREATE TABLE IF NOT EXISTS ${name} (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        variant TEXT NOT NULL,
        body TEXT NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
      );
      CREATE INDEX IF NOT EXISTS ${name}_by_variant ON ${name} (variant, sequence);
    `)
  }
  addVatCodes(database)
  connection.exec(`PRAGMA user_version = ${schemaVersion}`)
}

function addVatCodes({ tables }: Database): void {
  for (const { id, body } of defaultVatCodes) tables.vat_codes.insert('', body, vatCodesSince, id)
}

function versionOf(connection: Connection): number {
  const row = connection.prepare('PRAGMA user_version').get()
  return (row as { user_version: number }).user_version
}
