import { amountIn } from '../../model/values/read-value.ts'
import type { CsvForm } from '../formats/csv-cell.ts'
import type { TableRow } from './column.ts'
import { columnFinder, type FindColumn, ownHeader, shownColumns } from './file-columns.ts'
import { leftRows, type TableDoubt } from './left-rows.ts'
import { type Matching, matchFile } from './match-file.ts'
import { ownCells, type RejectsWriter, rejectColumns } from './reject-lines.ts'
import type { SheetRow } from './row.ts'
import type { FileReading, SourceOptions } from './row-source.ts'
import { layOut } from './sheet-layout.ts'
import type { TableSurvey } from './survey-table.ts'
import { tableRows } from './table-rows.ts'

/** A file of cells in rows: everything in which the formats differ. */
export interface Grid {
  readonly sha256: string
  /** Reads it from its first row to its last. */
  look(headingRow: number): Promise<TableSurvey>
  /** Takes over how such a file was read before. Returns whether this one must be looked at again. */
  recall?(matching: Matching): boolean
  rows(width: number): Promise<AsyncIterable<TableRow>>
  /** The form of the lines of a CSV, as the last look found it. */
  form?(): CsvForm
  /** Sentences about the whole file. */
  remarks?(): readonly string[]
  /** Questions about single rows, whether they turn out to be records or not. */
  doubts?(): readonly TableDoubt[]
  rejects(path: string, file: RejectedTable): RejectsWriter
}

/** The parts of a file of rejected rows. */
interface RejectedTable {
  readonly header: readonly string[]
  /** The cells of a row under the columns of the file, with `reasons` under those that are added. */
  readonly cellsOf: (row: SheetRow) => readonly string[]
  readonly find: FindColumn
}

/** Reads a file of cells as records: finds headings, matches columns, leaves out what is not a record. */
export async function tableSource(grid: Grid, given: SourceOptions): Promise<FileReading> {
  const { type, help, headingRow } = given
  let laid = await layOut(type, headingRow, grid.look)
  const recalled = await help?.recall(laid.survey.header)
  if (recalled && grid.recall?.(recalled)) laid = await layOut(type, headingRow, grid.look)
  const { survey } = laid
  const { header } = survey
  const match = await matchFile(survey, { ...given, recalled })
  const { columns, matching, weekRows } = match
  const { dateFormat } = matching
  const left = leftRows(type, columns, survey)
  const options = {
    ...given,
    columns,
    dateFormat,
    width: header.length,
    headingRow: survey.headingRow,
    semicolons: survey.semicolons,
    left: new Set([...left.rows, ...weekRows]),
  }
  const isRecord = ({ row }: TableDoubt) => row > survey.headingRow && !options.left.has(row)
  // A row of a file of rejected rows has its week beside it.
  const added = columns.flatMap(({ isKept, name }) => (isKept ? [name] : []))
  const own = [...ownHeader(header), ...added]
  const find = columnFinder(columns)
  return {
    columns: header,
    shown: shownColumns(type, columns, { ...survey, ...left }),
    remarks: [
      ...laid.remarks,
      ...left.remarks,
      ...(grid.remarks?.() ?? []),
      ...commaRemark(survey),
      ...match.remarks,
    ],
    doubts: [...left.doubts, ...match.doubts, ...(grid.doubts?.() ?? []).filter(isRecord)],
    dateFormat,
    matching,
    sha256: grid.sha256,
    rows: async function* (isWanted) {
      yield* tableRows(await grid.rows(header.length), options, isWanted)
    },
    own,
    columnFor: find,
    form: grid.form?.(),
    rejects: (path) =>
      grid.rejects(path, {
        header: [...own, ...rejectColumns],
        cellsOf: (row) => ownCells(row, own.length, header.length + added.length),
        find,
      }),
  }
}

/** Says once that amounts are read with a decimal comma, as in a file with semicolons. */
function commaRemark({ comma, semicolons }: TableSurvey): string[] {
  const amount = comma && amountIn(comma.text, semicolons)
  return comma && amount !== undefined
    ? [`amounts have a decimal comma: ${comma.text} in ${comma.cell} is ${amount}`]
    : []
}
