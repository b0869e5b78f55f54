import type { JsonObject } from '../json/path.ts'
import { csvCell, csvText, escapeFormula } from './csv-cell.ts'
import { columnValue, eachValue } from './flat.ts'

/** Rows as CSV (RFC 4180). `excel` adds the byte-order mark and the line ends that Excel expects. */
export function writeCsv(rows: readonly JsonObject[], columns: readonly string[], excel: boolean): string {
  const csv = csvTable(excel, columns)
  return csv.header() + csv.lines(rows.map(csv.row).join(''))
}

/** Ends a row until all columns are known. No cell has it: what a terminal would act on is written in another way. */
const openEnd = '\x1E'

/**
 * Writes records as CSV in parts. Values without a column are left out; without columns, those of the records are found: new
 * ones come last, so that earlier rows only lack cells at their end.
 */
export function csvTable(excel: boolean, columns?: readonly string[]) {
  const places = new Map((columns ?? []).map((path, at) => [path, at]))
  /** Columns that the user named twice. */
  const copies = (columns ?? []).flatMap((path, at) =>
    places.get(path) === at ? [] : [[at, places.get(path) ?? at]],
  )
  /** Columns inside a list, which otherwise counts as one value where it holds records. */
  const inside = [...places].filter(([path]) => path.includes('['))
  const isColumn = columns && ((path: string) => places.has(path))
  const end = excel ? '\r\n' : '\n'
  const width = () => columns?.length ?? places.size
  /** From which row on how many cells there are: later rows have more. */
  const widths: { readonly from: number; readonly cells: number }[] = []
  let [made, written] = [0, 0]

  function row(record: JsonObject): string {
    const cells = Array<string>(width()).fill('')
    const put = (path: string, value: unknown) => {
      if (!columns && !places.has(path)) places.set(path, places.size)
      const at = places.get(path)
      if (at !== undefined) cells[at] = csvCell(value, excel)
    }
    eachValue(record, put, isColumn)
    for (const [path] of inside) put(path, columnValue(record, path))
    for (const [to = 0, from = 0] of copies) cells[to] = cells[from] ?? ''
    if (widths.at(-1)?.cells !== cells.length) widths.push({ from: made, cells: cells.length })
    made += 1
    return cells.join() + openEnd
  }

  function endOf(at: number): string {
    while ((widths[1]?.from ?? Number.POSITIVE_INFINITY) <= at) widths.shift()
    return commas(widths[0]?.cells ?? 0, width()) + end
  }

  return {
    /** A record as a row, whose end is still open. */
    row,
    /** The first line: the column names. Nothing where none was found. */
    header(): string {
      const names = columns ?? [...places.keys()]
      if (!columns && names.length === 0) return ''
      return csvText([names.map((path) => escapeFormula(path, excel))], { byteOrderMark: excel, crlf: excel })
    },
    /** What `row` gave, in its order, as lines: each with a cell for every column that is known by now. */
    lines: (rows: string): string => rows.replaceAll(openEnd, () => endOf(written++)),
  }
}

/** The commas that give a row more cells. An empty row counts as one empty cell. */
const commas = (have: number, wanted: number) => ','.repeat(Math.max(0, wanted - Math.max(1, have)))
