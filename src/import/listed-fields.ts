import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject, recordBuilder, valueAt } from '../files/json/path.ts'
import type { FileRow } from '../files/table/row.ts'
import { fieldAtPlace } from '../model/fields/field-tree.ts'
import type { Difference } from '../model/mapping/compare-stored.ts'
import { answerPlace } from '../model/mapping/field-mapping.ts'
import { conversionTo, responseFieldAt, withoutNulls } from '../model/mapping/map-record.ts'
import { maskFinder } from '../model/mapping/service-masks.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { isSameLines } from './lines.ts'
import { changesOf, listPath } from './row-change.ts'

/** A field that rows fill or empty, and how it is read in an item of the list: in the form of the request. */
interface ListedField {
  readonly path: string
  readonly segments: readonly string[]
  /** Undefined where the list does not show the field, or a mask of it. */
  readonly read: (item: Json) => Json
}

/**
 * Keeps the values that the list shows for the fields that rows fill or empty, so that most records need not
 * be read one by one. The fields of `key` are not compared.
 */
export function compareListed(type: RecordType, key: readonly string[]) {
  const filled = noFields()
  const cleared = new Set<string>()
  /** By key: the values that the list shows, in the order of `fields`. */
  const listed = new Map<string, readonly Json[]>()
  /** By key: what a row says of what only the service sets, until the list shows the same. */
  const owned = new Map<string, NonNullable<FileRow['serviceOwned']>>()
  let fields: readonly ListedField[] = []
  let build: ReturnType<typeof recordBuilder> | undefined
  return {
    onRow(row: FileRow, name: string): void {
      noteFields(row.record, filled)
      if (row.serviceOwned) owned.set(name, row.serviceOwned)
      for (const path of row.cleared ?? []) cleared.add(listPath(path))
    },
    /** Call it once every row was seen. */
    onItem(key: string, item: Json): void {
      if (!build) {
        fields = listFields()
        build = recordBuilder(fields.map(({ segments }) => segments))
      }
      listed.set(
        key,
        fields.map(({ read }) => read(item)),
      )
      if (owned.get(key)?.every(({ at, value }) => isDeepStrictEqual(valueAt(item, at), value)))
        owned.delete(key)
    },
    /**
     * Compares a row with what the list shows of its record, as with the record itself. Also returns the fields that the
     * service has advanced by itself.
     */
    compare(
      row: FileRow,
      name: string,
    ): { shows: 'equal' | 'differs' | 'nothing'; moved: readonly Difference[] } {
      const values = listed.get(name)
      if (!values || !build) return { shows: 'nothing', moved: [] }
      const hidden = fields.filter((_, at) => values[at] === undefined)
      const isHidden = (path = '') => hidden.some((field) => field.path === path)
      const { requested, lines, moved } = changesOf(type, key, build(values), row)
      const hasOtherLines = lines !== undefined && !isHidden(type.lines?.path) && !isSameLines(lines)
      if (hasOtherLines || requested.some(({ path }) => !isHidden(path))) return { shows: 'differs', moved }
      const isSaid = ({ path, segments }: ListedField) =>
        valueAt(row.record, segments) !== undefined || row.cleared?.some((each) => listPath(each) === path)
      return { shows: hidden.some(isSaid) || owned.has(name) ? 'nothing' : 'equal', moved }
    },
  }

  function listFields(): ListedField[] {
    const all = new Map(filledPaths(filled).map((segments) => [segments.join('.'), segments]))
    for (const path of cleared) if (!all.has(path)) all.set(path, path.split('.'))
    return [...all].flatMap(([path, segments]) =>
      key.includes(path) ? [] : { path, segments, read: readerOf(type, segments) },
    )
  }
}

/** The names of the fields that any row fills; under that of a section, those of its fields. */
type FilledFields = Map<string, FilledFields | undefined>

const noFields = (): FilledFields => new Map()

/** Notes which fields a row fills. Most rows fill the same ones, and to build each path for every row takes seven times as long. */
function noteFields(record: JsonObject, filled: FilledFields): void {
  for (const name of Object.keys(record)) {
    const value = record[name]
    const inner = filled.get(name) ?? (isObject(value) ? noFields() : undefined)
    filled.set(name, inner)
    if (inner && isObject(value)) noteFields(value, inner)
  }
}

const filledPaths = (filled: FilledFields, above: readonly string[] = []): (readonly string[])[] =>
  [...filled].flatMap(([name, inner]) => (inner ? filledPaths(inner, [...above, name]) : [[...above, name]]))

/** Makes a reader of a field of a request in an item of the list. A mask or a missing field tells nothing; null says that there is none. */
function readerOf(type: RecordType, segments: readonly string[]): (item: Json) => Json {
  const answered = answerPlace(type, segments)
  const field = fieldAtPlace(type.fields, segments)
  const convert = field && conversionTo(field, responseFieldAt(type, segments))
  const isMask = maskFinder(segments.at(-1) ?? '', field?.standard)
  return (item) => {
    const there = valueAt(item, answered)
    const value = there === undefined ? valueAt(item, segments) : there
    if (value === undefined || value === null) return value
    const sent = withoutNulls(convert ? convert(value) : value)
    return isMask(sent) ? undefined : sent
  }
}
