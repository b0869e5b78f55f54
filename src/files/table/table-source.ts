import { amountIn } from '../../model/values/read-value.ts'
import { columnFinder, ownHeader, shownColumns } from './file-columns.ts'
import { matchFile } from './match-file.ts'
import { ownCells } from './reject-columns.ts'
import type { FileReading, Grid, SourceOptions } from './row-source.ts'
import { layOut } from './sheet-layout.ts'
import { skippedRows, type TableDoubt } from './skipped-rows.ts'
import type { TableSurvey } from './survey-table.ts'
import { tableRows } from './table-rows.ts'

/**
 * Reads a file of cells as records. The first look goes through the whole file: `layOut` finds the headings in it, and
 * looks once more where they stand in another row. What that look shows is enough for `matchFile`, which says what
 * each column fills, and for `skippedRows`, which finds the rows that are no records. `tableRows` reads the file again
 * each time that its rows are wanted.
 */
export async function tableSource(grid: Grid, given: SourceOptions): Promise<FileReading> {
  const { type, help, headingRow } = given
  let laid = await layOut(type, headingRow, grid.look)
  const earlierMatching = await help?.recall(laid.look.survey.header)
  if (earlierMatching?.encoding !== undefined && given.encoding === undefined)
    laid = await layOut(type, headingRow, (row) => grid.look(row, earlierMatching.encoding))
  const { survey, rows, form, remarks = [], doubts = [] } = laid.look
  const { header } = survey
  const match = await matchFile(survey, given, earlierMatching)
  const { columns, matching, weekRows } = match
  const { dateFormat } = matching
  const noRecords = skippedRows(type, columns, survey)
  const skipped = new Set([...noRecords.rows, ...weekRows])
  const isRecord = ({ row }: TableDoubt) => row > survey.headingRow && !skipped.has(row)
  // A row of a file of rejected rows has its week beside it.
  const ownNames = columns.flatMap(({ isKept, name }) => (isKept ? [name] : []))
  const own = [...ownHeader(header), ...ownNames]
  return {
    columns: header,
    shown: shownColumns(type, columns, { ...survey, ...noRecords }),
    remarks: [...laid.remarks, ...noRecords.remarks, ...remarks, ...commaRemark(survey), ...match.remarks],
    doubts: [...noRecords.doubts, ...match.doubts, ...doubts.filter(isRecord)],
    dateFormat,
    matching,
    sha256: grid.sha256,
    rows: async function* (isWanted) {
      const reading = { given, survey, columns, skipped, dateFormat, serviceWords: given.serviceWords?.() }
      yield* tableRows(await rows(header.length), reading, isWanted)
    },
    own,
    columnFor: columnFinder(columns),
    form,
    cellsOf: (row) => ownCells(row, own.length, header.length + ownNames.length),
  }
}

/** Says once that amounts are read with a decimal comma, as in a file with semicolons. */
function commaRemark({ comma }: TableSurvey): string[] {
  const amount = comma && amountIn(comma.text)
  return comma && amount !== undefined
    ? [`amounts have a decimal comma: ${comma.text} in ${comma.cell} is ${amount}`]
    : []
}
