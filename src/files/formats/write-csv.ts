import type { Json, JsonObject } from '../json/path.ts'
import { csvCell, csvHeader } from './csv-cell.ts'
import { columnReader, eachValue } from './flat.ts'

/** Rows as CSV (RFC 4180). `excel` adds the byte-order mark and the line ends that Excel expects. */
export function writeCsv(rows: readonly JsonObject[], columns: readonly string[], excel: boolean): string {
  const csv = csvTable(excel, columns)
  return csv.header() + csv.lines(rows.map(csv.row).join(''))
}

/** Values as a line of CSV. */
export const csvRow = (values: readonly Json[], excel: boolean): string =>
  values.map(csvCell).join() + lineEnd(excel)

/** The form for Excel, or the plain one. */
export const csvFormFor = (excel: boolean) => ({ byteOrderMark: excel, crlf: excel })

const lineEnd = (excel: boolean) => (excel ? '\r\n' : '\n')

/** Ends a row until all columns are known. No cell has it: what a terminal would act on is written in another way. */
const openEnd = '\x1E'

/**
 * Writes records as CSV in parts. A column that is named has the whole value, whatever is inside of it; without names
 * there is one for each value that is found: new ones come last, so that earlier rows only lack cells at their end.
 */
export function csvTable(excel: boolean, columns?: readonly string[]) {
  const readers = columns?.map(columnReader)
  const places = new Map<string, number>()
  const width = () => columns?.length ?? places.size
  /** From which row on how many cells there are: later rows have more. */
  const widths: { readonly from: number; readonly cells: number }[] = []
  let [rowCount, written] = [0, 0]

  function row(record: JsonObject): string {
    const cells = readers ? readers.map((reader) => csvCell(reader(record))) : cellsFound(record)
    if (widths.at(-1)?.cells !== cells.length) widths.push({ from: rowCount, cells: cells.length })
    rowCount += 1
    return cells.join() + openEnd
  }

  function cellsFound(record: JsonObject): string[] {
    const cells = Array<string>(places.size).fill('')
    eachValue(record, (path, value) => {
      if (!places.has(path)) places.set(path, places.size)
      cells[places.get(path) ?? 0] = csvCell(value)
    })
    return cells
  }

  function endOf(at: number): string {
    while ((widths[1]?.from ?? Number.POSITIVE_INFINITY) <= at) widths.shift()
    return commas(widths[0]?.cells ?? 0, width()) + lineEnd(excel)
  }

  return {
    /** A record as a row, whose end is still open. */
    row,
    /** The first line: the column names. Nothing where none was found. */
    header(): string {
      const names = columns ?? [...places.keys()]
      return !columns && names.length === 0 ? '' : csvHeader(names, csvFormFor(excel))
    },
    /** What `row` gave, in its order, as lines: each with a cell for every column that is known by now. */
    lines: (rows: string): string => rows.replaceAll(openEnd, () => endOf(written++)),
  }
}

/** The commas that give a row more cells. An empty row counts as one empty cell. */
const commas = (have: number, need: number) => ','.repeat(Math.max(0, need - Math.max(1, have)))
