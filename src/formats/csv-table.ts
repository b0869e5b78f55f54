import type { JsonObject } from '../json/path.ts'
import { csvCell } from './csv-cell.ts'
import { eachValue } from './flat.ts'

/** So many rows one after another have so many cells. */
interface Width {
  rows: number
  readonly cells: number
}

/** Records as rows of CSV while their columns are still being found. */
export interface CsvTable {
  /** The paths of all records so far, in the order in which they first appeared. */
  columns(): readonly string[]
  /** Records as rows that end in a line feed. Rows before a column was found have no cell for it. */
  rows(records: readonly JsonObject[]): string
  /** All rows, in whatever pieces, with a cell for every column. */
  whole(pieces: AsyncIterable<string | Uint8Array>, crlf: boolean): AsyncIterable<string | Uint8Array>
}

/** A column that is new stands behind the others, so rows that were written before lack only commas at their end. */
export function csvTable(): CsvTable {
  const places = new Map<string, number>()
  const widths: Width[] = []
  return {
    columns: () => [...places.keys()],
    rows(records) {
      const all = records.map(cellsOf)
      const cells = places.size
      const last = widths.at(-1)
      if (last?.cells === cells) last.rows += all.length
      else widths.push({ rows: all.length, cells })
      return all.map((row) => `${row.join()}${commas(row.length, cells)}\n`).join('')
    },
    whole: (pieces, crlf) =>
      widths.length > 1 || crlf ? padded(pieces, widths, places.size, crlf ? '\r\n' : '\n') : pieces,
  }

  function cellsOf(record: JsonObject): string[] {
    const row = Array<string>(places.size).fill('')
    eachValue(record, (path, value) => {
      let at = places.get(path)
      if (at === undefined) {
        at = places.size
        places.set(path, at)
      }
      row[at] = csvCell(value)
    })
    return row
  }
}

/** What a row needs behind its cells to have more of them. A row without any is one empty cell. */
const commas = (have: number, wanted: number) => ','.repeat(Math.max(0, wanted - Math.max(1, have)))

const [quote, lineFeed] = [0x22, 0x0a]

/** Rows with more empty cells at their end. A line feed inside quotation marks ends no row. */
async function* padded(
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
