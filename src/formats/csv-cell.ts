import { stringify } from 'csv-stringify/sync'
import { isObject, type Json } from '../json/path.ts'
import { stringifyJson } from '../json/stringify.ts'
import { markFormula } from './formula.ts'

/** Whatever ends the lines of this file, another reader ends them at any of these. */
const lineEnd = /[\r\n\u0085\u2028\u2029]/
const special = /[",\r\n\u0085\u2028\u2029]/

/** Text that no reader of CSV takes for anything but itself: most cells are, and need neither mark nor quotation. */
const plain = /^[A-Za-z0-9\u00C0-\u024F][^",\r\n\u0085\u2028\u2029]*$/

/** How the lines of a CSV are written. */
export interface CsvForm {
  /** A comma unless another is given. */
  readonly delimiter?: string
  /** A byte-order mark in front: Excel takes UTF-8 without one for the encoding of its country. */
  readonly marked?: boolean
  /** Lines that end as Excel and RFC 4180 end them. */
  readonly crlf?: boolean
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
    quoted_match: lineEnd,
  })
}

/**
 * A value as it stands between two commas, as `csvText` writes it: a list of 100,000 has a million cells, and the
 * package takes most of the time for them. What a spreadsheet would run is marked; numbers are numbers.
 */
export function csvCell(value: Json): string {
  if (typeof value === 'string') return plain.test(value) ? value : quoted(markFormula(value))
  if (value === null || value === undefined) return ''
  return isObject(value) || Array.isArray(value) ? quoted(stringifyJson(value)) : String(value)
}

const quoted = (text: string) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
