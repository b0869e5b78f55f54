import { stringify } from 'csv-stringify/sync'
import { isObject, type Json, type JsonObject } from '../json/path.ts'
import { stringifyJson } from '../json/stringify.ts'
import { markFormula } from './formula.ts'

/** How the lines of a CSV are written. */
export interface CsvForm {
  /** A comma unless another is given. */
  readonly delimiter?: string
  /** A byte-order mark in front: Excel takes UTF-8 without one for the encoding of its country. */
  readonly marked?: boolean
  /** Lines that end as Excel and RFC 4180 end them. */
  readonly crlf?: boolean
}

/** Rows as CSV (RFC 4180). `excel` adds the byte-order mark and the line ends that Excel expects. */
export function writeCsv(rows: readonly JsonObject[], columns: readonly string[], excel: boolean): string {
  const csv = csvRows(columns, excel)
  return csv.header + csv.rows(rows)
}

/**
 * CSV that is written as the records come: the header once, then the records in as many parts as one likes. What
 * has no column is left out.
 */
export function csvRows(
  columns: readonly string[],
  excel: boolean,
): { readonly header: string; readonly rows: (records: readonly JsonObject[]) => string } {
  const wanted = new Set(columns)
  const cellsOf = (record: JsonObject) => {
    const values = flat(record, (path) => wanted.has(path))
    return columns.map((path) => cell(values.get(path)))
  }
  return {
    header: csvText([columns.map(markFormula)], { marked: excel, crlf: excel }),
    rows: (records) => csvText(records.map(cellsOf), { crlf: excel }),
  }
}

/** Cells as lines of CSV (RFC 4180), at the start of a file or later in it. */
export function csvText(
  cells: readonly (readonly string[])[],
  { delimiter = ',', marked = false, crlf = false }: CsvForm = {},
): string {
  const table = cells.map((row) => [...row])
  return stringify(table, {
    delimiter,
    bom: marked,
    record_delimiter: crlf ? '\r\n' : '\n',
    // Whatever ends the lines of this file, another reader ends them at any of these.
    quoted_match: /[\r\n\u0085\u2028\u2029]/,
  })
}

/** The paths of the values in these rows, in the order in which they first appear. */
export function pathsOf(rows: readonly JsonObject[]): string[] {
  return [...new Set(rows.flatMap((row) => [...flat(row).keys()]))]
}

/**
 * A record as values by path: `bank.sortCode`, `address[0]`. A list that holds objects is one value, and so is what
 * `isOne` says.
 */
export function flat(
  record: JsonObject,
  isOne: (path: string) => boolean = () => false,
  above = '',
): Map<string, Json> {
  const values = new Map<string, Json>()
  for (const [name, value] of Object.entries(record)) {
    const path = above + name
    if (isOne(path)) values.set(path, value)
    else if (isObject(value))
      for (const [inner, each] of flat(value, isOne, `${path}.`)) values.set(inner, each)
    else if (Array.isArray(value) && !value.some(holdsOthers)) {
      for (const [at, each] of value.entries()) values.set(`${path}[${at}]`, each)
    } else values.set(path, value)
  }
  return values
}

/** null in a list would be an empty cell, and gone when the list is read again. */
const holdsOthers = (value: Json) => value === null || Array.isArray(value) || isObject(value)

/** A value as the text of a cell. What a spreadsheet would run is marked; numbers are numbers. */
function cell(value: Json): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return markFormula(value)
  return isObject(value) || Array.isArray(value) ? stringifyJson(value) : String(value)
}
