import { usage } from '../../errors.ts'
import { makeSecrets, openSecrets, type Secrets } from '../oauth/oauth-secrets.ts'
import { clientsSince, defaultClients } from '../seed/default-clients.ts'
import { defaultVatCodes, vatCodesSince } from '../seed/default-vat-codes.ts'
import { type Connection, connect, databaseFailure } from './connection.ts'
import { makeTable, openTable, type Table } from './record-table.ts'

/** One table for each resource. A new name needs a new schema version. */
const tableNames = [
  'candidates',
  'payment_rates',
  'vat_codes',
  'timesheets',
  'payslips',
  'documents',
  'document_contents',
  'oauth_clients',
] as const
const schemaVersion = 2

export type TableName = (typeof tableNames)[number]

/** The sandbox's data: JSON documents in a SQLite file. */
export interface Database {
  readonly tables: Readonly<Record<TableName, Table>>
  /** OAuth codes and tokens. */
  readonly secrets: Secrets
  /** All or nothing; no other process writes meanwhile. Cannot be nested. */
  readonly transaction: <T>(work: () => T) => T
  readonly close: () => void
}

/** Opens the sandbox's database and makes it if needed. Throws a usage failure if it cannot be used. */
export async function openDatabase(file: string): Promise<Database> {
  const connection = await connect(file)
  try {
    return createSchema(file, connection)
  } catch (error) {
    connection.close()
    throw error instanceof Error && error.name === 'SqliteError' ? databaseFailure(file, error) : error
  }
}

/** Makes all tables of the database. */
function createSchema(file: string, connection: Connection): Database {
  const tables = Object.fromEntries(
    tableNames.map((name) => [name, openTable(connection, name)]),
  ) as Database['tables']
  const secrets = openSecrets(connection)
  const transaction: Database['transaction'] = (work) => connection.transaction(work).immediate()
  const database = { tables, secrets, transaction, close: () => void connection.close() }

  const version = versionOf(connection)
  if (version > schemaVersion) {
    throw usage(
      `The sandbox file ${file} was made by a newer version of this tool.`,
      'Use that version, or move the file away: the next run makes a new one.',
    )
  }
  if (version < schemaVersion) transaction(() => makeTables(connection, database))
  return database
}

/** Deletes every record, then adds the VAT codes and OAuth clients of a new sandbox. */
export function resetDatabase(database: Database): void {
  database.transaction(() => {
    for (const table of Object.values(database.tables)) table.clear()
    database.secrets.clear()
    addVatCodes(database)
    addClients(database)
  })
}

/** Adds the tables that the file does not have yet. Keeps those of an older version, with their records. */
function makeTables(connection: Connection, database: Database): void {
  // Read it again, because another process may have been quicker.
  const version = versionOf(connection)
  if (version >= schemaVersion) return
  for (const name of tableNames) makeTable(connection, name)
  makeSecrets(connection)
  if (version < 1) addVatCodes(database)
  if (version < 2) addClients(database)
  connection.exec(`PRAGMA user_version = ${schemaVersion}`)
}

function addVatCodes({ tables }: Database): void {
  for (const { id, body } of defaultVatCodes) tables.vat_codes.insert('', body, vatCodesSince, id)
}

function addClients({ tables }: Database): void {
  for (const { id, body } of defaultClients) tables.oauth_clients.insert('', body, clientsSince, id)
}

function versionOf(connection: Connection): number {
  const row = connection.prepare('PRAGMA user_version').get()
  return (row as { user_version: number }).user_version
}
