import { pipeline } from 'node:stream/promises'
import { type CsvError, parse } from 'csv-parse'
import { invalidInput } from '../../errors.ts'
import { columnLetters } from './column-letters.ts'
import { longestRow, unescapeText } from './escaped-text.ts'

const delimiters = [',', ';', '\t', '|']

/** One row, numbered from 1 as in a spreadsheet: an empty line is a row, and a cell may have several lines. */
interface CsvRow {
  readonly row: number
  readonly cells: readonly string[]
}

/** The delimiter and line ends of a CSV, and its rows. */
interface CsvShape {
  readonly delimiter: string
  readonly crlf: boolean
}

/**
 * Reads the rows of a CSV (RFC 4180) one by one. The delimiter is that of Excel's `sep=;`, else the most frequent of
 * the first line that has any. Throws exit 3 if a quotation mark makes the rest of the file uncertain.
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
  const sepLine = /^sep=(.)(\r\n|\r|\n|$)/.exec(start)
  const rest = sepLine ? start.slice(sepLine[0].length) : start
  const delimiter = sepLine?.[1] ?? usual
  return { delimiter, crlf: /\r\n/.test(start), rows: rows(rest, parts, delimiter) }
}

async function* rows(start: string, parts: AsyncIterator<string>, delimiter: string): AsyncGenerator<CsvRow> {
  const parser = parse({
    delimiter,
    // All three: if the parser chose by the first line, a file with mixed line ends would get rows inside a cell.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: longestRow,
  })
  async function* whole() {
    yield start
    for (let part = await parts.next(); !part.done; part = await parts.next()) yield part.value
  }
  // What ends it early is thrown by the loop below.
  pipeline(whole, parser).catch(() => {})
  let row = 0
  try {
    for await (const cells of parser as AsyncIterable<string[]>)
      yield { row: ++row, cells: cells.map(unescapeText) }
  } catch (error) {
    throw isCsvError(error) ? csvFailure(error) : error
  }
}

/** No file has more lines of titles above its headings. */
const mostTitles = 20

/** The most frequent delimiter of the first line that has one outside of quotes; undefined if not known yet. */
function delimiterIn(text: string, isAll: boolean): string | undefined {
  // The line feed of a carriage return at the end may be in the next part.
  const lines = (isAll ? text : text.replace(/\r$/, '')).replace(/"[^"]*"/g, '').split(/\r\n|\n|\r/)
  const wholeLines = isAll ? lines : lines.slice(0, -1)
  const line = wholeLines.slice(0, mostTitles).find((each) => delimiters.some((one) => each.includes(one)))
  if (line === undefined) return isAll || wholeLines.length > mostTitles ? ',' : undefined
  const count = (delimiter: string) => line.split(delimiter).length
  return delimiters.reduce((best, each) => (count(each) > count(best) ? each : best))
}

function isCsvError(error: unknown): error is CsvError & { records: number; column: number } {
  return error instanceof Error && 'records' in error && 'code' in error
}

/** Uses only the position of the parser's error, because its message quotes the file. */
function csvFailure({ code, records, column }: CsvError & { records: number; column: number }) {
  const row = records + 1
  const why =
    code === 'CSV_MAX_RECORD_SIZE'
      ? `Row ${row} is longer than any record: more than 1 MiB`
      : `Row ${row}, column ${columnLetters(column)}: a quotation mark is missing, or there is one too many`
  return invalidInput(
    `${why}.`,
    [],
    'A cell that contains quotation marks stands in quotation marks itself, with those inside it doubled.',
  )
}
