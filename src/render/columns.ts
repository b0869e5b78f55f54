import type { Fields } from '../api/contract/fields/field.ts'
import { fieldAt } from '../api/contract/fields/field-tree.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { usage } from '../errors.ts'
import { isObject, type Json } from '../json/path.ts'

/** What is known about the records of a list. */
export type ListType = Partial<Pick<RecordType, 'fields' | 'columns' | 'documented'>>

/** More columns than this is a spreadsheet, not a table. */
const most = 8

/** Those of the type. Of a record that is not shown, those that its rows have, and other fields in their place. */
export function columnsFor(
  rows: readonly Json[],
  type: ListType = {},
  filled: (path: string) => boolean,
): readonly string[] {
  const { columns = [], documented = true } = type
  const present = columns.filter(filled)
  if (documented && present.length > 0) return columns
  const own = rows.flatMap((row) => (isObject(row) ? Object.keys(row) : []))
  return [...new Set([...present, ...own])].slice(0, columns.length || most)
}

/** Throws a usage failure, with those there are, for a column that neither the rows nor their type have. */
export function assertColumns(columns: readonly string[], there: readonly string[], fields: Fields): void {
  const unknown = columns.find((path) => !there.includes(path) && !fieldAt(fields, path))
  if (unknown === undefined) return
  const known = there.length > 0 ? there : Object.keys(fields)
  throw usage(`There is no column ${unknown}.`, `The columns are: ${known.join(', ')}`)
}
