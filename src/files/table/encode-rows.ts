import type { ExportFormat } from '../../render/formats.ts'
import {
  type CsvForm,
  csvText,
  keepMarks,
  markCell,
  markFormula,
  unmarkFormula,
} from '../formats/csv-cell.ts'
import { writeXlsx } from '../formats/xlsx/write-xlsx.ts'
import { isObject, type Json, type JsonObject } from '../json/path.ts'
import { stringifyJson } from '../json/stringify.ts'

/** Rows to be written, as objects and as a table. A format asks for the one that it needs. */
interface RowsToWrite {
  readonly objects: () => AsyncIterable<JsonObject>
  /** Texts are as a cell of a file has them; `keepMarks` makes that of any other text. */
  readonly table: () => Promise<{
    readonly header: readonly string[]
    readonly rows: AsyncIterable<readonly Json[]>
    /** The cells that a workbook shows in a colour, both counted from 0; asked once all rows are there. */
    readonly isMarked?: (row: number, column: number) => boolean
  }>
  readonly form?: CsvForm | undefined
}

type Encoder = (rows: RowsToWrite) => AsyncGenerator<string | Uint8Array>

/** Makes the content of a file. A workbook is held in memory, everything else is written row by row. */
export const encodeRows: Readonly<Record<ExportFormat, Encoder>> = {
  async *csv({ table, form = {} }) {
    const { header, rows } = await table()
    yield csvText([header.map((name) => markFormula(name, true))], form)
    const { marked: _, ...below } = form
    for await (const values of rows) yield csvText([values.map(cellText)], below)
  },
  async *xlsx({ table }) {
    const { header, rows, isMarked } = await table()
    const cells: Json[][] = []
    for await (const values of rows)
      cells.push(values.map((value) => (typeof value === 'string' ? keepMarks(unmarkFormula(value)) : value)))
    yield await writeXlsx(header, cells, isMarked)
  },
  async *ndjson({ objects }) {
    for await (const object of objects()) yield `${stringifyJson(object)}\n`
  },
  async *json({ objects }) {
    let before = '[\n'
    for await (const object of objects()) {
      yield before + stringifyJson(object)
      before = ',\n'
    }
    yield before === '[\n' ? '[]\n' : '\n]\n'
  },
}

function cellText(value: Json): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return markCell(value)
  return isObject(value) || Array.isArray(value) ? markFormula(stringifyJson(value), true) : String(value)
}
