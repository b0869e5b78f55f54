import { csvText } from '../../formats/csv-cell.ts'
import { eachValue, flat } from '../../formats/flat.ts'
import { markCell, markFormula, unmarkFormula } from '../../formats/formula.ts'
import { writeXlsx } from '../../formats/xlsx/write/write-xlsx.ts'
import { isObject, type Json, type JsonObject } from '../../json/path.ts'
import { stringifyJson } from '../../json/stringify.ts'
import type { ImportKind } from '../import-service.ts'
import type { RowSource } from '../reading/open-source.ts'
import { ownCells, withoutReasons } from '../reading/reject-lines.ts'
import { nameIn } from '../rows/natural-key.ts'
import type { Row } from '../rows/row.ts'
import type { Outcomes, RowResult } from './row-outcomes.ts'

export type ResultsFormat = 'csv' | 'xlsx' | 'ndjson' | 'json'

/** The columns that the results add to those of the file, in this order. */
const added = ['outcome', 'id', 'time'] as const

/** The rows of a file as they were, each with its result. A column with an older id gives way to that of the id. */
export async function* resultObjects(
  source: RowSource,
  kind: ImportKind,
  outcomes: Outcomes,
): AsyncGenerator<JsonObject> {
  for await (const row of source.rows()) {
    yield { ...objectOf(source, row), ...resultOf(row, kind, outcomes) }
  }
}

/** The result of one row, and the key that it goes by. */
export function resultOf({ record, row }: Row, { key }: ImportKind, outcomes: Outcomes): RowResult {
  return outcomes(nameIn(record, key.request), row)
}

/** The content of a results file. A workbook is held in memory, everything else is written row by row. */
export async function* encodeResults(
  source: RowSource,
  kind: ImportKind,
  outcomes: Outcomes,
  format: ResultsFormat,
): AsyncGenerator<string | Uint8Array> {
  if (format === 'ndjson' || format === 'json') {
    yield* asJson(resultObjects(source, kind, outcomes), format)
    return
  }
  const { header, cells } = await tableOf(source)
  const results = async function* () {
    for await (const row of source.rows()) {
      const result = resultOf(row, kind, outcomes)
      yield [...cells(row), ...added.map((name) => result[name])]
    }
  }
  if (format === 'xlsx') {
    const rows: Json[][] = []
    for await (const values of results()) rows.push(values.map(unmarked))
    yield await writeXlsx([...header, ...added], rows)
    return
  }
  yield csvText([[...header.map(markFormula), ...added]], source.form)
  const { marked: _, ...form } = source.form ?? {}
  for await (const values of results()) yield csvText([values.map(textOf)], form)
}

async function* asJson(
  objects: AsyncIterable<JsonObject>,
  format: 'ndjson' | 'json',
): AsyncGenerator<string> {
  let before = '[\n'
  for await (const object of objects) {
    yield format === 'ndjson' ? `${stringifyJson(object)}\n` : before + stringifyJson(object)
    before = ',\n'
  }
  if (format === 'json') yield before === '[\n' ? '[]\n' : '\n]\n'
}

/** The columns of a table are its own; those of objects are all paths that occur. */
async function tableOf(
  source: RowSource,
): Promise<{ readonly header: readonly string[]; readonly cells: (row: Row) => readonly Json[] }> {
  const { own, columns = [] } = source
  if (own) {
    const kept = own.flatMap((name, at) => (isId(name) ? [] : [at]))
    const cells = (row: Row) => {
      const all = ownCells(row, own.length, columns.length)
      return [...kept.map((at) => all[at] ?? ''), ...all.slice(own.length)]
    }
    return { header: kept.map((at) => own[at] ?? ''), cells }
  }
  const paths = new Set<string>()
  for await (const row of source.rows()) eachValue(objectOf(source, row), (path) => paths.add(path))
  const header = [...paths]
  return {
    header,
    cells(row) {
      const values = flat(objectOf(source, row))
      return header.map((path) => values.get(path))
    },
  }
}

/** A row as an object, without what an earlier run added. */
function objectOf({ own = [], columns = [] }: RowSource, row: Row): JsonObject {
  const { original } = row
  if (isObject(original)) return withoutId(withoutReasons(original))
  if (columns.length === 0) return { line: (original as readonly string[])[0] }
  const cells = ownCells(row, own.length, columns.length)
  return withoutId(Object.fromEntries(own.map((name, at) => [name, unmarkFormula(cells[at] ?? '')])))
}

const withoutId = (object: JsonObject) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !isId(name)))

const isId = (name: string) => name.trim().toLowerCase() === 'id'

const unmarked = (value: Json) => (typeof value === 'string' ? unmarkFormula(value) : value)

function textOf(value: Json): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return markCell(value)
  return isObject(value) || Array.isArray(value) ? markFormula(stringifyJson(value)) : String(value)
}
