import type { JsonObject } from '../json/path.ts'
import { csvCell, csvText, markFormula } from './csv-cell.ts'
import { eachValue } from './flat.ts'

/** Rows as CSV (RFC 4180). `excel` adds the byte-order mark and the line ends that Excel expects. */
export function writeCsv(rows: readonly JsonObject[], columns: readonly string[], excel: boolean): string {
  const csv = csvRows(columns, excel)
  return csv.header + csv.rows(rows)
}

/**
 * Writes CSV in parts: the header once, then the records in any number of calls. Leaves out values without a column.
 */
export function csvRows(
  columns: readonly string[],
  excel: boolean,
): { readonly header: string; readonly rows: (records: readonly JsonObject[]) => string } {
  const places = new Map(columns.map((path, at) => [path, at]))
  /** Columns that the user named twice. */
  const copies = columns.flatMap((path, at) =>
    places.get(path) === at ? [] : [[at, places.get(path) ?? at]],
  )
  const isColumn = (path: string) => places.has(path)
  const end = excel ? '\r\n' : '\n'
  return {
    header: csvHeader(columns, excel),
    rows: (records) =>
      records
        .map((record) => {
          const cells = Array<string>(columns.length).fill('')
          const put = (path: string, value: unknown) => {
            const at = places.get(path)
            if (at !== undefined) cells[at] = csvCell(value, excel)
          }
          eachValue(record, put, isColumn)
          for (const [to = 0, from = 0] of copies) cells[to] = cells[from] ?? ''
          return cells.join() + end
        })
        .join(''),
  }
}

/** The first line of a CSV: the column names. */
export function csvHeader(columns: readonly string[], excel: boolean): string {
  return csvText([columns.map((path) => markFormula(path, excel))], { marked: excel, crlf: excel })
}
