import { dayMs } from '../../../text/day.ts'
import { lastRowOfSheet } from '../column-letters.ts'
import { longestRow, unescapeText } from '../escaped-text.ts'
import { type Attributes, damagedWorkbook, unreadableWorkbook, xmlPieces } from './read-xml.ts'
import { type CellFormat, isTrue, textOfRuns, type Workbook } from './workbook.ts'

const lastColumn = 16_384

/** One row with content, numbered from 1. */
export interface CellRow {
  readonly row: number
  /** The cells as text, up to the last with content or up to `width`. */
  readonly cells: readonly string[]
  /** The cells that the spreadsheet has as dates. */
  readonly dates: ReadonlySet<number>
  /** The cells with a formula whose value was never computed. */
  readonly uncomputed: ReadonlySet<number>
  /** The first column with content after `width`. */
  readonly beyond?: number | undefined
  readonly hidden: boolean
  /** Whether something in it is struck through. */
  readonly isStruck: boolean
}

/** How much of a sheet is read, and who is told of what is not a row. */
export interface SheetOptions {
  /** How many columns to read; all by default. */
  readonly width?: number
  /** Called before the first row for hidden columns, counted from 0. */
  readonly onHiddenColumns?: (first: number, last: number) => void
  /** Called after the last row for cells that are merged into one. */
  readonly onMerged?: (cells: MergedCells) => void
}

/** Cells that a spreadsheet shows as one: only the first of them, on the left above, has the value. */
export interface MergedCells {
  /** Rows from 1, columns from 0. */
  readonly rows: readonly [first: number, last: number]
  readonly columns: readonly [first: number, last: number]
}

/** The rows of a sheet without empty ones. Throws exit 3 if it is damaged, or a row is longer than 1 MiB. */
export async function* sheetRows(
  bytes: AsyncIterable<Uint8Array>,
  book: Workbook,
  { width = lastColumn, onHiddenColumns, onMerged }: SheetOptions = {},
): AsyncGenerator<CellRow> {
  const cell = xlsxCellReader(book)
  let rows: CellRow[] = []
  let open: OpenRow | undefined
  let row = 0
  let at = -1

  function openRow(number: string | undefined, hidden: boolean) {
    const next = number === undefined ? row + 1 : Number(number)
    if (!Number.isInteger(next) || next <= row || next > lastRowOfSheet) throw damagedWorkbook()
    row = next
    at = -1
    open = {
      cells: [],
      dates: new Set(),
      uncomputed: new Set(),
      hidden,
      isStruck: false,
      size: 0,
    }
  }

  function closeCell(into: OpenRow) {
    const { text, isDate, isUncomputed } = cell.close()
    if (text === '' && !isUncomputed) return
    if (cell.isStruck()) into.isStruck = true
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
      } else if (name === 'mergeCell') {
        const cells = mergedCells(attributes.ref)
        if (cells) onMerged?.(cells)
      } else if (name === 'c' && open) {
        at = columnOf(attributes.r, at, row)
        cell.open(attributes)
      } else cell.inside(name, attributes)
    },
    text: cell.text,
    close(name) {
      if (name === 'c' && open) closeCell(open)
      else if (name === 'row' && open) {
        const { cells, dates, uncomputed, hidden, isStruck, beyond } = open
        if (cells.length > 0 || beyond !== undefined)
          rows.push({ row, cells, dates, uncomputed, hidden, isStruck, beyond })
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
  readonly hidden: boolean
  isStruck: boolean
  size: number
  beyond?: number
}

/** The column of a cell address, from 0; without an address, the next column. Throws for one that is not after the last. */
function columnOf(address: string | undefined, before: number, row: number): number {
  const [, letters = '', number] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address ?? '') ?? []
  const column = address === undefined ? before + 1 : columnNumber(letters) - 1
  const isOfRow = address === undefined || Number(number) === row
  if (column <= before || column >= lastColumn || !isOfRow) throw damagedWorkbook()
  return column
}

/** 1 for A, 27 for AA. */
const columnNumber = (letters: string) =>
  [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0)

/** The cells of `C2:C4`, which some programs write as `$C$2:$C$4`; undefined for what is not a range. */
function mergedCells(range = ''): MergedCells | undefined {
  const [, firstLetters = '', top, right = '', bottom] =
    /^\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(range.toUpperCase()) ?? []
  if (firstLetters === '') return undefined
  return {
    rows: [Number(top), Number(bottom)],
    columns: [columnNumber(firstLetters) - 1, columnNumber(right) - 1],
  }
}

interface SheetCell {
  readonly text: string
  readonly isDate: boolean
  readonly isUncomputed: boolean
}

const value = (text: string, isDate = false): SheetCell => ({ text, isDate, isUncomputed: false })
const uncomputed: SheetCell = { text: '', isDate: false, isUncomputed: true }

/** Reads one cell after the other: `<c t="s" s="3"><f>…</f><v>…</v></c>`. */
function xlsxCellReader(book: Workbook) {
  const inline = textOfRuns()
  let type = 'n'
  let style = 0
  let hasFormula = false
  let inValue = false
  let stored = ''
  return {
    open({ t = 'n', s = '0' }: Attributes) {
      type = t
      style = Number(s)
      hasFormula = false
      stored = ''
      inline.start()
    },
    inside(name: string, attributes: Attributes) {
      if (name === 'f') hasFormula = true
      if (name === 'v') inValue = true
      inline.open(name, attributes)
    },
    text(text: string) {
      if (inValue) stored += text
      inline.add(text)
    },
    outside(name: string) {
      if (name === 'v') inValue = false
      inline.close(name)
    },
    isStruck: () =>
      book.formats[style]?.isStruck === true ||
      (type === 's' ? book.struck.has(Number(stored)) : inline.isStruck()),
    close(): SheetCell {
      if (hasFormula && isUncomputed(type, stored, book)) return uncomputed
      return readCellValue(type, style, type === 'inlineStr' ? inline.taken() : stored, book)
    },
  }
}

/** openpyxl and pandas write a formula without a value, XlsxWriter with 0; empty text has the type text. */
function isUncomputed(type: string, text: string, book: Workbook): boolean {
  if (text === '') return type !== 'str'
  return book.uncomputed && type === 'n' && Number(text) === 0
}

/** Dates become YYYY-MM-DD; a spreadsheet error keeps its name, `#N/A`. */
function readCellValue(type: string, style: number, text: string, book: Workbook): SheetCell {
  switch (type) {
    case 's':
      return value(text === '' ? '' : (book.strings[Number(text)] ?? refuseDamaged()))
    case 'str':
    case 'inlineStr':
      return value(unescapeText(text))
    case 'b':
      return value(text === '' ? '' : text === '1' || text === 'true' ? 'TRUE' : 'FALSE')
    case 'e':
      return value(text === '' ? '#N/A' : text)
    case 'd':
      return value(text.replace(/T00:00:00(\.0+)?Z?$/, ''), text !== '')
    case 'n':
      return numberCell(text.trim(), book.formats[style], book)
    default:
      throw damagedWorkbook()
  }
}

/** Throws that the workbook is damaged. */
export function refuseDamaged(): never {
  throw damagedWorkbook()
}

function numberCell(stored: string, format: CellFormat | undefined, book: Workbook): SheetCell {
  if (stored === '') return value('')
  const number = Number(stored)
  if (!Number.isFinite(number)) throw damagedWorkbook()
  // A time, or a span of hours, as people read it: 7:30, 37:30.
  if (format?.isTime && number >= 0 && number < daysOfHours) return value(hoursAndMinutes(number))
  const date = format?.isDate ? dateOfSerial(number, book.is1904) : undefined
  if (date !== undefined) return value(date, true)
  // As spreadsheets show it: 14.2 × 1.5 is stored as 21.299999999999997. A whole number keeps every digit.
  const text = /^-?\d+$/.test(stored) ? stored : String(Number(number.toPrecision(15)))
  // 12.07% is stored as 0.1207. A double has 15 digits for certain.
  if (format?.isPercent) return value(`${Number((number * 100).toPrecision(15))}%`)
  const { digits = 0, prefix = '' } = format ?? {}
  return value(/^\d+$/.test(text) ? prefix + text.padStart(digits, '0') : text)
}

/** A longer span is a day with a time, not hours that were worked. In days. */
const daysOfHours = 100

function hoursAndMinutes(days: number): string {
  const minutes = Math.round(days * 24 * 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** The day number of 1 January 1970 in a spreadsheet. */
const day1970 = 25_569
/** Days between the 1900 and the 1904 date system. */
const from1904 = 1462
/** The day after 31 December 9999, the last day in a spreadsheet. */
const dayAfterLast = 2_958_466

/** A spreadsheet's day number as YYYY-MM-DD, with the time if any. There 1900 has a 29 February. */
function dateOfSerial(serial: number, is1904: boolean): string | undefined {
  const day = is1904 ? serial + from1904 : serial
  if (!(day >= 0 && day < dayAfterLast)) return undefined
  if (Math.floor(day) === 60) return '1900-02-29'
  const days = day < 60 ? day + 1 : day
  return new Date(Math.round((days - day1970) * dayMs)).toISOString().replace(/T00:00:00\.000Z$/, '')
}
