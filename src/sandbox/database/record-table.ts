import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../http/json.ts'
import type { Paging } from '../http/read-paging.ts'
import type { Connection } from './connection.ts'
import { createPageReader } from './page-reader.ts'

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

/** The records of one resource. Each variant is a list of its own. */
export interface Table {
  readonly insert: (variant: string, body: JsonObject, at: number, id?: string) => StoredRecord
  /** Adds many records that have ids already. Call it inside a transaction, where it is quick. */
  readonly insertAll: (
    variant: string,
    records: Iterable<{ readonly id: string; readonly body: JsonObject }>,
    at: number,
  ) => void
  readonly find: (variant: string, id: string) => StoredRecord | undefined
  readonly replace: (id: string, body: JsonObject, at: number) => void
  /** Deletes one record. */
  readonly remove: (id: string) => void
  /** Oldest first. A page past the end is empty, but has the right total. */
  readonly page: (variant: string, paging: Paging) => { records: StoredRecord[]; total: number }
  readonly all: (variant: string) => StoredRecord[]
  readonly count: (variant: string) => number
  /** Deletes every record and starts counting from 1 again. */
  readonly clear: () => void
}

const columns = 'sequence, id, body, created_at, updated_at'

/** Makes the table if it does not exist. `name` as for `openTable`. */
export function makeTable(connection: Connection, name: string): void {
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
export function openTable(connection: Connection, name: string): Table {
  const insertion = `INSERT INTO ${name} (id, variant, body, created_at, updated_at) VALUES (?, ?, ?, ?, ?)`
  // Prepare it again each time: after an error, a libsql statement repeats that error at its next use.
  const rows = (sql: string, ...values: unknown[]) =>
    connection
      .prepare(sql)
      .all(...values)
      .map(toRecord)
  const readPage = createPageReader(connection, { name, columns })

  return {
    insert(variant, body, at, id = randomUUID()) {
      const now = new Date(at).toISOString()
      const { lastInsertRowid } = connection
        .prepare(insertion)
        .run(id, variant, JSON.stringify(body), now, now)
      return { sequence: Number(lastInsertRowid), id, body, createdAt: now, updatedAt: now }
    },
    insertAll(variant, records, at) {
      const now = new Date(at).toISOString()
      const statement = connection.prepare(insertion)
      for (const { id, body } of records) statement.run(id, variant, JSON.stringify(body), now, now)
    },
    find: (variant, id) =>
      rows(`SELECT ${columns} FROM ${name} WHERE variant = ? AND id = ?`, variant, id)[0],
    replace(id, body, at) {
      connection
        .prepare(`UPDATE ${name} SET body = ?, updated_at = ? WHERE id = ?`)
        .run(JSON.stringify(body), new Date(at).toISOString(), id)
    },
    remove(id) {
      connection.prepare(`DELETE FROM ${name} WHERE id = ?`).run(id)
    },
    page(variant, paging) {
      const { rows, total } = readPage(variant, paging)
      return { records: rows.map(toRecord), total }
    },
    count: (variant) => count(connection, name, variant),
    all: (variant) => rows(`SELECT ${columns} FROM ${name} WHERE variant = ? ORDER BY sequence`, variant),
    clear() {
      connection.prepare(`DELETE FROM ${name}`).run()
      connection.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(name)
    },
  }
}

interface Row {
  sequence: number
  id: string
  body: string
  created_at: string
  updated_at: string
}

function toRecord(row: unknown): StoredRecord {
  const { sequence, id, body, created_at, updated_at } = row as Row
  return { sequence, id, body: JSON.parse(body), createdAt: created_at, updatedAt: updated_at }
}

function count(connection: Connection, name: string, variant: string): number {
  const row = connection.prepare(`SELECT count(*) AS total FROM ${name} WHERE variant = ?`).get(variant)
  return (row as { total: number }).total
}
