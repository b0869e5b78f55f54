import { invalidInput } from '../errors.ts'
import { columnLetters } from '../formats/column-letters.ts'
import { openXlsx, type Sheet, survey } from '../formats/xlsx/open-xlsx.ts'
import type { MergedCells } from '../formats/xlsx/sheet-rows.ts'
import { writeXlsx } from '../formats/xlsx/write-xlsx.ts'
import { columnFinder, ownHeader, shownColumns } from './file-columns.ts'
import { matchFile } from './match-file.ts'
import { type OpenedFile, readWhole } from './open-bytes.ts'
import { ownCells, rejectColumns, rejectsWhole } from './reject-lines.ts'
import { type FileReading, limitRows, type SourceOptions } from './row-source.ts'
import { layOut } from './sheet-layout.ts'
import { surveyTable } from './survey-table.ts'
import { type TableRow, tableRows } from './table-rows.ts'

/** A workbook with one sheet that has content. The zipped file is held in memory, its rows are not. */
export async function xlsxSource(file: OpenedFile, given: SourceOptions): Promise<FileReading> {
  const open = async () => {
    const sheet = await openXlsx(await readWhole(file))
    if (!sheet) throw invalidInput('The workbook is empty.', [])
    return sheet
  }
  let sheet: Awaited<ReturnType<typeof survey>> | undefined
  const {
    survey: seen,
    layout,
    remarks: laid,
    doubts,
  } = await layOut(given.type, given.headingRow, async (each) => {
    const looks = surveyTable(each)
    sheet = await survey(await open(), ({ row, cells }) => looks.add(row, cells), each.headingRow)
    return looks.end()
  })
  const { hidden, merged } = sheet ?? { hidden: [], merged: [] }
  const { header } = seen
  const recalled = await given.help?.recall(header)
  const { columns, wholeNames, dateFormat, remarks } = await matchFile(seen, { ...given, recalled })
  const options = { ...given, dateFormat, layout, wholeNames }
  const own = ownHeader(header)
  const find = columnFinder(columns)
  return {
    columns: header,
    shown: shownColumns(given.type, columns, seen),
    notSent: columns.filter(({ fills, name }) => !fills && name !== '').map(({ name }) => name),
    remarks: [...laid, ...hidden, ...remarks],
    doubts,
    dateFormat,
    sha256: file.sha256,
    rows: async function* () {
      yield* limitRows(tableRows(padRows(await open(), header.length, merged), columns, options))
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

/**
 * The rows of a sheet, each as wide as the header: the sheet ends a row after its last cell with content. A cell that is
 * merged with one that has a value has that value here, as a person sees it, and is named.
 */
async function* padRows(
  sheet: Sheet,
  width: number,
  merged: readonly MergedCells[],
): AsyncGenerator<TableRow> {
  let next = 0
  let open: (MergedCells & { readonly text: string; readonly isDate: boolean })[] = []
  for await (const { cells: written, ...each } of sheet.rows({ width })) {
    const { row } = each
    const cells = [...written, ...Array<string>(width - written.length).fill('')]
    const dates = new Set(each.dates)
    for (let range = merged[next]; range && range.rows[0] <= row; range = merged[++next]) {
      const [first] = range.columns
      const text = cells[first] ?? ''
      // Where it has no value, nothing is lost.
      if (range.rows[0] === row && text.trim() !== '') open.push({ ...range, text, isDate: dates.has(first) })
    }
    open = open.filter(({ rows }) => rows[1] >= row)
    const mergedWith = new Map<number, string>()
    for (const { rows, columns, text, isDate } of open) {
      for (let at = columns[0]; at <= Math.min(columns[1], width - 1); at++) {
        if (row === rows[0] && at === columns[0]) continue
        mergedWith.set(at, `${columnLetters(columns[0])}${rows[0]}`)
        cells[at] = text
        if (isDate) dates.add(at)
      }
    }
    yield { ...each, cells, dates, ...(mergedWith.size > 0 && { mergedWith }) }
  }
}
