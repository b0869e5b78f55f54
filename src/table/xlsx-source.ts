import { invalidInput } from '../errors.ts'
import { openXlsx, type Sheet } from '../formats/xlsx/open-xlsx.ts'
import { survey } from '../formats/xlsx/survey-sheet.ts'
import { writeXlsx } from '../formats/xlsx/write-xlsx.ts'
import { ownHeader } from './file-columns.ts'
import { columnFinder } from './find-column.ts'
import { matchFile } from './match-file.ts'
import { type OpenedFile, readWhole } from './open-bytes.ts'
import { ownCells, rejectColumns, rejectsWhole } from './reject-lines.ts'
import { limitRows, type RowSource, type SourceOptions } from './row-source.ts'
import { surveyTable } from './survey-table.ts'
import { type TableRow, tableRows } from './table-rows.ts'

/** A workbook with one sheet that has content. The zipped file is held in memory, its rows are not. */
export async function xlsxSource(file: OpenedFile, given: SourceOptions): Promise<RowSource> {
  const open = async () => {
    const sheet = await openXlsx(await readWhole(file))
    if (!sheet) throw invalidInput('The workbook is empty. Nothing was sent.', [])
    return sheet
  }
  const looks = surveyTable()
  const hidden = await survey(await open(), ({ row, cells }) => looks.add(row, cells))
  const seen = looks.end()
  const { header } = seen
  const recalled = await given.help?.recall(header)
  const { columns, dateFormat, remarks } = await matchFile(seen, { ...given, recalled })
  const options = { ...given, dateFormat }
  const own = ownHeader(header)
  const find = columnFinder(columns)
  return {
    format: 'xlsx',
    columns: header,
    notSent: columns.filter(({ fills, name }) => !fills && name !== '').map(({ name }) => name),
    remarks: [...hidden, ...remarks],
    dateFormat,
    sha256: file.sha256,
    rows: async function* () {
      yield* limitRows(tableRows(padRows(await open(), header.length), columns, options))
    },
    own,
    columnFor: find,
    rejects: (path) =>
      rejectsWhole(path, (rows) => {
        const cells = rows.map(({ row, reasons }) => [
          ...ownCells(row, own.length, header.length),
          ...reasons,
        ])
        const wrong = rows.map(
          ({ issues }) => new Set(issues.map(({ column, path }) => column ?? find(path)?.column)),
        )
        return writeXlsx([...own, ...rejectColumns], cells, (row, column) => wrong[row]?.has(column) ?? false)
      }),
  }
}

/** The rows of a sheet, each as wide as the header: the sheet ends a row after its last cell with content. */
async function* padRows(sheet: Sheet, width: number): AsyncGenerator<TableRow> {
  for await (const { cells, ...row } of sheet.rows({ width })) {
    yield { ...row, cells: [...cells, ...Array<string>(width - cells.length).fill('')] }
  }
}
