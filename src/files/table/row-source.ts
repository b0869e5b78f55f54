import type { Issue } from '../../errors.ts'
import type { Facts } from '../../model/facts/facts.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import type { DateOrder } from '../../model/values/date-order.ts'
import type { ServiceWords } from '../../model/values/read-code.ts'
import type { KnownBy } from '../../model/whose.ts'
import type { ExportFormat } from '../../render/formats.ts'
import type { CsvForm } from '../formats/csv-cell.ts'
import type { ColumnMap, FileColumns, TableRow } from './column.ts'
import type { DatePlace } from './date-order.ts'
import type { FindColumn, ShownColumn } from './file-columns.ts'
import type { FileRow, RowIssue } from './row.ts'
import type { TableDoubt } from './skipped-rows.ts'
import type { TableSurvey } from './survey-table.ts'

/** A file of records, and the format that it is in. */
export interface RowSource extends FileReading {
  readonly format: ExportFormat
}

/** A file as the reader of its format gives it. Each call of `rows` reads it again, a row at a time. */
export interface FileReading {
  readonly columns: readonly string[] | undefined
  /** The columns of a table, each with the field that it fills and its first value. */
  readonly shown?: readonly ShownColumn[] | undefined
  /** `columns` without those that a rejects file adds. */
  readonly own?: readonly string[]
  /** The cells of a row under these. */
  readonly cellsOf?: (row: FileRow) => readonly string[]
  /** The column that fills the field at a path. */
  readonly columnFor?: FindColumn
  readonly form?: CsvForm | undefined
  /** Warnings about the whole file, for example that the spreadsheet hides rows. */
  readonly remarks?: readonly string[]
  readonly doubts?: readonly TableDoubt[]
  /** The order of day and month by which its dates are read, if it matters. */
  readonly dateFormat?: DateOrder | undefined
  /** How a table was read, for a later file with its header. */
  readonly matching?: Matching | undefined
  /** Digest of the file, in hexadecimal. */
  readonly sha256: string
  /**
   * Its rows from the start, never all in memory. Throws exit 3 if it cannot be parsed or has changed.
   * `isWanted`: the others may be passed over.
   */
  rows(isWanted?: (row: number) => boolean): AsyncIterable<FileRow>
  /** The rows one by one, as they stand in the file, where a record can be made of several. */
  readonly fileRows?: () => AsyncIterable<FileRow>
  /** By the digest of a row that has a name and no reference: the reference of that person. */
  readonly named?: ReadonlyMap<string, string>
  /** The people of the service, of a sheet of hours. */
  readonly people?: readonly KnownBy[]
  /** The code of a payment rate by its id, of a sheet of hours. */
  readonly nameRate?: (id: string) => string | undefined
  /** How many hours a sheet of hours has and what is paid for them, in words. */
  readonly total?: string | undefined
}

/** A file of cells in rows: everything in which the formats differ. */
export interface Grid {
  readonly sha256: string
  /** Reads it from its first row to its last. `encoding`: that of a file before it with its header. */
  look(headingRow: number, encoding?: string): Promise<Look>
}

/** A file as one look at it shows it. */
export interface Look {
  readonly survey: TableSurvey
  /** Its rows from the start, as wide as the header. */
  rows(width: number): Promise<AsyncIterable<TableRow>>
  /** The form of the lines of a CSV. */
  readonly form?: CsvForm
  /** Sentences about the whole file. */
  readonly remarks?: readonly string[]
  /** Questions about single rows, whether they turn out to be records or not. */
  readonly doubts?: readonly TableDoubt[]
}

/** How a file is read, where the file itself does not say it. */
export interface Matching {
  readonly map?: ColumnMap | undefined
  readonly dateFormat?: DateOrder | undefined
  readonly encoding?: string | undefined
}

/** A payment rate of the service: its code, and what it is called. */
export interface NamedRate {
  readonly code: string
  readonly name: string
}

/** Who is asked how a file is to be read: the memory of earlier files and, at a terminal, a person. */
export interface MatchingHelp {
  /** The path that was typed after --map. */
  readonly mapFile?: string | undefined
  /** The matching of an earlier file with this header; undefined if there is none, or it is not to be used. */
  recall(header: readonly string[]): Promise<Matching | undefined>
  /** Says which of several sheets is imported; absent where there is no terminal. */
  chooseSheet?(sheets: readonly { readonly at: number; readonly name: string }[]): Promise<number>
  /** Says what the unmatched columns are, as a map does; absent where there is no terminal. */
  matchColumns?(found: FileColumns, survey: TableSurvey, rates: readonly NamedRate[]): Promise<ColumnMap>
  chooseOrder?(unclear: readonly DatePlace[], header: readonly string[]): Promise<DateOrder>
  /** The payment rates of the service, by which hours may be paid; absent where there is no terminal. */
  rates?: (() => Promise<readonly NamedRate[]>) | undefined
}

/** How a file of records is read, and of which kind they are. */
export interface SourceOptions {
  readonly type: RecordType
  /** YYYY-MM-DD */
  readonly today: string
  /** The law by which values are checked. */
  readonly facts: Facts
  /** Whether the rows may change records that exist, so that `[clear]` empties a field. */
  readonly clears?: boolean | undefined
  /** The words that the service has, asked for each time that the rows are read. */
  readonly serviceWords?: (() => ServiceWords) | undefined
  /** Headings of columns that are not imported, as somebody said. */
  readonly ignoreColumn?: readonly string[] | undefined
  /** The order of day and month when a date could mean either. */
  readonly dateFormat?: DateOrder | undefined
  /** The encoding of a text file without a byte order mark; UTF-8 by default. */
  readonly encoding?: string | undefined
  /** The row of the headings, where it is not to be looked for. */
  readonly headingRow?: number | undefined
  /** The sheet of a workbook, where several have content. */
  readonly sheet?: string | undefined
  /** Whether a person is asked about what is doubtful: in a script it holds a row back. */
  readonly asks?: boolean | undefined
  readonly help?: MatchingHelp | undefined
}

/** The place of a field in a file: the words that begin a sentence about it (`column A (Reference): `), and its column. */
export function placeInFile({ columnFor }: Pick<FileReading, 'columnFor'>, path: string) {
  const place = columnFor?.(path)
  return { path, start: place ? `${place.place}: ` : '', column: place?.column }
}

/** The issue, with the column that it is about if the file has columns. */
export function inColumn<T extends Issue>(
  { columnFor }: Pick<FileReading, 'columnFor'>,
  issue: T,
): T & RowIssue {
  const place = columnFor?.(issue.path)
  return place ? { ...issue, message: `${place.place}: ${issue.message}`, column: place.column } : issue
}
