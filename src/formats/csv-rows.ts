import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { longestRow, NotText, readText, TooLong } from './text.ts'

/** A line of a table: its cells, and its number as a spreadsheet counts, from 1. */
export interface CsvRow {
  readonly row: number
  readonly cells: readonly string[]
}

/** What makes a file no table. `row` and `column` are counted from 1, as a spreadsheet does. */
export class NotCsv extends Error {
  override readonly name = 'NotCsv'
  readonly row: number
  readonly column: number | undefined

  constructor(row: number, column: number | undefined, message: string) {
    super(message)
    this.row = row
    this.column = column
  }
}

const delimiters = [',', ';', '\t', '|']

/**
 * The rows of a CSV file (RFC 4180), empty ones included: with commas, semicolons, tabs or bars, whichever its first
 * line has most of, or as the line `sep=;` says that Excel understands. Throws NotCsv for a stray quote and for bytes
 * in another encoding, TooLong for a row beyond 1 MiB. A quote is never guessed at: it would swallow rows.
 */
export async function* csvRows(path: string, encoding?: string): AsyncGenerator<CsvRow> {
  const { first, text } = await opened(readText(path, encoding))
  const told = /^sep=(.)\r?\n?$/i.exec(first)?.[1]
  const delimiter = told ?? likeliest(first)
  const parser = parse({
    delimiter,
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: longestRow,
    record_delimiter: ['\r\n', '\n', '\r'],
  })
  const source = Readable.from(text)
  source.on('error', (error) => parser.destroy(error))
  let row = 0
  try {
    for await (const cells of source.pipe(parser)) {
      row += 1
      // A spreadsheet does not show that line, and does not count it.
      if (told === undefined) yield { row, cells }
      else if (row > 1) yield { row: row - 1, cells }
    }
  } catch (error) {
    if (error instanceof NotText) throw notUtf8(error, delimiter)
    if (error instanceof CsvError) throw asOurs(error)
    throw error
  } finally {
    source.destroy()
    parser.destroy()
  }
}

/** A text together with its first line. */
async function opened(text: AsyncGenerator<string>): Promise<{ first: string; text: AsyncIterable<string> }> {
  let start = ''
  while (!start.includes('\n') && start.length < longestRow) {
    const { value, done } = await text.next().catch((error: unknown) => {
      throw error instanceof NotText ? notUtf8(error, likeliest(error.before)) : error
    })
    if (done) break
    start += value
  }
  return {
    first: start.slice(0, start.indexOf('\n') + 1 || undefined),
    text: (async function* () {
      yield start
      yield* text
    })(),
  }
}

/** What stands between quotes is no delimiter. */
function likeliest(line: string): string {
  const bare = line.replace(/"[^"]*"/g, '')
  const count = (delimiter: string) => bare.split(delimiter).length
  return delimiters.reduce((best, each) => (count(each) > count(best) ? each : best))
}

function notUtf8({ line, before }: NotText, delimiter: string): NotCsv {
  const message =
    'a character here is not UTF-8. Save the file as "CSV UTF-8", or say in what it was saved: --encoding windows-1252'
  return new NotCsv(line, before.split(delimiter).length, message)
}

function asOurs(error: CsvError): Error {
  const { records, column } = error as CsvError & { records?: number; column?: number }
  const row = (records ?? 0) + 1
  if (error.code === 'CSV_MAX_RECORD_SIZE') return new TooLong(row)
  const at = typeof column === 'number' ? column + 1 : undefined
  const what =
    error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? 'a quotation mark is opened and never closed'
      : 'a quotation mark stands inside a cell that is not in quotation marks'
  return new NotCsv(row, at, `${what}; one that belongs to the text is written twice, inside of two others`)
}
