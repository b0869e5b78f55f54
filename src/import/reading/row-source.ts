import type { RecordType } from '../../api/contract/records/record-type.ts'
import { invalidInput } from '../../errors.ts'
import type { Row } from '../rows/row.ts'
import type { DateFormat } from './cells/spreadsheet-date.ts'
import type { ColumnMap } from './columns/file-columns.ts'
import type { RejectsWriter } from './reject-lines.ts'

/** A file of records. It is read once for each call of `rows`, a row at a time. */
export interface RowSource {
  readonly format: 'csv' | 'ndjson' | 'json' | 'xlsx'
  /** The columns as they stand in the file; undefined for JSON. */
  readonly columns: readonly string[] | undefined
  /** Those of them that are not sent: `id`, what a map leaves out, and what a file of rejects adds. */
  readonly notSent: readonly string[]
  /** What is to be said of the file as a whole before it is sent, as of rows that the spreadsheet hides. */
  readonly remarks?: readonly string[]
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string
  /**
   * Its rows from the start. A file of lines is never held whole. Throws a Failure (exit 3) where the file cannot
   * be taken apart, and when it is not the file any more that was opened.
   */
  rows(): AsyncIterable<Row>
  /** A file in the form of this one, for the rows that were refused. Made when the first is added. */
  rejects(path: string): RejectsWriter
}

export interface SourceOptions {
  readonly type: RecordType
  /** YYYY-MM-DD */
  readonly today: string
  /** For columns that are named otherwise than the fields: the map, or who chooses it once the header is known. */
  readonly map?: ColumnMap | MapChooser
  /** The order of day and month where they could be taken for each other. */
  readonly dateFormat?: DateFormat
  /** Of a text that says nothing of it itself; UTF-8 unless given. */
  readonly encoding?: string
}

/** Undefined where the columns are named as the fields are. */
export type MapChooser = (header: readonly string[]) => Promise<ColumnMap | undefined>

/** The options with the map that is meant for this header. */
export async function withChosenMap(
  { map, ...options }: SourceOptions,
  header: readonly string[],
): Promise<Omit<SourceOptions, 'map'> & { readonly map?: ColumnMap }> {
  const chosen = typeof map === 'function' ? await map(header) : map
  return { ...options, ...(chosen && { map: chosen }) }
}

/** More rows than this are no list of people. */
const mostRows = 1_000_000

/** The rows, as many as one import may have. Throws a Failure (exit 3) at the first that is too many. */
export async function* limitRows(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  let count = 0
  for await (const row of rows) {
    count += 1
    if (count > mostRows) {
      throw invalidInput('The file has more than a million rows. Nothing was sent.', [], 'Send it in parts.')
    }
    yield row
  }
}
