import { type CsvError, type Options, parse as parseCsv } from 'csv-parse/sync'
import { invalidInput } from '../../errors.ts'
import { columnLetters } from './column-letters.ts'

/** Longer than any row about a person, in characters; a stray quotation mark can make a longer one. */
const longestRow = 1024 * 1024

/** A row of that length, each letter of which is a quotation mark and written twice. */
const mostHeld = 2 * longestRow + 4

const delimiters = [',', ';', '\t', '|']

/** One row, numbered from 1 as in a spreadsheet: an empty line is a row, and a cell may have several lines. */
interface CsvRow {
  readonly row: number
  readonly cells: readonly string[]
}

/** The delimiter and line ends of a CSV, and its rows. */
export interface CsvShape {
  readonly delimiter: string
  readonly crlf: boolean
}

/**
 * Reads the rows of a CSV (RFC 4180) one by one. The delimiter is that of Excel's `sep=;`, else the most
 * frequent of the first line that has any. Throws exit 3 if a quotation mark makes the rest of the file
 * uncertain.
 */
export async function openCsv(
  text: AsyncIterable<string>,
): Promise<CsvShape & { readonly rows: AsyncIterable<CsvRow> }> {
  const parts = text[Symbol.asyncIterator]()
  let start = ''
  let usual: string | undefined
  for (let isEnd = false; usual === undefined; ) {
    const { done, value } = await parts.next()
    start += value ?? ''
    isEnd = done === true || start.length >= longestRow
    usual = delimiterIn(start, isEnd)
  }
  const declared = /^sep=(.)(\r\n|\r|\n|$)/.exec(start)
  const rest = declared ? start.slice(declared[0].length) : start
  const delimiter = declared?.[1] ?? usual
  return { delimiter, crlf: /\r\n/.test(start), rows: rows(rest, parts, delimiter) }
}

async function* rows(start: string, parts: AsyncIterator<string>, delimiter: string): AsyncGenerator<CsvRow> {
  const reader = rowReader(delimiter)
  yield* reader.read(start)
  for (let part = await parts.next(); !part.done; part = await parts.next()) yield* reader.read(part.value)
  yield* reader.end()
}

/** Splits lines without a quotation mark itself: the parser takes several times as long for each. */
function rowReader(delimiter: string) {
  let [row, rest, quoted, marks] = [0, '', '', 0]
  const options: Options = {
    delimiter,
    // All three: if the parser chose by the first line, a file with mixed line ends would get rows inside a cell.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: longestRow,
  }
  return { read, end }

  function* read(part: string): Generator<CsvRow> {
    rest += part
    let from = 0
    // A carriage return at the end may have its line feed in the next part.
    for (const { index, 0: lineEnd } of rest.matchAll(/\r\n|\n|\r(?=.)/gs)) {
      yield* line(rest.slice(from, index), lineEnd)
      from = index + lineEnd.length
    }
    rest = rest.slice(from)
    if (rest.length > mostHeld) refuse(quoted + rest)
  }

  function* end(): Generator<CsvRow> {
    const [, last = '', lineEnd = ''] = /^(.*?)(\r?)$/s.exec(rest) ?? []
    if (last + lineEnd !== '') yield* line(last, lineEnd)
    if (quoted !== '') yield* parsed(quoted)
  }

  function* line(text: string, lineEnd: string): Generator<CsvRow> {
    if (quoted === '' && !text.includes('"') && text.length <= longestRow) {
      row += 1
      yield { row, cells: text.split(delimiter).map(own) }
      return
    }
    quoted += text + lineEnd
    marks += text.split('"').length - 1
    if (quoted.length > mostHeld) refuse(quoted)
    if (marks % 2 === 1) return
    yield* parsed(quoted)
    ;[quoted, marks] = ['', 0]
  }

  /** Throws what the parser says is wrong with it, or that it is too long. */
  function refuse(text: string): never {
    parse(text, options, row)
    throw quoteFailure(tooLong(row + 1), closeIt)
  }

  function* parsed(text: string): Generator<CsvRow> {
    for (const cells of parse(text, options, row)) {
      row += 1
      yield { row, cells }
    }
  }
}

/** The rows of a text. Throws a Failure for a quotation mark that is not where it belongs; `before`: the rows above. */
function parse(text: string, options: Options, before: number): readonly string[][] {
  try {
    return parseCsv(text, options)
  } catch (error) {
    throw isCsvError(error) ? csvFailure(error, before) : error
  }
}

/** A part of a text keeps all of it in memory, and a cell may be kept when its file is long read. */
function own(cell: string): string {
  return cell.length < shortestPart ? cell : ` ${cell}`.slice(1)
}

/** V8 copies what is shorter. */
const shortestPart = 13

/** No title has more lines. */
const mostTitles = 20

/** The most frequent delimiter of the first line that has one outside of quotes; undefined if not known yet. */
function delimiterIn(text: string, isAll: boolean): string | undefined {
  // The line feed of a carriage return at the end may be in the next part.
  const lines = (isAll ? text : text.replace(/\r$/, '')).replace(/"[^"]*"/g, '').split(/\r\n|\n|\r/)
  const known = isAll ? lines : lines.slice(0, -1)
  const line = known.slice(0, mostTitles).find((each) => delimiters.some((one) => each.includes(one)))
  if (line === undefined) return isAll || known.length > mostTitles ? ',' : undefined
  const count = (delimiter: string) => line.split(delimiter).length
  return delimiters.reduce((best, each) => (count(each) > count(best) ? each : best))
}

function isCsvError(error: unknown): error is CsvError & { records: number; column: number } {
  return error instanceof Error && 'records' in error && 'code' in error
}

/** Uses only the position of the parser's error, because its message quotes the file. */
function csvFailure(
  { code, records, column }: CsvError & { records: number; column: number },
  before: number,
) {
  const row = before + records + 1
  const place = `Row ${row}, column ${columnLetters(column)}`
  switch (code) {
    case 'INVALID_OPENING_QUOTE':
      return quoteFailure(`${place}: there is a quotation mark inside the text of a cell`, oneOfTwo)
    case 'CSV_INVALID_CLOSING_QUOTE':
      return quoteFailure(`${place}: there is text after the quotation mark that ends a cell`, oneOfTwo)
    case 'CSV_QUOTE_NOT_CLOSED':
      return quoteFailure(`${place}: a quotation mark opens a cell and is never closed`, closeIt)
    default:
      return quoteFailure(tooLong(row), closeIt)
  }
}

const tooLong = (row: number) => `Row ${row} is longer than any record: more than 1 MiB`
const oneOfTwo = 'Put a cell that contains quotation marks in quotation marks, and double those inside it.'
const closeIt =
  'A quotation mark is probably missing in that row; all later rows would be read as part of it.'

const quoteFailure = (message: string, hint: string) => invalidInput(`${message}.`, [], hint)
