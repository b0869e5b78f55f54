import type { Fields } from '../api/contract/fields/field.ts'
import { flat } from '../formats/flat.ts'
import { keepMarks } from '../formats/formula.ts'
import type { Json, JsonObject } from '../json/path.ts'
import { knownColumns } from './table/named-columns.ts'

/** Records as a workbook, as bytes: the columns that were asked for, else all that the records have. Held in memory. */
export function workbook(
  records: readonly JsonObject[],
  columns: readonly string[] | undefined,
  fields: Fields,
): Promise<Uint8Array> {
  const rows = records.map((record) => flat(record))
  const paths = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  return workbookOf(rows, columns ? knownColumns(columns, paths, fields) : paths)
}

/** Rows of values by path as a workbook, as bytes. */
export async function workbookOf(
  rows: readonly ReadonlyMap<string, Json>[],
  columns: readonly string[],
): Promise<Uint8Array> {
  const { writeXlsx } = await import('../formats/xlsx/write/write-xlsx.ts')
  return writeXlsx(
    columns,
    rows.map((row) => columns.map((path) => unambiguous(row.get(path)))),
  )
}

/** Text that begins with an apostrophe gets one more: an import takes one away. */
function unambiguous(value: Json): Json {
  return typeof value === 'string' ? keepMarks(value) : value
}
