import { pipeline, Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import { invalidInput } from '../errors.ts'
import { columnLetters } from './column-letters.ts'

/** Longer than any row about a person, in characters; a stray quotation mark can make a longer one. */
const longestRow = 1024 * 1024

/** The possible delimiters. */
const delimiters = [',', ';', '\t', '|']

/** One row, numbered from 1 as in a spreadsheet: an empty line is a row, and a cell may have several lines. */
export interface CsvRow {
  readonly row: number
  readonly cells: readonly string[]
}

/** The delimiter and line ends of a CSV, and its rows. */
export interface CsvShape {
  readonly delimiter: string
  readonly crlf: boolean
}

/**
 * Reads the rows of a CSV (RFC 4180), one by one. The delimiter is that of Excel's `sep=;` line, which is not a row, or
 * else the most frequent one in the first line. Throws a Failure (exit 3) with row and column if a quotation mark makes
 * the rest of the file uncertain.
 */
export async function openCsv(
  text: AsyncIterable<string>,
): Promise<CsvShape & { readonly rows: AsyncIterable<CsvRow> }> {
  const parts = text[Symbol.asyncIterator]()
  let start = ''
  for (let end = false; !end && !/\n|\r./.test(start) && start.length < longestRow; ) {
    const { done, value } = await parts.next()
    end = done ?? false
    start += value ?? ''
  }
  const declared = /^sep=(.)(\r\n|\r|\n|$)/.exec(start)
  const rest = declared ? start.slice(declared[0].length) : start
  const delimiter = declared?.[1] ?? mostFrequent(rest)
  return { delimiter, crlf: /\r\n/.test(start), rows: rows(rest, parts, delimiter) }
}

async function* rows(start: string, parts: AsyncIterator<string>, delimiter: string): AsyncGenerator<CsvRow> {
  async function* whole() {
    yield start
    yield* { [Symbol.asyncIterator]: () => parts }
  }
  const parser = parse({
    delimiter,
    // All three: if the parser chose by the first line, a file with mixed line ends would get rows inside a cell.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: longestRow,
  })
  // Errors of the source are thrown where the rows are read.
  pipeline(Readable.from(whole()), parser, () => {})
  let row = 0
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row += 1
      yield { row, cells }
    }
  } catch (error) {
    throw isCsvError(error) ? csvFailure(error) : error
  }
}

/** The most frequent delimiter in the first line, outside quotation marks. */
function mostFrequent(text: string): string {
  const [line = ''] = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const count = (delimiter: string) => line.split(delimiter).length
  return delimiters.reduce((best, each) => (count(each) > count(best) ? each : best))
}

function isCsvError(error: unknown): error is CsvError & { records: number; column: number } {
  return error instanceof Error && 'records' in error && 'code' in error
}

/** Uses only the position of the parser's error, because its message quotes the file. */
function csvFailure({ code, records, column }: CsvError & { records: number; column: number }) {
  const row = records + 1
  const place = `Row ${row}, column ${columnLetters(column)}`
  switch (code) {
    case 'INVALID_OPENING_QUOTE':
      return quoteFailure(`${place}: there is a quotation mark inside the text of a cell`, oneOfTwo)
    case 'CSV_INVALID_CLOSING_QUOTE':
      return quoteFailure(`${place}: there is text after the quotation mark that ends a cell`, oneOfTwo)
    case 'CSV_QUOTE_NOT_CLOSED':
      return quoteFailure(`${place}: a quotation mark opens a cell and is never closed`, closeIt)
    default:
      return quoteFailure(`Row ${row} is longer than any record: more than 1 MiB`, closeIt)
  }
}

const oneOfTwo = 'Put a cell that contains quotation marks in quotation marks, and double those inside it.'
const closeIt =
  'A quotation mark is probably missing in that row; all later rows would be read as part of it.'

const quoteFailure = (message: string, hint: string) =>
  invalidInput(`${message}. Nothing was sent.`, [], hint)
