import { invalidInput, usage } from '../../errors.ts'
import { nameSome } from '../../text/words.ts'
import { columnLetters } from '../formats/column-letters.ts'
import { type FilledSheet, openXlsx } from '../formats/xlsx/open-xlsx.ts'
import { unreadableWorkbook } from '../formats/xlsx/read-xml.ts'
import type { CellRow, MergedCells } from '../formats/xlsx/sheet-rows.ts'
import type { TableRow } from './column.ts'
import { countNames, shownName } from './file-columns.ts'
import { type OpenedFile, readWhole } from './open-bytes.ts'
import type { Grid, SourceOptions } from './row-source.ts'
import type { TableDoubt } from './skipped-rows.ts'
import { surveyTable } from './survey-table.ts'

/** A workbook: its sheet with content, or the one of several that is chosen. The zipped file is held in memory, its rows are not. */
export function xlsxGrid(file: OpenedFile, options: SourceOptions): Grid {
  let sheetIndex: number | undefined
  async function open() {
    const sheets = await openXlsx(await readWhole(file))
    sheetIndex ??= await chooseSheet(sheets, options)
    const otherNames = sheets.flatMap(({ name }, at) => (at === sheetIndex ? [] : [name]))
    return { sheet: sheets[sheetIndex] as FilledSheet, others: otherNames }
  }
  return {
    sha256: file.sha256,
    async look(headingRow) {
      const { sheet, others } = await open()
      const looks = surveyTable(headingRow)
      const doubts: TableDoubt[] = []
      const hiddenColumns: (readonly [first: number, last: number])[] = []
      const merged: MergedCells[] = []
      const onMerged = (cells: MergedCells) => {
        if (merged.push(cells) > mostMerged)
          throw unreadableWorkbook(`it has more than ${mostMerged} merged cells`)
      }
      const onHiddenColumns = (first: number, last: number) => hiddenColumns.push([first, last])
      for await (const { row, cells, hidden, isStruck } of sheet.rows({ onHiddenColumns, onMerged })) {
        looks.add(row, cells)
        if (hidden) doubts.push({ row, message: hiddenRow })
        if (isStruck) doubts.push({ row, message: struckThrough })
      }
      merged.sort((one, other) => one.rows[0] - other.rows[0])
      const survey = looks.end()
      const { header } = survey
      const hidden = [...header.keys()].filter(
        (at) => header[at]?.trim() !== '' && hiddenColumns.some(([first, last]) => at >= first && at <= last),
      )
      const names = hidden.map((at) => `${columnLetters(at)} (${shownName(header[at] ?? '')})`)
      // The preview says of each column whether it is imported.
      const remarks = [
        others.length > 0 && `other sheets of the workbook are left out: ${others.join(', ')}`,
        sheet.hidden &&
          `the sheet ${sheet.name} is hidden in the workbook; it is part of the file and will be sent`,
        names.length > 0 && `hidden columns of the sheet count as the others do: ${nameSome(names, 10)}`,
      ]
      return {
        survey: { ...survey, hidden },
        rows: async (width) =>
          gridRows((await open()).sheet.rows({ width }), { width, names: headingRow, merged }),
        remarks: remarks.filter((remark) => remark !== false),
        doubts,
      }
    },
  }
}

/** More merged cells are not a list of people. */
const mostMerged = 65_536

/** Chooses a sheet: the named one, the only one with headings of such records, or as a person says. */
async function chooseSheet(sheets: readonly FilledSheet[], { type, sheet, help }: SourceOptions) {
  if (sheets.length === 0) throw invalidInput('The workbook is empty.', [])
  if (sheet !== undefined) {
    const at = sheets.findIndex(({ name }) => name.trim().toLowerCase() === sheet.trim().toLowerCase())
    if (at >= 0) return at
    throw usage(
      `No sheet is called ${sheet}.`,
      `The sheets are: ${sheets.map(({ name }) => name).join(', ')}.`,
    )
  }
  if (sheets.length === 1) return 0
  const choices = sheets.map(({ name, top, hidden }, at) => ({
    at,
    name,
    hidden,
    names: Math.max(...top.map((cells) => countNames(type, cells))),
  }))
  const fitting = choices.filter(({ names, hidden }) => names > 1 && !hidden)
  const [only, another] = fitting
  if (only && !another) return only.at
  if (help?.chooseSheet) return help.chooseSheet(only ? fitting : choices)
  throw unreadableWorkbook(
    `${sheets.length} of its sheets contain data (${sheets.map(({ name }) => name).join(', ')})`,
    'Name the one to import with --sheet, or save it as a file of its own.',
  )
}

const hiddenRow = 'hidden in the sheet, and read all the same: show it there, or delete what does not count'

const struckThrough = 'struck through in the sheet, and read all the same: delete there what does not count'

const neverComputed =
  'the formula in this cell was never computed: open the file in Excel or LibreOffice and save it'

/** The rows of a sheet, each as wide as the header. A merged cell has the value that a person sees there. */
async function* gridRows(
  rows: AsyncIterable<CellRow>,
  {
    width,
    names,
    merged,
  }: { readonly width: number; readonly names: number; readonly merged: readonly MergedCells[] },
): AsyncGenerator<TableRow> {
  let next = 0
  let open: (MergedCells & { readonly text: string; readonly isDate: boolean })[] = []
  for await (const { row, cells: texts, dates: ownDates, uncomputed, beyond } of rows) {
    const cells = [...texts, ...Array<string>(width - texts.length).fill('')]
    const dates = new Set(ownDates)
    for (let range = merged[next]; range && range.rows[0] <= row; range = merged[++next]) {
      const [first] = range.columns
      const text = cells[first] ?? ''
      // A merge without a value loses nothing.
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
    const problem =
      beyond === undefined
        ? undefined
        : `there is a value in column ${columnLetters(beyond)}, which has no name in row ${names}`
    const flaws =
      uncomputed.size === 0 ? undefined : new Map([...uncomputed].map((at) => [at, neverComputed]))
    yield { row, cells, dates, mergedWith: mergedWith.size > 0 ? mergedWith : undefined, flaws, problem }
  }
}
