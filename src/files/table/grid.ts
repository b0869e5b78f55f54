import type { CsvForm } from '../formats/csv-cell.ts'
import type { TableRow } from './column.ts'
import type { TableDoubt } from './skipped-rows.ts'
import type { TableSurvey } from './survey-table.ts'

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
