import { isDeepStrictEqual } from 'node:util'
import {
  hasNoValue,
  isEmpty,
  isIndex,
  isObject,
  type Json,
  type JsonObject,
  parsePath,
  recordBuilder,
  valueAt,
  withoutValueAt,
  withValueAt,
} from '../files/json/path.ts'
import { saltedDigest } from '../files/table/fingerprint.ts'
import type { FileRow } from '../files/table/row.ts'
import { emptyValue, fieldAt, fieldAtPlace } from '../model/fields/field-tree.ts'
import { answerPlace } from '../model/mapping/field-mapping.ts'
import { answeredField, conversionTo, withoutNulls } from '../model/mapping/map-record.ts'
import { maskFinder } from '../model/mapping/service-masks.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { standardForm } from '../model/standards/standards.ts'
import {
  changesBetween,
  type Difference,
  differences,
  isMovedOn,
  isStoredAlike,
} from '../model/values/compare-stored.ts'
import { readCode } from '../model/values/read-code.ts'
import { setOtherwise } from '../model/values/read-record.ts'
import { faultsBeside, type RowFinding } from './findings.ts'
import { isSameLines, type LineMatch, type MissingLines, matchLines } from './lines.ts'

/** The values of a row, the fields that it empties, and those that it only guesses at. */
type RowContent = Pick<FileRow, 'record' | 'original' | 'cleared' | 'guessed' | 'places' | 'otherNames'>

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
  const fields = key.reduce<Json>((rest, path) => withoutValueAt(rest, path.split('.')), row.record)
  return (row.cleared ?? []).reduce<Json>(
    (record, path) => {
      const segments = parsePath(path) ?? []
      // `unsaidLine` sees to it that the row says all lines then.
      const list = segments.slice(0, -1)
      if (isIndex(segments.at(-1) ?? '')) return withValueAt(record, list, valueAt(row.record, list) ?? [])
      const field = fieldAt(type.fields, path)
      const empty = field && emptyValue(field)
      return empty === undefined ? withoutValueAt(record, segments) : withValueAt(record, segments, empty)
    },
    overlay(before, fields, row),
  ) as JsonObject
}

function overlay(below: Json, above: Json, row: RowContent, path = ''): Json {
  if (isObject(above)) {
    const merged: JsonObject = isObject(below) ? { ...below } : {}
    for (const [name, value] of Object.entries(above)) {
      const inside = path === '' ? name : `${path}.${name}`
      merged[name] = overlay(Object.hasOwn(merged, name) ? merged[name] : undefined, value, row, inside)
    }
    return merged
  }
  if (!Array.isArray(above) || !Array.isArray(row.original)) return above
  // Several lines in one cell are the whole address, and one alone may be its first line.
  const places = row.places?.get(path) ?? (above.length === 1 ? [0] : undefined)
  return places ? layLines(Array.isArray(below) ? below : [], above, places) : above
}

/**
 * Lays lines over those of a record, each at its place. A record made of lines with a gap has closed up over it: where
 * it has no line at some place, they follow those that stood above the first of them. Laid a second time, they change nothing.
 */
function layLines(
  below: readonly Json[],
  lines: readonly Json[],
  places: readonly number[],
): readonly Json[] {
  const [first = 0] = places
  const fits = (place: number, at: number) => place < below.length || place === at
  if (!places.every(fits))
    return isDeepStrictEqual(below.slice(-lines.length), lines) ? below : [...below.slice(0, first), ...lines]
  const merged = [...below]
  for (const [at, place] of places.entries()) merged[place] = lines[at]
  return merged
}

/**
 * The first line that a row empties in a list of which it does not say every line; undefined where there is none. The
 * others would close up, so that the same row would empty the next one if it were imported again.
 */
export function unsaidLine(
  before: JsonObject,
  { record, cleared = [], places }: RowContent,
): string | undefined {
  return cleared.find((path) => {
    const list = listPath(path)
    if (list === path) return false
    const segments = parsePath(list) ?? []
    const [there, lines = []] = [valueAt(before, segments), valueAt(record, segments)]
    const paths = [...(places?.get(list) ?? []).map((at) => `${list}[${at}]`), ...cleared]
    const isSaid = (at: number) => paths.includes(`${list}[${at}]`)
    return Array.isArray(there) && !isDeepStrictEqual(there, lines) && ![...there.keys()].every(isSaid)
  })
}

/** The list that a path points into: `address` of `address[2]`. */
export const listPath = (path: string) => path.replace(/\[\d+\]$/, '')

/** A record, changed by a row. */
export interface RecordChange {
  readonly after: JsonObject
  readonly requested: readonly Difference[]
  /** Those of them that the record has not in the service's own way either: a name in capitals was sent. */
  readonly lacking: readonly Difference[]
  /** Values of the row that the service has advanced by itself. The record keeps what the service has. */
  readonly moved: readonly Difference[]
  /** The lines of the record matched with those of the row, where the row has any. */
  readonly lines?: LineMatch | undefined
}

/** Lays a row over a record. `missing` decides about lines that the row lacks, `isMade` tells what the service makes of a value. */
export function changesOf(
  type: RecordType,
  key: readonly string[],
  before: JsonObject,
  row: RowContent,
  missing?: MissingLines,
  isMade: (difference: Difference) => boolean = () => false,
): RecordChange {
  const saidLines = type.lines && row.record[type.lines.path]
  const lines =
    type.lines && Array.isArray(saidLines)
      ? matchLines(
          type,
          type.lines,
          before[type.lines.path],
          { lines: saidLines, otherNames: row.otherNames },
          missing,
        )
      : undefined
  const laid = recordAfter(type, key, before, row)
  const body = lines && type.lines ? { ...laid, [type.lines.path]: lines.after } : laid
  // A file that created people has their first values, which the service may have advanced since.
  const movedOn = differences(before, body).filter((each) =>
    isMovedOn(type, each.path, each.after, each.before),
  )
  const isGuess = ({ path, before }: Difference) =>
    row.guessed?.includes(path) === true && !hasNoValue(before)
  const isKept = (each: Difference) =>
    movedOn.some(({ path }) => path === each.path) ||
    isGuess(each) ||
    isMade(each) ||
    isReadFrom(type, each, row)
  const changes = changesBetween(type, before, body, { isKept })
  const lacking = changes.requested.filter(
    ({ path, before, after }) => !isStoredAlike(type, path, after, before, 'by a program'),
  )
  return { ...changes, lacking, moved: movedOn, lines }
}

/** Whether cells have what the record has, and were read otherwise: without the spaces around it, as a code, in its standard form. */
function isReadFrom(type: RecordType, { path, before, after }: Difference, row: RowContent): boolean {
  if (Array.isArray(before) && Array.isArray(after))
    return (
      before.length === after.length &&
      before.every((there: Json, at) =>
        isReadFrom(type, { path: `${path}[0]`, before: there, after: after[at] }, row),
      )
    )
  if (before === after) return true
  if (typeof before !== 'string' || !Array.isArray(row.original) || !row.original.includes(before))
    return false
  const field = fieldAt(type.fields, path)
  const readings = [before.trim(), field && readCode(field, before), standardForm(field?.standard, before)]
  return typeof after === 'string' && readings.includes(after)
}

/**
 * A digest of a record. It leaves out fields that interface.md does not have, because they may change by themselves.
 */
export function digestOfRecord({ fields, documented }: RecordType, body: JsonObject, salt: string): string {
  const members = Object.entries(body).filter(([name]) => !documented || Object.hasOwn(fields, name))
  const inOrder = members.map(([name, value]) => {
    const inner = fields[name]?.fields
    if (!documented || !inner || !isObject(value)) return [name, value]
    return [name, Object.fromEntries(Object.entries(value).filter(([each]) => Object.hasOwn(inner, each)))]
  })
  return saltedDigest(Object.fromEntries(inOrder), salt)
}

/** A field that rows fill or empty, and how it is read in an item of the list: in the form of the request. */
interface ListedField {
  readonly path: string
  readonly segments: readonly string[]
  /** Undefined where the list does not show the field, or a mask of it. */
  readonly read: (item: Json) => Json
}

/**
 * Keeps the values that the list shows for the fields that rows fill or empty, so that most records need not
 * be read one by one. The fields of `key` are not compared. `columns`: fields of which it is told too what records keep.
 */
export function compareListed(type: RecordType, key: readonly string[], columns: readonly string[]) {
  const filled = noFields()
  /** Fields that no row has to fill: of columns, or emptied by a row. */
  const others = new Set(columns.map(listPath))
  /** By key: the values that the list shows, in the order of `fields`. */
  const listed = new Map<string, readonly Json[]>()
  /** By key: what a row says of what only the service sets, until the list shows the same. */
  const owned = new Map<string, NonNullable<FileRow['serviceOwned']>>()
  let fields: readonly ListedField[] = []
  let build: ReturnType<typeof recordBuilder> | undefined
  return {
    onRow(row: FileRow, name: string, faults: readonly RowFinding[]): void {
      noteFields(row.record, filled)
      if (row.serviceOwned) owned.set(name, row.serviceOwned)
      for (const path of row.cleared ?? []) others.add(listPath(path))
      for (const { path } of faults) others.add(listPath(path))
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
      const said = owned.get(key) ?? []
      const isShown = said.every(({ at }) => valueAt(item, at) !== undefined)
      if (isShown && isObject(item) && setOtherwise(type, said, item).length === 0) owned.delete(key)
    },
    /**
     * Compares a row with what the list shows of its record, as with the record itself. Also returns the fields that the
     * service has advanced by itself, those that stay because the row does not say them, and the faults of the row that the
     * record does not have.
     */
    compare(
      row: FileRow,
      name: string,
      faults: readonly RowFinding[],
    ): {
      shows: 'equal' | 'differs' | 'nothing'
      moved: readonly Difference[]
      kept: readonly ListedField[]
      shownFaults: readonly RowFinding[]
    } {
      const values = listed.get(name)
      if (!values || !build) return { shows: 'nothing', moved: [], kept: [], shownFaults: [] }
      const hidden = fields.filter((_, at) => values[at] === undefined)
      const isHidden = (path = '') => hidden.some((field) => field.path === path)
      const record = build(values)
      const { requested, lines, moved } = changesOf(type, key, record, row)
      const hasOtherLines = lines !== undefined && !isHidden(type.lines?.path) && !isSameLines(lines)
      const saidOtherwise = [...(row.cleared ?? []), ...faults.map((each) => each.path)].map(listPath)
      const isSaid = ({ path, segments }: ListedField) =>
        valueAt(row.record, segments) !== undefined || saidOtherwise.includes(path)
      const kept = fields.filter((field, at) => !isEmpty(values[at]) && !isSaid(field))
      const shownFaults = faultsBeside(faults, record).filter(({ path }) => !isHidden(listPath(path)))
      if (hasOtherLines || requested.some(({ path }) => !isHidden(path)))
        return { shows: 'differs', moved, kept, shownFaults }
      return { shows: hidden.some(isSaid) || owned.has(name) ? 'nothing' : 'equal', moved, kept, shownFaults }
    },
  }

  function listFields(): ListedField[] {
    const all = new Map(filledPaths(filled).map((segments) => [segments.join('.'), segments]))
    for (const path of others) if (!all.has(path)) all.set(path, path.split('.'))
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
  const convert = field && conversionTo(field, answeredField(type, segments))
  const isMask = maskFinder(segments.at(-1) ?? '', field?.standard)
  return (item) => {
    const there = valueAt(item, answered)
    const value = there === undefined ? valueAt(item, segments) : there
    if (value === undefined || value === null) return value
    const sent = withoutNulls(convert ? convert(value) : value)
    return isMask(sent) ? undefined : sent
  }
}
