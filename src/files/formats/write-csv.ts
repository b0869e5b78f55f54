import type { JsonObject } from '../json/path.ts'
import { csvCell, csvText, markFormula } from './csv-cell.ts'
import { columnValue, eachValue } from './flat.ts'

/** Rows as CSV (RFC 4180). `excel` adds the byte-order mark and the line ends that Excel expects. */
export function writeCsv(rows: readonly JsonObject[], columns: readonly string[], excel: boolean): string {
  const csv = csvRows(columns, excel)
  return csv.header + csv.rows(rows)
}

/** Writes CSV in parts: the header once, then records. Leaves out values without a column. */
export function csvRows(
  columns: readonly string[],
  excel: boolean,
): { readonly header: string; readonly rows: (records: readonly JsonObject[]) => string } {
  const places = new Map(columns.map((path, at) => [path, at]))
  /** Columns that the user named twice. */
  const copies = columns.flatMap((path, at) =>
    places.get(path) === at ? [] : [[at, places.get(path) ?? at]],
  )
  /** Columns inside a list, which otherwise counts as one value where it holds records. */
  const inside = [...places].filter(([path]) => path.includes('['))
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
          for (const [path] of inside) put(path, columnValue(record, path))
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

interface Width {
  rows: number
  readonly cells: number
}

/** Writes records as CSV rows before all columns are known: new ones come last, so earlier rows only lack commas at their end. */
export function csvTable(excel = false) {
  const places = new Map<string, number>()
  const widths: Width[] = []
  return {
    /** The paths of all records so far, in order of first appearance. */
    columns: (): readonly string[] => [...places.keys()],
    /** Records as rows that end in a line feed. A row written before a column was found has no cell for it. */
    rows(records: readonly JsonObject[]): string {
      const all = records.map(cellsOf)
      const cells = places.size
      const last = widths.at(-1)
      if (last?.cells === cells) last.rows += all.length
      else widths.push({ rows: all.length, cells })
      return all.map((row) => `${row.join()}${commas(row.length, cells)}\n`).join('')
    },
    /** The rows again, in pieces of any size, with a cell for every column. */
    whole: (pieces: AsyncIterable<string | Uint8Array>, crlf: boolean) =>
      widths.length > 1 || crlf ? padRows(pieces, widths, places.size, crlf ? '\r\n' : '\n') : pieces,
  }

  function cellsOf(record: JsonObject): string[] {
    const row = Array<string>(places.size).fill('')
    eachValue(record, (path, value) => {
      let at = places.get(path)
      if (at === undefined) {
        at = places.size
        places.set(path, at)
      }
      row[at] = csvCell(value, excel)
    })
    return row
  }
}

/** The commas that give a row more cells. An empty row counts as one empty cell. */
const commas = (have: number, wanted: number) => ','.repeat(Math.max(0, wanted - Math.max(1, have)))

const [quote, lineFeed] = [0x22, 0x0a]

/** Adds the missing empty cells to each row. A line feed inside quotation marks does not end a row. */
async function* padRows(
  pieces: AsyncIterable<string | Uint8Array>,
  widths: readonly Width[],
  cells: number,
  end: string,
): AsyncGenerator<Uint8Array> {
  const left = widths.map((width) => ({ ...width, end: Buffer.from(commas(width.cells, cells) + end) }))
  let isQuoted = false
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece as Uint8Array)
    const parts: Uint8Array[] = []
    let from = 0
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] === quote) isQuoted = !isQuoted
      if (bytes[at] !== lineFeed || isQuoted) continue
      while (left[0]?.rows === 0) left.shift()
      const [here] = left
      parts.push(bytes.subarray(from, at), here?.end ?? Buffer.from(end))
      if (here) here.rows -= 1
      from = at + 1
    }
    yield Buffer.concat([...parts, bytes.subarray(from)])
  }
}
