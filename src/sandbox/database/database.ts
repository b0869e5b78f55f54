import { usage } from '../../errors.ts'
import { makeSecrets, openSecrets, type Secrets } from '../oauth/oauth-secrets.ts'
import { clientsSince, defaultClients } from '../seed/default-clients.ts'
import { defaultVatCodes, vatCodesSince } from '../seed/default-vat-codes.ts'
import { type Connection, connect, databaseFailure } from './connection.ts'
import { makeTable, openTable, type Table } from './record-table.ts'

/** One for each resource. A name more is a schema version more. */
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

/** Everything that the sandbox remembers: JSON documents in a file of SQLite. */
export interface Database {
  readonly tables: Readonly<Record<TableName, Table>>
  /** Codes and tokens of OAuth. */
  readonly secrets: Secrets
  /** All or nothing, and no other process writes meanwhile. Not to be nested. */
  readonly transaction: <T>(work: () => T) => T
  readonly close: () => void
}

/** The sandbox's database in this file, made if it is not there. Throws a usage failure when it cannot be used. */
export async function openDatabase(file: string): Promise<Database> {
  const connection = await connect(file)
  try {
    return createSchema(file, connection)
  } catch (error) {
    connection.close()
    throw error instanceof Error && error.name === 'SqliteError' ? databaseFailure(file, error) : error
  }
}

/** The database of a connection, with all its tables made. */
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

/** Forgets every record; the VAT codes and the clients of OAuth are there again as in a new sandbox. */
export function resetDatabase(database: Database): void {
  database.transaction(() => {
    for (const table of Object.values(database.tables)) table.clear()
    database.secrets.clear()
    addVatCodes(database)
    addClients(database)
  })
}

/** Makes what the file does not have yet. What an older version made stays, with all its records. */
function makeTables(connection: Connection, database: Database): void {
  // Read again: another process may have been quicker.
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
