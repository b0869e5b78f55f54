import { isDeepStrictEqual } from 'node:util'
import type { Issue } from '../../errors.ts'
import {
  assembleObject,
  formatPath,
  isObject,
  type Json,
  type JsonObject,
  parsePath,
  valueAt,
  withValueAt,
} from '../../files/json/path.ts'
import { unknownField } from '../fields/check.ts'
import type { Field } from '../fields/field.ts'
import { mappingOf, requestPlace } from '../mapping/field-mapping.ts'
import {
  declaredAt,
  isServiceOwned,
  responseFieldAt,
  toRequestValue,
  withoutNulls,
} from '../mapping/map-record.ts'
import type { RecordType } from '../records/record-type.ts'
import { findField } from './find-field.ts'

/** A value of a record in JSON, and the names that lead to it there. */
interface PlacedValue {
  readonly at: readonly string[]
  readonly value: Json
}

/** A record that was given as JSON, under the names of a request. */
export interface RecordAsRequest {
  readonly body: JsonObject
  /** Names of fields that are null, which is `not given` in a new record, by their place in a request. */
  readonly nulls: readonly (readonly string[])[]
  /** What only the service sets. */
  readonly serviceOwned: readonly PlacedValue[]
  /** What has a name that means no field. */
  readonly unknown: readonly PlacedValue[]
  /** One field under two names and with two values. */
  readonly issues: readonly Issue[]
}

/**
 * Reads a record that uses the names of a request, those of an answer, or flat names: the last part of a path, a label or
 * a usual heading, as `--set` takes them. So what `get` and `export` print can be changed and sent back. Values are as they
 * were given, but for those that an answer has in another type: "hoursPerUnit: string (numeric text)".
 */
export function readRecord(type: RecordType, given: JsonObject): RecordAsRequest {
  const mapping = mappingOf(type) ?? { request: type, answer: type, names: [['', '']] as const }
  const nulls: (readonly string[])[] = []
  const serviceOwned: PlacedValue[] = []
  const unknown: PlacedValue[] = []
  const issues: Issue[] = []
  /** By its place in a request, the name and value that a field was given. */
  const spellings = new Map<string, { readonly name: string; readonly value: Json }>()
  const { whole: body, put: putInBody } = assembleObject()
  read(given, [])
  return { body, nulls, serviceOwned, unknown, issues }

  function read(object: JsonObject, above: readonly string[]): void {
    for (const [name, value] of Object.entries(object)) take([...above, name], value)
  }

  function take(at: readonly string[], value: Json): void {
    const direct = requestPlace(mapping, at)
    if (isServiceOwned(type, direct.at(-1) ?? '', isAtTheTop(direct))) {
      serviceOwned.push({ at, value })
      return
    }
    const field = declaredAt(type.fields, direct)
    // What payroll said of the write whose answer this is.
    if (!field && at.length === 1 && at[0] === 'warnings' && Array.isArray(value)) return
    const named = !field && at.length === 1 ? flatField(type, at[0] ?? '') : undefined
    if (field) put(at, direct, field, value)
    else if (named === 'service') serviceOwned.push({ at, value })
    else if (named) put(at, named.place, named.field, value)
    else if (isInside(direct)) put(at, direct, undefined, value)
    else unknown.push({ at, value })
  }

  function put(at: readonly string[], to: readonly string[], field: Field | undefined, value: Json): void {
    if (field?.fields && isObject(value)) {
      const isEmpty = Object.keys(value).length === 0
      if (isEmpty && valueAt(body, to) === undefined) putInBody(to, {})
      read(value, at)
      return
    }
    const name = formatPath(at)
    const path = formatPath(to)
    const sent = field ? toRequestValue(value, field, responseFieldAt(mapping, to)) : value
    const wanted = sent === undefined ? value : sent
    const earlier = spellings.get(path)
    if (earlier && !isDeepStrictEqual(earlier.value, wanted)) {
      const message = `${earlier.name} and ${name} are one field, and have different values: leave one of them out`
      issues.push({ path: name, message })
      return
    }
    spellings.set(path, { name, value: wanted })
    if (value === null) nulls.push(to)
    else putInBody(to, wanted)
    if (!type.documented) readElements(at, field, value)
  }

  /** The check knows the elements of a list whose fields are shown. */
  function readElements(at: readonly string[], field: Field | undefined, value: Json): void {
    const fields = field?.item?.fields
    if (!fields || !Array.isArray(value)) return
    for (const [index, element] of value.entries()) {
      if (!isObject(element)) continue
      for (const [name, inner] of Object.entries(element)) {
        if (!Object.hasOwn(fields, name)) unknown.push({ at: [...at, String(index), name], value: inner })
      }
    }
  }

  /** A field whose form the document does not show may hold any. */
  function isInside(place: readonly string[]): boolean {
    return place.some((_, end) => end > 0 && declaredAt(type.fields, place.slice(0, end))?.type === 'unknown')
  }

  function isAtTheTop(place: readonly string[]): boolean {
    return (
      place.length === 1 ||
      (place.length === 2 && mapping.names.some(([name, answer]) => name === place[0] && answer === ''))
    )
  }
}

/** The issue for a name that means no field. */
export function unknownName(type: RecordType, { at }: PlacedValue): Issue {
  const issue = unknownField(type, at)
  return type.documented ? issue : { ...issue, message: `${issue.message} that payroll knows` }
}

/**
 * A record as the request that creates it: null is `not given`, also inside a list, and what only the service sets is left
 * out. With `keepsNulls` it goes as null where interface.md calls the field nullable, and a section of nothing but null stays.
 */
export function readNewRecord(
  type: RecordType,
  given: JsonObject,
  keepsNulls = false,
): { readonly body: JsonObject; readonly issues: readonly Issue[]; readonly leftOut: readonly string[] } {
  const { body, nulls, serviceOwned, unknown, issues } = readRecord(type, given)
  const filled = withoutNulls(body) as JsonObject
  return {
    body: keepsNulls ? nulls.reduce((whole, place) => withNullAt(type, whole, place), filled) : filled,
    issues: [...issues, ...unknown.map((each) => unknownName(type, each))],
    leftOut: serviceOwned.filter(({ value }) => value !== null).map(({ at }) => formatPath(at)),
  }
}

function withNullAt({ fields }: RecordType, body: JsonObject, place: readonly string[]): JsonObject {
  if (declaredAt(fields, place)?.nullable) return withValueAt(body, place, null) as JsonObject
  const section = place.slice(0, -1)
  const isThere = section.length === 0 || valueAt(body, section) !== undefined
  return isThere ? body : (withValueAt(body, section, {}) as JsonObject)
}

interface FlatField {
  readonly place: readonly string[]
  readonly field: Field
}

/** What the names of flat records mean: a file of them has the same names in each row. */
const flatNames = new WeakMap<RecordType, Map<string, FlatField | 'service' | undefined>>()

/** More names than these are no record's, and are looked up each time. */
const mostNames = 2000

/** The field that a name alone means; `service`: one that only the service sets. */
function flatField(type: RecordType, name: string): FlatField | 'service' | undefined {
  const names = flatNames.get(type) ?? new Map<string, FlatField | 'service' | undefined>()
  flatNames.set(type, names)
  if (names.has(name)) return names.get(name)
  const { found } = findField(type.fields, name)
  const place = found?.request === undefined ? undefined : parsePath(found.request)
  const meaning = found && (place ? { place, field: found.field } : 'service')
  if (names.size < mostNames) names.set(name, meaning)
  return meaning
}
