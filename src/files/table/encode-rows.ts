import type { ExportFormat } from '../../render/formats.ts'
import {
  type CsvForm,
  csvHeader,
  csvLine,
  escapeCell,
  escapeFormula,
  keepApostrophes,
  unescapeFormula,
} from '../formats/csv-cell.ts'
import { eachValue, valuesByPath } from '../formats/flat.ts'
import { writeXlsx } from '../formats/xlsx/write-xlsx.ts'
import { isObject, type Json, type JsonObject } from '../json/path.ts'
import { stringifyJson } from '../json/stringify.ts'
import { withoutReasons } from './reject-columns.ts'
import type { FileRow } from './row.ts'
import type { RowSource } from './row-source.ts'

/** Rows to be written, as objects and as a table. A format asks for the one that it needs. */
interface RowsToWrite {
  readonly objects: () => AsyncIterable<JsonObject>
  /** Texts are as a cell of a file has them; `keepApostrophes` makes that of any other text. */
  readonly table: () => Promise<{
    readonly header: readonly string[]
    readonly rows: AsyncIterable<readonly Json[]>
    /** The cells that a workbook shows in a colour, both counted from 0; asked once all rows are there. */
    readonly isColoured?: (row: number, column: number) => boolean
  }>
  readonly form?: CsvForm | undefined
}

type Encoder = (rows: RowsToWrite) => AsyncGenerator<string | Uint8Array>

/** Makes the content of a file. A workbook is held in memory, everything else is written row by row. */
export const encodeRows: Readonly<Record<ExportFormat, Encoder>> = {
  async *csv({ table, form = {} }) {
    const { header, rows } = await table()
    yield csvHeader(header, form)
    for await (const values of rows) yield csvLine(values.map(cellText), form)
  },
  async *xlsx({ table }) {
    const { header, rows, isColoured } = await table()
    const cells: Json[][] = []
    for await (const values of rows)
      cells.push(
        values.map((value) => keepApostrophes(typeof value === 'string' ? unescapeFormula(value) : value)),
      )
    yield await writeXlsx(header, cells, isColoured)
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
  if (typeof value === 'string') return escapeCell(value)
  return isObject(value) || Array.isArray(value) ? escapeFormula(stringifyJson(value)) : String(value)
}

/** The rows of a file once more, with more columns at the end. `replaces`: the columns of the file of which they take the place. */
export function withAdded(
  source: RowSource,
  names: readonly string[],
  rows: () => AsyncIterable<readonly [row: FileRow, values: readonly Json[]]>,
  replaces: (name: string) => boolean = () => false,
) {
  return {
    form: source.form,
    async *objects(): AsyncGenerator<JsonObject> {
      for await (const [row, values] of rows()) {
        const entries = Object.entries(objectOf(source, row)).filter(([name]) => !replaces(name))
        yield Object.fromEntries([...entries, ...names.map((name, at) => [name, values[at]] as const)])
      }
    },
    async table() {
      const { header, cells } = await fileTable(source, replaces)
      async function* all(): AsyncGenerator<readonly Json[]> {
        for await (const [row, values] of rows()) yield [...cells(row), ...values.map(keepApostrophes)]
      }
      return { header: [...header, ...names], rows: all() }
    },
  }
}

/** The header and the cells of a table. A file of objects gets a column for each path that occurs. */
async function fileTable(source: RowSource, replaces: (name: string) => boolean) {
  const { own, cellsOf } = source
  if (own && cellsOf) {
    const columns = own.flatMap((name, at) => (replaces(name) ? [] : [at]))
    const cells = (row: FileRow): readonly Json[] => {
      const cells = cellsOf(row)
      return [...columns.map((at) => cells[at] ?? ''), ...cells.slice(own.length)]
    }
    return { header: columns.map((at) => own[at] ?? ''), cells }
  }
  const paths = new Set<string>()
  for await (const row of source.rows()) eachValue(objectOf(source, row), (path) => paths.add(path))
  const header = [...paths].filter((path) => !replaces(path))
  const cells = (row: FileRow): readonly Json[] => {
    const values = valuesByPath(objectOf(source, row))
    return header.map((path) => keepApostrophes(values.get(path)))
  }
  return { header, cells }
}

/** A row as an object, without what an earlier run added. */
function objectOf({ own = [], cellsOf }: RowSource, row: FileRow): JsonObject {
  const { original } = row
  if (isObject(original)) return withoutReasons(original)
  if (!cellsOf) return { line: (original as readonly string[])[0] }
  const cells = cellsOf(row)
  return Object.fromEntries(own.map((name, at) => [name, unescapeFormula(cells[at] ?? '')]))
}
