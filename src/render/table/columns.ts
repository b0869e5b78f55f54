import type { RecordType } from '../../api/contract/records/record-type.ts'
import { isObject, type Json } from '../../json/path.ts'

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
