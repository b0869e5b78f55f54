import { stringify } from 'csv-stringify/sync'
import { isObject, type Json, type JsonObject } from '../api/contract/path.ts'

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
    const cells = flat(row)
    return columns.map((path) => cells.get(path) ?? '')
  })
  const lines = header ? [[...columns], ...table] : table
  return stringify(lines, { bom: excel && header, record_delimiter: excel ? '\r\n' : '\n' })
}

/** The paths of the values in these rows, in the order in which they first appear. */
export function pathsOf(rows: readonly JsonObject[]): string[] {
  return [...new Set(rows.flatMap((row) => [...flat(row).keys()]))]
}

/**
 * A record as cells by path: `bank.sortCode`, `address[0]`. A list of objects is one cell of JSON. Text that a
 * spreadsheet would run is marked with an apostrophe, as a person would mark it; numbers are numbers.
 */
function flat(record: JsonObject, above = ''): Map<string, string> {
  const cells = new Map<string, string>()
  for (const [name, value] of Object.entries(record)) {
    const path = above + name
    if (isObject(value)) for (const [inner, text] of flat(value, `${path}.`)) cells.set(inner, text)
    else if (Array.isArray(value) && !value.some((each) => typeof each === 'object')) {
      for (const [at, each] of value.entries()) cells.set(`${path}[${at}]`, cell(each))
    } else cells.set(path, cell(value))
  }
  return cells
}

function cell(value: Json): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return typeof value === 'string' && formula.test(text) ? `'${text}` : text
}
