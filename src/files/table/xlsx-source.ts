import { invalidInput, usage } from '../../errors.ts'
import { columnLetters } from '../formats/column-letters.ts'
import { type FilledSheet, openXlsx, type Sheet, survey } from '../formats/xlsx/open-xlsx.ts'
import type { MergedCells } from '../formats/xlsx/sheet-rows.ts'
import { writeXlsx } from '../formats/xlsx/write-xlsx.ts'
import { columnFinder, namesIn, ownHeader, shownColumns } from './file-columns.ts'
import { leftRows } from './left-rows.ts'
import { matchFile } from './match-file.ts'
import { type OpenedFile, readWhole } from './open-bytes.ts'
import { ownCells, rejectColumns, rejectsWhole } from './reject-lines.ts'
import { type FileReading, limitRows, type SourceOptions } from './row-source.ts'
import { layOut } from './sheet-layout.ts'
import { surveyTable } from './survey-table.ts'
import { type TableRow, tableRows } from './table-rows.ts'

/** A workbook: its sheet with content, or the one of several that is chosen. The zipped file is held in memory, its rows are not. */
export async function xlsxSource(file: OpenedFile, given: SourceOptions): Promise<FileReading> {
  let chosen: number | undefined
  let others: readonly string[] = []
  const choose = async (filled: readonly FilledSheet[]) => {
    chosen ??= await chooseSheet(filled, given)
    others = filled.flatMap(({ name }, at) => (at === chosen ? [] : [name]))
    return chosen
  }
  const open = async () => {
    const sheet = await openXlsx(await readWhole(file), choose)
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
  const {
    columns,
    wholeNames,
    weeks,
    addedUp,
    dateFormat,
    remarks,
    doubts: matched,
  } = await matchFile(seen, {
    ...given,
    recalled,
  })
  const left = leftRows(given.type, columns, seen, layout)
  const options = { ...given, dateFormat, layout: { ...layout, left: left.rows }, wholeNames, weeks, addedUp }
  // A row of a file of rejected rows has its week beside it.
  const added = weeks.length > 0 ? columns.slice(-1).map(({ name }) => name) : []
  const own = [...ownHeader(header), ...added]
  const find = columnFinder(columns)
  return {
    columns: header,
    shown: shownColumns(given.type, columns, seen),
    notSent: columns.filter(({ fills, name }) => !fills && name !== '').map(({ name }) => name),
    remarks: [
      ...(others.length > 0 ? [`other sheets of the workbook are left out: ${others.join(', ')}`] : []),
      ...laid,
      ...left.remarks,
      ...hidden,
      ...remarks,
    ],
    doubts: [...doubts, ...left.doubts, ...matched],
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
          ...ownCells(row, own.length, header.length + added.length),
          ...reasons,
        ])
        const wrong = rows.map(
          ({ issues }) => new Set(issues.map(({ column, path }) => column ?? find(path)?.column)),
        )
        return writeXlsx([...own, ...rejectColumns], cells, (row, column) => wrong[row]?.has(column) ?? false)
      }),
  }
}

/** The sheet that is named, or the only one with headings of such records, or the one that a person chooses. */
async function chooseSheet(
  filled: readonly FilledSheet[],
  { type, sheet, help }: SourceOptions,
): Promise<number | undefined> {
  if (sheet !== undefined) {
    const named = filled.findIndex(({ name }) => name.trim().toLowerCase() === sheet.trim().toLowerCase())
    if (named >= 0) return named
    throw usage(
      `No sheet is called ${sheet}.`,
      `The sheets are: ${filled.map(({ name }) => name).join(', ')}.`,
    )
  }
  const names = filled.map(({ top }) => Math.max(...top.map((cells) => namesIn(type, cells))))
  const fitting = names.flatMap((count, at) => (count > 1 && !filled[at]?.hidden ? [at] : []))
  if (fitting.length === 1) return fitting[0]
  return help?.chooseSheet?.(
    fitting.length > 0
      ? fitting.map((at) => ({ at, name: filled[at]?.name ?? '' }))
      : filled.map(({ name }, at) => ({ at, name })),
  )
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
