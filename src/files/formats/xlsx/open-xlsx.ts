import { nameSome } from '../../../text/words.ts'
import { columnLetters } from '../column-letters.ts'
import { openArchive } from './archive.ts'
import { unreadableWorkbook } from './read-xml.ts'
import { type CellRow, type MergedCells, refuseDamaged, type SheetOptions, sheetRows } from './sheet-rows.ts'
import { readWorkbook } from './workbook.ts'
import { notesTitle } from './write-form.ts'

/** A sheet with content. */
export interface FilledSheet {
  readonly name: string
  readonly hidden: boolean
  /** Its first rows. */
  readonly top: readonly (readonly string[])[]
  /** Its rows from the start. Throws as `openXlsx` does. */
  rows(options?: SheetOptions): AsyncGenerator<CellRow>
}

const shownRows = 10

/** The sheets of a workbook that have content. Throws exit 3 if it is not XLSX, or too large. */
export async function openXlsx(bytes: Uint8Array): Promise<readonly FilledSheet[]> {
  const archive = await openArchive(bytes)
  const book = await readWorkbook(archive)
  const sheets: FilledSheet[] = []
  for (const { name, hidden, part } of book.sheets) {
    const rows = (options?: SheetOptions) => sheetRows(archive.part(part) ?? refuseDamaged(), book, options)
    const top: (readonly string[])[] = []
    for await (const { cells } of rows()) {
      if (top.push(cells) >= shownRows) break
    }
    const [[first] = []] = top
    if (top.length > 0 && first !== notesTitle) sheets.push({ name, hidden, top, rows })
  }
  return sheets
}

/** More merged cells are not a list of people. */
const mostMerged = 65_536

/**
 * Reads the whole sheet once. `remarks`: what the spreadsheet hides of it besides rows, but the import reads. `hidden`
 * and `struck`: the rows that are hidden, and those in which something is struck through. `hiddenColumns`: from 0.
 */
export async function surveySheet(sheet: FilledSheet, onRow: (row: CellRow) => void, headingRow = 1) {
  let header: readonly string[] = []
  const [hidden, struck]: [number[], number[]] = [[], []]
  const columns: (readonly [number, number])[] = []
  const onHiddenColumns = (from: number, to: number) => columns.push([from, to])
  const merged: MergedCells[] = []
  const onMerged = (cells: MergedCells) => {
    if (merged.push(cells) > mostMerged)
      throw unreadableWorkbook(`it has more than ${mostMerged} merged cells`)
  }
  for await (const row of sheet.rows({ onHiddenColumns, onMerged })) {
    onRow(row)
    if (row.row === headingRow) header = row.cells
    if (row.hidden) hidden.push(row.row)
    if (row.isStruck) struck.push(row.row)
  }
  const hiddenColumns = [...header.keys()].filter(
    (at) => header[at]?.trim() !== '' && columns.some(([from, to]) => at >= from && at <= to),
  )
  const names = hiddenColumns.map((at) => `${columnLetters(at)} (${header[at]?.trim().slice(0, 40)})`)
  // The preview says of each column whether it is imported.
  const remarks = [
    ...(sheet.hidden
      ? [`the sheet ${sheet.name} is hidden in the workbook; it is part of the file and will be sent`]
      : []),
    ...(names.length > 0
      ? [`hidden columns of the sheet count as the others do: ${nameSome(names, mostNamed)}`]
      : []),
  ]
  return {
    remarks,
    hidden,
    hiddenColumns,
    struck,
    merged: merged.sort((one, other) => one.rows[0] - other.rows[0]),
  }
}

/** How many columns a message names. */
const mostNamed = 10
