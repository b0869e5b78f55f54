import type { Fields } from '../api/contract/fields/field.ts'
import { isObject, type Json, type JsonObject } from '../json/path.ts'
import type { Renderer } from './renderer.ts'

/** A format of rows: a record, or a value that is no list, is a list of one. */
export function rowRenderer(write: (rows: readonly JsonObject[], fields: Fields) => Promise<void>): Renderer {
  const asRows = (value: Json) => writeRows(Array.isArray(value) ? value : [value])
  return {
    record: (one, type) => writeRows([one], type?.fields),
    list: (rows, type) => writeRows(rows, type?.fields),
    value: asRows,
    selected: asRows,
  }

  function writeRows(rows: readonly Json[], fields: Fields = {}): Promise<void> {
    return write(
      rows.map((row) => (isObject(row) ? row : { value: row })),
      fields,
    )
  }
}
