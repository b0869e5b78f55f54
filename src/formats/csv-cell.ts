import { stringify } from 'csv-stringify/sync'
import { isObject, type Json } from '../json/path.ts'
import { stringifyJson } from '../json/stringify.ts'
import { markFormula } from './formula.ts'

/** Other readers may end a line at any of these. */
const lineEnd = /[\r\n\u0085\u2028\u2029]/
const special = /[",\r\n\u0085\u2028\u2029]/

/** Text that needs no apostrophe and no quotation marks, like most cells. */
const plain = /^[A-Za-z0-9\u00C0-\u024F][^",\r\n\u0085\u2028\u2029]*$/

/** How to write the lines of a CSV. */
export interface CsvForm {
  /** A comma by default. */
  readonly delimiter?: string
  /** Starts with a byte-order mark: without one, Excel does not read the file as UTF-8. */
  readonly marked?: boolean
  /** Line ends of Excel and RFC 4180. */
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
 * One cell, written as `csvText` writes it but faster: a list of 100,000 records has a million cells. Marks text that a
 * spreadsheet would run; numbers stay numbers.
 */
export function csvCell(value: Json): string {
  if (typeof value === 'string') return plain.test(value) ? value : quoted(markFormula(value))
  if (value === null || value === undefined) return ''
  return isObject(value) || Array.isArray(value) ? quoted(stringifyJson(value)) : String(value)
}

const quoted = (text: string) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
