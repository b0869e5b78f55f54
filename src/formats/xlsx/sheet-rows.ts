import { columnLetters } from '../column-letters.ts'
import { cellReader } from './cell-reader.ts'
import { xmlPieces } from './read-xml.ts'
import { damagedWorkbook, unreadableWorkbook } from './unreadable-workbook.ts'
import { isTrue, type Workbook } from './workbook.ts'

/** What a sheet has of rows and columns at most. */
const lastRow = 1_048_576
const lastColumn = 16_384

/** No row of a person is longer, in characters. */
const longestRow = 1024 * 1024

/** One row of a sheet that holds anything, from 1. */
export interface SheetRow {
  readonly row: number
  /** As text, up to the last that holds something, or as many as were asked for. */
  readonly cells: readonly string[]
  /** Which of them are dates to the spreadsheet. */
  readonly dates: ReadonlySet<number>
  /** Which of them hold a formula whose value was never computed. */
  readonly uncomputed: ReadonlySet<number>
  /** The first column with something in it behind those that were asked for. */
  readonly beyond?: number
  readonly hidden: boolean
}

export interface SheetOptions {
  /** How many columns are wanted: all of them unless given. */
  readonly width?: number
  /** Is told which columns are hidden, from 0, before the first row. */
  readonly onHiddenColumns?: (first: number, last: number) => void
}

/**
 * The rows of a sheet, one by one; empty ones are left out. Throws a Failure (exit 3) for a sheet that is damaged, has
 * a cell or a row twice, or a row longer than 1 MiB.
 */
export async function* sheetRows(
  bytes: AsyncIterable<Uint8Array>,
  book: Workbook,
  { width = lastColumn, onHiddenColumns }: SheetOptions = {},
): AsyncGenerator<SheetRow> {
  const cell = cellReader(book)
  let rows: SheetRow[] = []
  let open: OpenRow | undefined
  let row = 0
  let at = -1

  function openRow(number: string | undefined, hidden: boolean) {
    const next = number === undefined ? row + 1 : Number(number)
    if (!Number.isInteger(next) || next < 1 || next > lastRow) throw damagedWorkbook()
    if (next <= row) throw unreadableWorkbook(`row ${next} appears twice, or out of order`)
    row = next
    at = -1
    open = { cells: [], dates: new Set(), uncomputed: new Set(), seen: new Set(), hidden, size: 0 }
  }

  function closeCell(into: OpenRow) {
    const { text, isDate, isUncomputed } = cell.close()
    if (text === '' && !isUncomputed) return
    into.size += text.length
    if (into.size > longestRow)
      throw unreadableWorkbook(`row ${row} is longer than any record: more than 1 MiB`)
    if (at >= width) {
      if (text.trim() === '' && !isUncomputed) return
      into.beyond = Math.min(into.beyond ?? at, at)
      return
    }
    while (into.cells.length < at) into.cells.push('')
    into.cells[at] = text
    if (isDate) into.dates.add(at)
    if (isUncomputed) into.uncomputed.add(at)
  }

  const pieces = xmlPieces(bytes, {
    open(name, attributes) {
      if (name === 'row') openRow(attributes.r, isTrue(attributes.hidden))
      else if (name === 'col' && isTrue(attributes.hidden)) {
        const [first, last] = [Number(attributes.min), Number(attributes.max)]
        if (first >= 1 && last <= lastColumn) onHiddenColumns?.(first - 1, last - 1)
      } else if (name === 'c' && open) {
        at = columnOf(attributes.r, at, row)
        if (open.seen.has(at)) throw unreadableWorkbook(`cell ${columnLetters(at)}${row} appears twice`)
        open.seen.add(at)
        cell.open(attributes)
      } else cell.inside(name)
    },
    text: cell.text,
    close(name) {
      if (name === 'c' && open) closeCell(open)
      else if (name === 'row' && open) {
        const { cells, dates, uncomputed, hidden, beyond } = open
        const isEmpty = cells.length === 0 && beyond === undefined
        if (!isEmpty) {
          rows.push({ row, cells, dates, uncomputed, hidden, ...(beyond !== undefined && { beyond }) })
        }
        open = undefined
      } else cell.outside(name)
    },
  })
  for await (const _ of pieces) {
    yield* rows
    rows = []
  }
}

interface OpenRow {
  readonly cells: string[]
  readonly dates: Set<number>
  readonly uncomputed: Set<number>
  readonly seen: Set<number>
  readonly hidden: boolean
  size: number
  beyond?: number
}

/** The column of an address, from 0; without one it is the next. */
function columnOf(address: string | undefined, before: number, row: number): number {
  if (address === undefined) {
    if (before + 1 >= lastColumn) throw damagedWorkbook()
    return before + 1
  }
  const [, letters = '', number] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address) ?? []
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  if (column < 1 || column > lastColumn || Number(number) !== row) throw damagedWorkbook()
  return column - 1
}
