import { isObject, type Json, type JsonObject, valueAt } from '../files/json/path.ts'
import type { SheetRow } from '../files/table/row.ts'
import { type Difference, isMovedOn, isRewritten, valueComparer } from '../model/mapping/compare-stored.ts'
import { answerPlace } from '../model/mapping/field-mapping.ts'
import { conversionTo, declaredAt, responseFieldAt, withoutNulls } from '../model/mapping/map-record.ts'
import { maskFinder } from '../model/mapping/service-masks.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { isSameLines, matchLines } from './lines.ts'
import { changesOf, listPath } from './row-change.ts'

/** A field that rows fill, and how the list shows it. */
interface ListedField {
  readonly path: string
  readonly segments: readonly string[]
  readonly isKey: boolean
  /** Reads it in an item of the list, in the form of the request. */
  readonly read: (item: Json) => Json
  readonly isShown: (value: Json) => boolean
}

/**
 * Keeps the values that the list shows for the fields that rows fill or empty, so that most records need not
 * be read one by one. The fields of `key` are not compared.
 */
export function compareListed(type: RecordType, key: readonly string[]) {
  const filled = noFields()
  const cleared = new Set<string>()
  /** By key: the values that the list shows, in the order of `fields`; undefined for fields that it does not show. */
  const listed = new Map<string, readonly Json[]>()
  const isSame = valueComparer(type)
  let fields: readonly ListedField[] | undefined
  return {
    onRow(row: SheetRow): void {
      noteFields(row.record, filled)
      for (const path of row.cleared ?? []) cleared.add(listPath(path))
    },
    /** Call it once every row was seen. */
    onItem(key: string, item: Json): void {
      fields ??= listFields()
      listed.set(
        key,
        fields.map(({ read }) => read(item)),
      )
    },
    /**
     * Compares a row with what the list shows of its record. Also returns the fields that the service has
     * advanced by itself.
     */
    compare(
      row: SheetRow,
      key: string,
    ): { shows: 'equal' | 'differs' | 'nothing'; moved: readonly Difference[] } {
      const shown = listed.get(key)
      const moved: Difference[] = []
      if (!shown) return { shows: 'nothing', moved }
      let isWhole = true
      const empties = row.cleared && new Set(row.cleared.map(listPath))
      for (const [at, { path, segments, isKey, isShown }] of (fields ?? []).entries()) {
        const value = valueAt(row.record, segments)
        const stored = shown[at]
        const isFilled = value !== undefined && !isObject(value) && !isKey
        if (!isFilled && !empties?.has(path)) continue
        if (!isShown(stored)) isWhole = false
        else if (type.lines?.path === path && !isSameLines(matchLines(type.lines, stored, value)))
          return { shows: 'differs', moved }
        else if (type.lines?.path === path || value === stored) continue
        else if (isFilled && isMovedOn(type, path, value, stored))
          moved.push({ path, before: stored, after: value })
        else if (isFilled && isRewritten(type, path, value, stored)) continue
        else if (isFilled && !isSame(path, stored, laidOver(type, stored, value, path, row)))
          return { shows: 'differs', moved }
        else if (empties?.has(path) && !isSame(path, stored, undefined)) return { shows: 'differs', moved }
      }
      return { shows: isWhole ? 'equal' : 'nothing', moved }
    },
  }

  function listFields(): ListedField[] {
    const all = new Map(filledPaths(filled).map((segments) => [segments.join('.'), segments]))
    for (const path of cleared) if (!all.has(path)) all.set(path, path.split('.'))
    return [...all].map(([path, segments]) => ({
      path,
      segments,
      isKey: key.includes(path),
      read: readerOf(type, segments),
      isShown: shownBy(type, segments),
    }))
  }
}

/** The listed value with the row's value laid over it. Lines of an address keep their places. */
function laidOver(
  type: RecordType,
  has: Json,
  value: Json,
  path: string,
  { original, places }: SheetRow,
): Json {
  if (!Array.isArray(value)) return value
  const own = places?.get(path)
  const row = { record: { list: value }, original, places: own && new Map([['list', own]]) }
  return changesOf(type, [], { list: has }, row).after.list
}

/** The names of the fields that any row fills. The fields of a section stand under its name. */
interface FilledFields {
  readonly leaves: Set<string>
  readonly sections: Map<string, FilledFields>
}

const noFields = (): FilledFields => ({ leaves: new Set(), sections: new Map() })

/** Notes which fields a row fills. Most rows fill the same ones, and to build each path for every row takes seven times as long. */
function noteFields(record: JsonObject, { leaves, sections }: FilledFields): void {
  for (const name of Object.keys(record)) {
    const value = record[name]
    if (!isObject(value)) {
      leaves.add(name)
      continue
    }
    const section = sections.get(name) ?? noFields()
    sections.set(name, section)
    noteFields(value, section)
  }
}

const filledPaths = (
  { leaves, sections }: FilledFields,
  above: readonly string[] = [],
): (readonly string[])[] => [
  ...[...leaves].map((name) => [...above, name]),
  ...[...sections].flatMap(([name, section]) => filledPaths(section, [...above, name])),
]

/** Whether the list shows a value. A mask or a missing field tells nothing; null says that there is none. */
function shownBy({ fields }: RecordType, segments: readonly string[]): (value: Json) => boolean {
  const isMask = maskFinder({
    name: segments.at(-1) ?? '',
    standard: declaredAt(fields, segments)?.standard,
  })
  return (value) => value !== undefined && !isMask(value)
}

/** Makes a reader of a field of a request in an item of the list. Its values have the form of the request. */
function readerOf(type: RecordType, segments: readonly string[]): (item: Json) => Json {
  const answered = answerPlace(type, segments)
  const field = declaredAt(type.fields, segments)
  const convert = field && conversionTo(field, responseFieldAt(type, segments))
  return (item) => {
    const there = valueAt(item, answered)
    const value = there === undefined ? valueAt(item, segments) : there
    if (value === undefined || value === null) return value
    return withoutNulls(convert ? convert(value) : value)
  }
}
