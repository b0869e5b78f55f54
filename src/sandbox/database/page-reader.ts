import type { Paging } from '../http/read-paging.ts'
import type { Connection } from './connection.ts'

/** What stays true of a list until the next write: how long it is, and after which record each page starts. */
interface ListState {
  readonly version: string
  total: number
  /** By offset: the sequence number of the last record before it. */
  readonly before: Map<number, number>
}

/** Enough for a hundred thousand records in pages of ten. */
const mostOffsets = 10_000

/**
 * Reads one page of a variant, and how many records there are. It remembers where each page ended, so that the next
 * page deep in a long list costs no more than the first. It forgets this after a write by any process. Do not call it
 * inside a transaction that writes.
 */
export function createPageReader(
  connection: Connection,
  { name, columns }: { readonly name: string; readonly columns: string },
): (variant: string, paging: Paging) => { rows: unknown[]; total: number } {
  const lists = new Map<string, ListState>()

  function known(variant: string): ListState {
    const version = versionOf(connection)
    const held = lists.get(variant)
    if (held?.version === version) return held
    const row = connection.prepare(`SELECT count(*) AS total FROM ${name} WHERE variant = ?`).get(variant)
    const fresh: ListState = { version, total: (row as { total: number }).total, before: new Map() }
    lists.set(variant, fresh)
    return fresh
  }

  /** The sequence number of the last record before the offset; 0 at the start, undefined past the end. */
  function lastBefore(variant: string, offset: number, before: ListState['before']): number | undefined {
    if (offset === 0) return 0
    const held = before.get(offset)
    if (held !== undefined) return held
    const sql = `SELECT sequence FROM ${name} WHERE variant = ? ORDER BY sequence LIMIT 1 OFFSET ?`
    const row = connection.prepare(sql).get(variant, offset - 1)
    return (row as { sequence: number } | undefined)?.sequence
  }

  return (variant, { page, size }) => {
    const { total, before } = known(variant)
    const offset = (page - 1) * size
    const last = offset < total ? lastBefore(variant, offset, before) : undefined
    if (last === undefined) return { rows: [], total }
    const sql = `SELECT ${columns} FROM ${name} WHERE variant = ? AND sequence > ? ORDER BY sequence LIMIT ?`
    const rows = connection.prepare(sql).all(variant, last, size)
    const end = rows.at(-1) as { sequence: number } | undefined
    if (before.size === mostOffsets) before.clear()
    if (end) before.set(offset + rows.length, end.sequence)
    return { rows, total }
  }
}

/** Changes with every write: `data_version` counts writes of other connections, `total_changes` our own. */
function versionOf(connection: Connection): string {
  const others = connection.prepare('PRAGMA data_version').get() as { data_version: number }
  const own = connection.prepare('SELECT total_changes() AS own').get() as { own: number }
  return `${others.data_version} ${own.own}`
}
