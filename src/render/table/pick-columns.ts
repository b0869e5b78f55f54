import { isObject, type Json, parsePath, valueAt, withValueAt } from '../../files/json/path.ts'
import type { Fields } from '../../model/fields/field.ts'
import { namedColumns } from './named-columns.ts'

/** Reduces records to the columns that were asked for; each keeps its place: `bank.sortCode` stays inside `bank`. */
interface ColumnPicker {
  pick(rows: readonly Json[]): Json[]
  /** Throws a usage failure for a column that is not in the contract and was in none of the rows. */
  assertKnown(): void
}

/** A picker of these columns. A field that a record does not have is null, so that every record has the same names. */
export function columnPicker(columns: readonly string[], fields: Fields): ColumnPicker {
  const named = namedColumns(columns, fields)
  return {
    pick(rows) {
      const objects = rows.map((row) => (isObject(row) ? row : { value: row }))
      const paths = named.paths(objects)
      return objects.map((row) =>
        paths.reduce<Json>((picked, path) => {
          const segments = parsePath(path) ?? [path]
          return withValueAt(picked, segments, valueAt(row, segments) ?? null)
        }, {}),
      )
    },
    assertKnown: named.assertKnown,
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
