import type { Fields } from '../api/contract/fields/field.ts'
import { fieldAt } from '../api/contract/fields/field-tree.ts'
import { pathsOf } from '../formats/flat.ts'
import { isObject, type Json, parsePath, valueAt, withValueAt } from '../json/path.ts'
import { assertColumns } from './columns.ts'

/** Reduces records to the columns that were asked for; each keeps its place: `bank.sortCode` stays inside `bank`. */
export interface ColumnPicker {
  pick(rows: readonly Json[]): Json[]
  /** Throws a usage failure for a column that is not in the contract and was in none of the rows. */
  assertKnown(): void
}

/** A picker of these columns. A field that a record does not have is null, so that every record has the same names. */
export function columnPicker(columns: readonly string[], fields: Fields): ColumnPicker {
  const isCertain = columns.every((path) => fieldAt(fields, path))
  const there = new Set<string>()
  return {
    pick(rows) {
      const objects = rows.map((row) => (isObject(row) ? row : { value: row }))
      if (!isCertain) for (const path of pathsOf(objects)) there.add(path)
      return objects.map((row) =>
        columns.reduce<Json>((picked, path) => {
          const segments = parsePath(path) ?? [path]
          return withValueAt(picked, segments, valueAt(row, segments) ?? null)
        }, {}),
      )
    },
    assertKnown: () => assertColumns(columns, [...there], fields),
  }
}

/** All pages with the columns only. Throws the failure of an unknown column after the last page. */
export async function* pickedPages(
  pages: AsyncIterable<readonly Json[]>,
  { pick, assertKnown }: ColumnPicker,
): AsyncGenerator<readonly Json[]> {
  for await (const rows of pages) yield pick(rows)
  assertKnown()
}
