import { columnLetters } from '../column-letters.ts'
import { cellReader } from './cell-reader.ts'
import { xmlPieces } from './read-xml.ts'
import { damagedWorkbook, unreadableWorkbook } from './unreadable-workbook.ts'
import { isTrue, type Workbook } from './workbook.ts'

/** The most rows and columns that a sheet can have. */
const lastRow = 1_048_576
const lastColumn = 16_384

/** Longer than any row about a person, in characters. */
const longestRow = 1024 * 1024

/** One row with content, numbered from 1. */
export interface SheetRow {
  readonly row: number
  /** As text, up to the last with content or up to `width`. */
  readonly cells: readonly string[]
  /** The cells that the spreadsheet has as dates. */
  readonly dates: ReadonlySet<number>
  /** The cells with a formula whose value was never computed. */
  readonly uncomputed: ReadonlySet<number>
  /** The first column with content after `width`. */
  readonly beyond?: number
  readonly hidden: boolean
}

export interface SheetOptions {
  /** How many columns to read; all by default. */
  readonly width?: number
  /** Called before the first row for hidden columns, counted from 0. */
  readonly onHiddenColumns?: (first: number, last: number) => void
}

/**
 * Reads the rows of a sheet one by one, without empty ones. Throws a Failure (exit 3) if the sheet is damaged, has a
 * cell or a row twice, or a row longer than 1 MiB.
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

/** The column of a cell address, from 0; without an address, the next column. */
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
