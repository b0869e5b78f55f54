import { usage } from '../errors.ts'
import { askableColumns, columnReader } from '../files/formats/flat.ts'
import {
  asObject,
  assembleObject,
  isObject,
  type Json,
  type JsonObject,
  parsePath,
} from '../files/json/path.ts'
import type { Fields } from '../model/fields/field.ts'
import { bothForms } from '../model/mapping/field-mapping.ts'
import { didYouMean, fieldPath, findField } from '../model/values/find-field.ts'
import { nameSome } from '../text/words.ts'
import type { Pages } from './renderer.ts'

/** Columns by any name of their fields. Throws a usage failure for a name that can mean several. */
export function namedColumns(names: readonly string[], fields: Fields) {
  const { side } = bothForms(fields)
  const fieldsByName = names.map((name) => ({ name, ...findField(fields, name) }))
  const there = new Set<string>()
  let paths: readonly string[] | undefined
  const isCertain = fieldsByName.every(({ found }) => found)
  return {
    /**
     * The paths of the columns, decided with the first rows: a service may use the name that a field has in a request.
     */
    paths(rows: readonly JsonObject[]): readonly string[] {
      if (!paths || !isCertain) for (const path of askableColumns(rows)) there.add(path)
      paths ??= fieldsByName.map(({ name, found }) => {
        if (isIn(there, name) || !found) return name
        const path = fieldPath(found, side)
        const other = fieldPath(found, side === 'answer' ? 'request' : 'answer')
        return !isIn(there, path) && isIn(there, other) ? other : path
      })
      return paths
    },
    /** Throws a usage failure, with what was probably meant, for a column that neither the contract nor a row has. */
    assertKnown(): void {
      // Without a row nothing says what a service names its fields: a list that is empty tonight is no misspelt column.
      const unknown = fieldsByName.find(
        ({ name, found, near = [] }) => !found && !isIn(there, name) && (there.size > 0 || near.length > 0),
      )
      if (unknown) throw noColumn(unknown.name, unknown.near ?? [], [...there], fields)
    },
  }
}

/** The paths of named columns in rows that are all read. Throws a usage failure for a column that does not exist. */
export function knownColumns(
  names: readonly string[],
  there: readonly string[],
  fields: Fields,
): readonly string[] {
  const picker = namedColumns(names, fields)
  const paths = picker.paths([Object.fromEntries(there.map((path) => [path, true]))])
  picker.assertKnown()
  return paths
}

function isIn(there: ReadonlySet<string>, path: string): boolean {
  if (there.has(path)) return true
  for (const each of there) if (each.startsWith(`${path}.`) || each.startsWith(`${path}[`)) return true
  return false
}

function noColumn(name: string, near: readonly string[], there: readonly string[], fields: Fields) {
  const containing = there.filter((path) => path.toLowerCase().includes(name.toLowerCase()))
  const hint = didYouMean(near.length > 0 ? near : containing.slice(0, 3))
  const choices = nameSome(there.length > 0 ? there : Object.keys(fields), 12)
  return usage(`There is no column called "${name}".`, hint || `The columns are: ${choices}.`)
}

/**
 * Reduces records to the columns that were asked for; each keeps its place: `bank.sortCode` stays inside
 * `bank`. A field that a record does not have is null, so that every record has the same names.
 */
export function columnPicker(columns: readonly string[], fields: Fields) {
  const picker = namedColumns(columns, fields)
  return {
    pick(rows: readonly Json[]): Json[] {
      const objects = rows.map(asObject)
      const columns = picker.paths(objects).map((path) => ({
        segments: parsePath(path) ?? [path],
        read: columnReader(path),
      }))
      return objects.map((row) => {
        const { whole, put } = assembleObject()
        for (const { segments, read } of columns) {
          const value = read(row)
          // Beside `bank`, the column of what would be inside of it adds nothing where bank is null or a text.
          const above = whole[segments[0] ?? '']
          if (value !== undefined || above === undefined || isObject(above)) put(segments, value ?? null)
        }
        return whole
      })
    },
    assertKnown: picker.assertKnown,
  }
}

/** All pages with the columns only. Throws the failure of an unknown column after the last page. */
export async function* pickedPages(
  pages: Pages,
  { pick, assertKnown }: ReturnType<typeof columnPicker>,
): AsyncGenerator<readonly Json[]> {
  for await (const rows of pages) yield pick(rows)
  assertKnown()
}
