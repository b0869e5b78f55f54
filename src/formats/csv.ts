import { stringify } from 'csv-stringify/sync'
import type { Json, JsonObject } from '../api/contract/path.ts'
import { cellsOf } from './cells.ts'

/** What a spreadsheet takes for a formula, full-width forms included. */
const formula = /^[=+\-@\t\r\n\0＝＋－＠]/u

/**
 * Rows as CSV (RFC 4180), under a header unless they go on from others. `excel` adds the byte-order mark and the
 * line ends that Excel expects.
 */
export function writeCsv(
  rows: readonly JsonObject[],
  columns: readonly string[],
  excel: boolean,
  header = true,
): string {
  const table = rows.map((row) => {
    const cells = cellsOf(row)
    return columns.map((path) => text(cells.get(path)))
  })
  const lines = header ? [[...columns], ...table] : table
  return stringify(lines, { bom: excel && header, record_delimiter: excel ? '\r\n' : '\n' })
}

/**
 * Text that a spreadsheet would run is marked with an apostrophe, as a person would mark it; numbers are numbers.
 */
function text(value: Json): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return JSON.stringify(value)
  return typeof value === 'string' && formula.test(value) ? `'${value}` : String(value)
}

/** Cells as they are, a line for each row. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return stringify(rows.map((row) => [...row]))
}
