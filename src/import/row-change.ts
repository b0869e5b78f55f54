import {
  isIndex,
  isObject,
  type Json,
  type JsonObject,
  parsePath,
  valueAt,
  withoutValueAt,
  withValueAt,
} from '../files/json/path.ts'
import { hashOf } from '../files/table/fingerprint.ts'
import type { SheetRow } from '../files/table/row.ts'
import { emptyValue, fieldAt } from '../model/fields/field-tree.ts'
import {
  type Difference,
  differences,
  isMovedOn,
  isRewritten,
  valueComparer,
} from '../model/mapping/compare-stored.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { type LineMatch, type MissingLines, matchLines } from './lines.ts'

/** The values of a row, and the fields that it empties. */
type RowContent = Pick<SheetRow, 'record' | 'original' | 'cleared' | 'places'>

/**
 * The record after a row is applied. Only what the row says is changed, and the fields of `key` stay. A list
 * in JSON is replaced as a whole.
 */
function recordAfter(
  type: RecordType,
  key: readonly string[],
  before: JsonObject,
  row: RowContent,
): JsonObject {
  const wanted = key.reduce<Json>((rest, path) => withoutValueAt(rest, path.split('.')), row.record)
  const after = overlay(before, wanted, row)
  return (row.cleared ?? []).toSorted(lastLineFirst).reduce<Json>((record, path) => {
    const segments = parsePath(path) ?? []
    const [above, last = ''] = [segments.slice(0, -1), segments.at(-1)]
    const list = valueAt(record, above)
    if (isIndex(last)) {
      if (!Array.isArray(list)) return record
      return withValueAt(record, above, list.toSpliced(Number(last), 1))
    }
    const field = fieldAt(type.fields, path)
    const empty = field && emptyValue(field)
    return empty === undefined ? withoutValueAt(record, segments) : withValueAt(record, segments, empty)
  }, after) as JsonObject
}

/** Lines are taken out from the last on: else the second would be the first when its turn comes. */
const lastLineFirst = (one: string, other: string) => other.localeCompare(one, 'en', { numeric: true })

function overlay(below: Json, above: Json, row: RowContent): Json {
  if (isObject(above)) {
    const merged: JsonObject = isObject(below) ? { ...below } : {}
    for (const [name, value] of Object.entries(above)) {
      merged[name] = overlay(Object.hasOwn(merged, name) ? merged[name] : undefined, value, row)
    }
    return merged
  }
  const isOfTable = Array.isArray(row.original)
  if (!Array.isArray(above) || !isOfTable) return above
  const merged: Json[] = Array.isArray(below) ? [...below] : []
  // An empty cell is a gap, which forEach skips.
  const lines = row.places?.get(above) ?? above
  lines.forEach((value, at) => {
    merged[at] = overlay(merged[at], value, row)
  })
  return merged.filter((value) => value !== undefined)
}

/** A record, changed by a row. */
export interface RecordChange {
  readonly after: JsonObject
  readonly asked: readonly Difference[]
  /** Values of the row that the service has advanced by itself. The record keeps what the service has. */
  readonly moved: readonly Difference[]
  /** The lines of the record matched with those of the row, where the row has any. */
  readonly lines?: LineMatch | undefined
}

/** Lays a row over a record. `missing` decides about lines that the row lacks. */
export function changesOf(
  type: RecordType,
  key: readonly string[],
  before: JsonObject,
  row: RowContent,
  missing?: MissingLines,
): RecordChange {
  const saidLines = type.lines && row.record[type.lines.path]
  const lines =
    type.lines && Array.isArray(saidLines)
      ? matchLines(type.lines, before[type.lines.path], saidLines, missing)
      : undefined
  const laid = recordAfter(type, key, before, row)
  const said = lines && type.lines ? { ...laid, [type.lines.path]: lines.after } : laid
  const isSame = valueComparer(type)
  const differing = differences(before, said)
  // A file that created people has their first values, which the service may have advanced since.
  const moved = differing.filter((each) => isMovedOn(type, each.path, each.after, each.before))
  const rewritten = differing.filter((each) => isRewritten(type, each.path, each.after, each.before))
  const after = [...moved, ...rewritten].reduce<Json>(
    (record, each) => withValueAt(record, each.path.split('.'), each.before),
    said,
  ) as JsonObject
  const asked = differences(before, after).filter((each) => !isSame(each.path, each.before, each.after))
  return { after, asked, moved, lines }
}

/**
 * A digest of a record. It leaves out fields that interface.md does not have, because they may change by themselves.
 */
export function digestOfRecord({ fields, documented }: RecordType, body: JsonObject, salt: string): string {
  const known = Object.entries(body).filter(([name]) => !documented || Object.hasOwn(fields, name))
  const declared = known.map(([name, value]) => {
    const inner = fields[name]?.fields
    if (!documented || !inner || !isObject(value)) return [name, value]
    return [name, Object.fromEntries(Object.entries(value).filter(([each]) => Object.hasOwn(inner, each)))]
  })
  return hashOf(Object.fromEntries(declared), salt)
}
