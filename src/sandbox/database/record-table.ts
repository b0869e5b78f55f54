import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../files/json/path.ts'
import type { PageQuery } from '../requests.ts'
import type { Connection } from './connection.ts'

/** One record as the sandbox keeps it. */
export interface StoredRecord {
  readonly id: string
  /** Counts up within the table, from 1. */
  readonly sequence: number
  /** The body of the create request, with later updates. */
  readonly body: JsonObject
  /** ISO 8601 UTC with milliseconds. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** The records of one resource. `country` is empty where it has none; its column is called `variant`. */
export type RecordTable = ReturnType<typeof openTable>

const recordColumns = 'sequence, id, body, created_at AS createdAt, updated_at AS updatedAt'

/** Makes the table if it does not exist. `name` as for `openTable`. */
export function makeRecordTable(connection: Connection, name: string): void {
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

/** `name` becomes part of the SQL, so it must come from the schema, never from a request. */
export function openTable(connection: Connection, name: string) {
  const insertion = `INSERT INTO ${name} (id, variant, body, created_at, updated_at) VALUES (?, ?, ?, ?, ?)`
  // Prepare it again each time: after an error, a libsql statement repeats that error at its next use.
  const rows = (sql: string, ...values: unknown[]) =>
    connection
      .prepare(sql)
      .all(...values)
      .map(toRecord)
  const readPage = createPageReader(connection, name)

  return {
    insert(country: string, body: JsonObject, at: number, id: string = randomUUID()): StoredRecord {
      const now = new Date(at).toISOString()
      const { lastInsertRowid } = connection
        .prepare(insertion)
        .run(id, country, JSON.stringify(body), now, now)
      return { sequence: Number(lastInsertRowid), id, body, createdAt: now, updatedAt: now }
    },
    /** Adds many records that have ids already. Call it inside a transaction, where it is quick. */
    insertAll(
      country: string,
      records: Iterable<{ readonly id: string; readonly body: JsonObject }>,
      at: number,
    ) {
      const now = new Date(at).toISOString()
      const statement = connection.prepare(insertion)
      for (const { id, body } of records) statement.run(id, country, JSON.stringify(body), now, now)
    },
    find: (country: string, id: string): StoredRecord | undefined =>
      rows(`SELECT ${recordColumns} FROM ${name} WHERE variant = ? AND id = ?`, country, id)[0],
    replace(id: string, body: JsonObject, at: number) {
      connection
        .prepare(`UPDATE ${name} SET body = ?, updated_at = ? WHERE id = ?`)
        .run(JSON.stringify(body), new Date(at).toISOString(), id)
    },
    remove(id: string) {
      connection.prepare(`DELETE FROM ${name} WHERE id = ?`).run(id)
    },
    /** Oldest first. A page past the end is empty, but has the right total. */
    page(country: string, paging: PageQuery) {
      const { rows, total } = readPage(country, paging)
      return { records: rows.map(toRecord), total }
    },
    countRecords: (country: string) => count(connection, name, country),
    all: (country: string) =>
      rows(`SELECT ${recordColumns} FROM ${name} WHERE variant = ? ORDER BY sequence`, country),
    /** Deletes every record and starts counting from 1 again. */
    clear() {
      connection.prepare(`DELETE FROM ${name}`).run()
      connection.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(name)
    },
  }
}

function toRecord(row: unknown): StoredRecord {
  const { sequence, id, body, createdAt, updatedAt } = row as StoredRecord & { readonly body: string }
  return { sequence, id, body: JSON.parse(body), createdAt, updatedAt }
}

function count(connection: Connection, name: string, country: string): number {
  const row = connection.prepare(`SELECT count(*) AS total FROM ${name} WHERE variant = ?`).get(country)
  return (row as { total: number }).total
}

/** Enough for a hundred thousand records in pages of ten. */
const mostOffsets = 10_000

/**
 * Reads a page of a country with the total. It remembers where pages ended, until any process writes: deep
 * pages cost no more than the first. Not inside a transaction that writes.
 */
function createPageReader(connection: Connection, name: string) {
  const totals = new Map<string, number>()
  /** By country and offset: the sequence number of the last record before it. */
  const ends = new Map<string, number>()
  let version = ''

  /** Undefined past the end: another process may have deleted records meanwhile. */
  function lastBefore(country: string, offset: number): number | undefined {
    if (offset === 0) return 0
    const sql = `SELECT sequence FROM ${name} WHERE variant = ? ORDER BY sequence LIMIT 1 OFFSET ?`
    const row = connection.prepare(sql).get(country, offset - 1)
    return (row as { sequence: number } | undefined)?.sequence
  }

  return (country: string, { page, size }: PageQuery): { rows: unknown[]; total: number } => {
    const before = version
    version = dataVersion(connection)
    if (version !== before) totals.clear()
    if (version !== before || ends.size === mostOffsets) ends.clear()
    const total = totals.get(country) ?? count(connection, name, country)
    totals.set(country, total)
    const offset = (page - 1) * size
    const pageEnd = ends.get(`${country} ${offset}`)
    const last = offset < total ? (pageEnd ?? lastBefore(country, offset)) : undefined
    if (last === undefined) return { rows: [], total }
    const sql = `SELECT ${recordColumns} FROM ${name} WHERE variant = ? AND sequence > ? ORDER BY sequence LIMIT ?`
    const rows = connection.prepare(sql).all(country, last, size)
    const end = rows.at(-1) as { sequence: number } | undefined
    if (end) ends.set(`${country} ${offset + rows.length}`, end.sequence)
    return { rows, total }
  }
}

/** Changes with every write: `data_version` counts writes of other connections, `total_changes` our own. */
function dataVersion(connection: Connection): string {
  const version = connection.prepare('PRAGMA data_version').get() as { data_version: number }
  const own = connection.prepare('SELECT total_changes() AS own').get() as { own: number }
  return `${version.data_version} ${own.own}`
}
