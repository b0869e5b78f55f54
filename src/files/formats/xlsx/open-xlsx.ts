import { agree, plural } from '../../../text/words.ts'
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
  const filled: FilledSheet[] = []
  for (const { name, hidden, part } of book.sheets) {
    const rows = (options?: SheetOptions) => sheetRows(archive.part(part) ?? refuseDamaged(), book, options)
    const top: (readonly string[])[] = []
    for await (const { cells } of rows()) {
      if (top.push(cells) >= shownRows) break
    }
    const [[first] = []] = top
    if (top.length > 0 && first !== notesTitle) filled.push({ name, hidden, top, rows })
  }
  return filled
}

/** More merged cells are not a list of people. */
const mostMerged = 65_536

/**
 * Reads the whole sheet once. `hidden`: warnings about what the spreadsheet hides, but the import sends. `struck`: the
 * rows in which something is struck through.
 */
export async function surveySheet(sheet: FilledSheet, onRow: (row: CellRow) => void, headingRow = 1) {
  let header: readonly string[] = []
  const rows: number[] = []
  const struck: number[] = []
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
    if (row.hidden) rows.push(row.row)
    if (row.isStruck) struck.push(row.row)
  }
  const named = header.flatMap((name, at) => {
    const isHidden = name.trim() !== '' && columns.some(([from, to]) => at >= from && at <= to)
    return isHidden ? [`${columnLetters(at)} (${name.trim().slice(0, 40)})`] : []
  })
  const ofRows = rows.length === 1 ? 'row' : 'rows'
  const hidden = [
    ...(sheet.hidden ? [`the sheet ${sheet.name} is hidden in the workbook; ${sentAnyway(1)}`] : []),
    ...hiddenParts('row', rows.length, `${ofRows} ${rangesOf(rows)}`),
    ...hiddenParts(
      'column',
      named.length,
      `${named.slice(0, mostRanges).join(', ')}${named.length > mostRanges ? ', …' : ''}`,
    ),
  ]
  return { hidden, struck, merged: merged.sort((one, other) => one.rows[0] - other.rows[0]) }
}

const sentAnyway = (count: number) =>
  count === 1 ? 'it is part of the file and will be sent' : 'they are part of the file and will be sent'

function hiddenParts(noun: 'row' | 'column', count: number, places: string): string[] {
  const are = agree(count, 'is')
  // The preview says of each column whether it is imported.
  const anyway =
    noun === 'row' ? sentAnyway(count) : `${count === 1 ? 'it is' : 'they are'} read all the same`
  return count === 0 ? [] : [`${plural(count, noun)} of the sheet ${are} hidden (${places}); ${anyway}`]
}

/** How many ranges a message names. */
const mostRanges = 10

/** Ascending numbers as people write them: 4–9, 20. */
function rangesOf(numbers: readonly number[]): string {
  const firsts = numbers.filter((number, at) => numbers[at - 1] !== number - 1)
  const lasts = numbers.filter((number, at) => numbers[at + 1] !== number + 1)
  const ranges = firsts
    .slice(0, mostRanges)
    .map((from, at) => (from === lasts[at] ? `${from}` : `${from}–${lasts[at]}`))
  return ranges.join(', ') + (firsts.length > mostRanges ? ', …' : '')
}
