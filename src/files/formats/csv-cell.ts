import { plainNumber } from '../json/numbers.ts'
import { isObject, type Json } from '../json/path.ts'
import { stringifyJson } from '../json/stringify.ts'
import { escapeText } from './escaped-text.ts'

/** Other readers may end a line, or a cell, at any of these. */
const cellEnds = /[";\t\r\n\u0085\u2028\u2029]/

/** Text that is written as it stands, like most cells. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: \p{Cc} of a `u` pattern takes three times as long
const plain = /^[A-Za-z0-9\u00C0-\u024F][^",;\x00-\x1F\x7F-\x9F\u2028-\u202E\u2066-\u2069]*$/

/** What moves the cursor of a terminal, or turns the direction of text: somebody may look at the file there. */
const acting = /(?![\t\r\n\u0085])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

/** How to write the lines of a CSV. */
export interface CsvForm {
  /** A comma by default. */
  readonly delimiter?: string
  /** Starts with a byte-order mark: without one, Excel does not read the file as UTF-8. */
  readonly byteOrderMark?: boolean
  /** Line ends of Excel and RFC 4180. */
  readonly crlf?: boolean
}

/** The first line of a CSV (RFC 4180): the names of its columns. */
export const csvHeader = (names: readonly string[], form: CsvForm): string =>
  (form.byteOrderMark ? '\uFEFF' : '') + csvLine(names.map(escapeFormula), form)

/** Another line of it: the values of one row. */
export const csvLine = (cells: readonly string[], { delimiter = ',', crlf = false }: CsvForm): string =>
  cells.map((cell) => quote(cell, delimiter)).join(delimiter) + (crlf ? '\r\n' : '\n')

/** A value as a cell; a list has a million. A formula is escaped as `escapeFormula` says. */
export function csvCell(value: Json): string {
  if (typeof value === 'string')
    return plain.test(value) && !value.includes('_x') ? value : quote(escapeFormula(value))
  if (value === null || value === undefined) return ''
  return isObject(value) || Array.isArray(value) ? quote(escapeFormula(stringifyJson(value))) : String(value)
}

function quote(cell: string, delimiter = ','): string {
  const text = escapeText(cell, acting)
  return cellEnds.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Characters that start a formula in a spreadsheet, including full-width ones. */
const start = '=+\\-@\\t\\0＝＋－＠'

/**
 * Where a cell may begin inside of another: some readers end a row at each line break, even inside quotation marks.
 * Excel begins a cell at a semicolon too, in countries with a decimal comma, and LibreOffice if told to.
 */
const cellStarts = '\\r\\n\\u0085\\u2028\\u2029;\\t'

/** Matches the start of a cell and of its pieces, before `then` and a formula, quoted or not. */
const beginning = (then: string) =>
  new RegExp(`^(?=${then}[${start}\\r\\n])|(?<=[${cellStarts}])(?=${then}"*[${start}])`, 'gu')

const formulas = beginning("'*")
const apostrophesOfText = beginning("'+")
const apostrophe = new RegExp(`^'(?='*[${start}\\r\\n])|(?<=[${cellStarts}])'(?='*"*[${start}])`, 'gu')

/**
 * Text that no spreadsheet runs: an apostrophe before each formula. A negative amount is no formula, and a
 * spreadsheet does not add up what stands behind an apostrophe.
 */
export const escapeFormula = (text: string): string =>
  plainNumber.test(text) ? text : text.replace(formulas, "'")

/** Text without the apostrophes of `escapeFormula`. */
export function unescapeFormula(cell: string): string {
  return cell.includes("'") ? cell.replace(apostrophe, '') : cell
}

/** Doubles the apostrophes that belong to a text, so that one is left when the cell is read. */
export const keepApostrophes = (value: Json): Json =>
  typeof value === 'string' ? value.replace(apostrophesOfText, "'") : value

/** A cell from another file, escaped so that no spreadsheet runs it. Reading it gives the same text again. */
export function escapeCell(cell: string): string {
  return /^[+-]?\d+([.,]\d+)*$/.test(cell) ? cell : escapeFormula(unescapeFormula(cell))
}

/** The rows of a table that payroll wrote, by their headings; undefined where it lacks one of these. */
export async function readOwnTable<Name extends string>(
  rows:
    | Iterable<{ readonly cells: readonly string[] }>
    | AsyncIterable<{ readonly cells: readonly string[] }>,
  names: readonly Name[],
): Promise<readonly Readonly<Record<Name, string>>[] | undefined> {
  let headings: readonly string[] | undefined
  const lines: Record<Name, string>[] = []
  for await (const { cells } of rows) {
    const texts = headings?.map((name, at) => [name, unescapeFormula(cells[at] ?? '')])
    if (texts) lines.push(Object.fromEntries(texts) as Record<Name, string>)
    headings ??= cells.map((name) => name.trim().toLowerCase())
  }
  return names.every((name) => headings?.includes(name)) ? lines : undefined
}
