import { isDeepStrictEqual } from 'node:util'
import type { Issue } from '../../errors.ts'
import { isNumber, writtenNumber } from '../../files/json/numbers.ts'
import {
  assembleObject,
  formatPath,
  isObject,
  type Json,
  type JsonObject,
  valueAt,
} from '../../files/json/path.ts'
import { dayOfTimestamp, timestampOf } from '../../text/day.ts'
import type { Field, FieldType } from '../fields/field.ts'
import { fieldAtPlace } from '../fields/field-tree.ts'
import { idOf } from '../records/identity.ts'
import type { RecordType } from '../records/record-type.ts'
import { answerPlace, requestPlace } from './field-mapping.ts'

/** An answered record as a request, with the reasons why it must not be sent. */
export interface MappedRecord {
  /** Every answered value, under the request's names. Leaves out null, which means that no value was given. */
  readonly body: JsonObject
  /** The body with each null of a field that a request has, and those inside lists. It is for `withNulls`. */
  readonly bodyWithNulls: JsonObject
  /** Values without a certain place in the request, by path in the answer. If there are any, do not send the record. */
  readonly misfits: readonly Issue[]
  /** Paths of top-level objects that no field takes: misfits, unless they may be left out. */
  readonly extras: readonly string[]
  /** The sections that the answer lacks; one that is empty is returned. */
  readonly sectionsNotReturned: readonly string[]
  /** The request fields that are null in the answer. */
  readonly nulls: ReadonlySet<string>
}

/** Turns an answer into a request. `allowedMissing`: the names of objects that may be lost. */
export function mapRecord(
  type: RecordType,
  answer: JsonObject,
  allowedMissing: readonly string[] = [],
): MappedRecord {
  const { names: pairs = [] } = type.answer ?? {}
  const sections = sectionPaths(type)
  const names = new Set(pairs.flat().flatMap((name) => name.split('.')))
  /** The section whose fields an answer may have at its top level. `isFlat`: this answer has. */
  const general = pairs.find(([request, answered]) => request !== '' && answered === '')?.[0]
  const isFlat = general !== undefined && Object.keys(answer).some((name) => isField([general, name]))
  const misfits: Issue[] = []
  const extras: string[] = []
  const nulls = new Set<string>()
  const returned = new Set<string>(isFlat ? [general] : [])
  const body = assembleObject({}, false)
  const bodyWithNulls = assembleObject({}, false)
  let knownFields = 0
  read(answer, [])
  if (knownFields === 0 && (type.documented || !hasPlainValue(type, answer))) {
    misfits.push({ path: '', message: `it has none of the fields of ${type.displayName}` })
  }
  const sectionsNotReturned = sections.filter((section) => !returned.has(section))
  return { body: body.whole, bodyWithNulls: bodyWithNulls.whole, misfits, extras, sectionsNotReturned, nulls }

  function read(object: JsonObject, above: FieldPath): void {
    for (const [name, value] of Object.entries(object)) take([...above, name], value)
  }

  function take(at: FieldPath, value: Json): void {
    const to = placeOf(at)
    const field = fieldAtPlace(type.fields, to)
    if (isServiceOwned(type, to)) return
    if (field?.fields) {
      returned.add(formatPath(to))
      if (isObject(value)) read(value, at)
      else if (!isNothing(value)) misfit(at, 'an object is expected here')
      if (value === null) putNull(to)
      return
    }
    if (field) knownFields += 1
    if (value === null) {
      nulls.add(formatPath(to))
      if (field) putNull(to)
    } else if (!field && hasNoPlace(at, value)) {
      const path = formatPath(at)
      if (at.length === 1) extras.push(path)
      if (!extras.includes(path) || !allowedMissing.includes(path))
        misfit(at, `it has no place in ${type.displayName}`)
    } else put(at, to, field ? toRequestValue(value, field, answeredField(type, to)) : value)
  }

  function put(at: FieldPath, to: FieldPath, value: Json): void {
    const [there, newValue] = [valueAt(body.whole, to), withoutNulls(value)]
    if (newValue === undefined) misfit(at, 'it has no id')
    else if (there === undefined) {
      body.put(to, newValue)
      bodyWithNulls.put(to, value)
    } else if (!isDeepStrictEqual(there, newValue))
      misfit(at, `${formatPath(to)} is answered twice, and differently`)
  }

  /** A value under the other name of the field counts, whichever comes first. */
  function putNull(to: FieldPath): void {
    if (valueAt(bodyWithNulls.whole, to) === undefined) bodyWithNulls.put(to, null)
  }

  function misfit(at: FieldPath, message: string): void {
    misfits.push({ path: formatPath(at), message })
  }

  /** An undeclared field keeps its place: with the general fields, if those are at the top level. */
  function placeOf(at: FieldPath): FieldPath {
    const to = requestPlace(type, at)
    const isLoose = at.length === 1 && to[0] === general && !fieldAtPlace(type.fields, to)
    return isLoose && !isFlat ? at : to
  }

  /** At the top level an undeclared object may be a wrapper; below it may be a misplaced section. */
  function hasNoPlace(at: FieldPath, value: Json): boolean {
    if (sections.length === 0 || !isObject(value) || isNothing(value)) return false
    return at.length === 1 || names.has(at.at(-1) ?? '')
  }

  function isField(to: FieldPath): boolean {
    const field = fieldAtPlace(type.fields, to)
    return field !== undefined && !field.fields
  }
}

/**
 * A body to send back, with null where the service answered null, because what is not sent may get a default.
 * What the body no longer has goes as null, a list as an empty one. A list of another length stays as it is:
 * its elements no longer correspond.
 */
export function withNulls(body: JsonObject, { bodyWithNulls }: MappedRecord): JsonObject {
  return restoreNulls(body, bodyWithNulls) as JsonObject
}

function restoreNulls(value: Json, answer: Json): Json {
  if (Array.isArray(value) && Array.isArray(answer) && value.length === answer.length) {
    return value.map((element, at) => restoreNulls(element, answer[at]))
  }
  if (!isObject(value) || !isObject(answer)) return value
  const names = [...new Set([...Object.keys(value), ...Object.keys(answer)])]
  const entries = names.flatMap((name): [string, Json][] => {
    const [own, came] = [value, answer].map((each) => valueAt(each, [name]))
    if (own !== undefined) return [[name, restoreNulls(own, came)]]
    if (came !== undefined && !isObject(came)) return [[name, Array.isArray(came) ? [] : null]]
    // A section of nothing but null is in no body.
    const inner = isObject(came) ? restoreNulls({}, came) : {}
    return isNothing(inner) ? [] : [[name, inner]]
  })
  return Object.fromEntries(entries)
}

/** The sections that an answer may have under another name. */
export const sectionPaths = ({ fields, answer }: RecordType): string[] =>
  (answer?.names ?? [])
    .map(([request]) => request)
    .filter((path) => fieldAtPlace(fields, path.split('.'))?.fields)

/** assumed: a record with unknown fields has at least one value besides its id that is not an object. */
function hasPlainValue(type: RecordType, answer: JsonObject): boolean {
  return Object.entries(answer).some(([name, value]) => !isServiceOwned(type, [name]) && !isObject(value))
}

type Conversion = `${FieldType} from ${FieldType}`

/** Conversions of response values to the type in the request, by both types. */
const conversions: Partial<Record<Conversion, (value: Json) => Json>> = {
  // "payrollApproveNeeded is returned as a boolean", and sent as a string. assumed: as the text of its JSON value.
  'string from boolean': (value) =>
    typeof toBoolean(value) === 'boolean' ? String(toBoolean(value)) : value,
  // "defaultVATCode is an object rather than an identifier".
  'string from object': (value) => (isObject(value) ? idOf(value) : value),
}

/**
 * Conversions to the type in the request, whatever type the response declares. "hoursPerUnit: string (numeric
 * text)" is sent as a number. assumed: a service that answers one number as text, or midnight for a day, may
 * do so with each. A time is sent in "ISO 8601 UTC with milliseconds", whatever form and offset it came in.
 */
const numberFrom = (value: Json) =>
  typeof value === 'string' ? (writtenNumber(value.trim()) ?? value) : value
/** assumed: a service that answers a flag as a text or as 1 and 0 means what the document says. */
export function toBoolean(value: Json): Json {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value
  return text === 'true' || text === 1 ? true : text === 'false' || text === 0 ? false : value
}
const conversionsTo: Partial<Record<FieldType, (value: Json) => Json>> = {
  number: numberFrom,
  integer: numberFrom,
  boolean: toBoolean,
  decimal: (value) => (isNumber(value) ? String(value) : value),
  date: (value) => (typeof value === 'string' ? dayOfTimestamp(value) : value),
  timestamp: (value) => (typeof value === 'string' ? timestampOf(value) : value),
}

/** Converts a response value to the type in the request. */
export function toRequestValue(value: Json, requestField: Field, answerField: Field | undefined): Json {
  const convert = conversionTo(requestField, answerField)
  return convert ? convert(value) : value
}

/** How a response value becomes one of the type in the request; undefined where it is one already. */
export function conversionTo(
  requestField: Field,
  answerField: Field | undefined,
): ((value: Json) => Json) | undefined {
  return (
    (answerField && conversions[`${requestField.type} from ${answerField.type}`]) ??
    conversionsTo[requestField.type]
  )
}

/** The response field for a place in the request; undefined where the record comes back as it was sent. */
export function answeredField(type: RecordType, to: FieldPath): Field | undefined {
  return type.answer && fieldAtPlace(type.answer.type.fields, answerPlace(type, to))
}

/** A value without null properties. Null elements of a list stay, so that the others keep their place. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutNulls(inner)]))
}

/** assumed: fields that only the service sets, in every record and in every section of one. Links say where more is. */
export const inEveryRecord: ReadonlySet<string> = new Set([
  'id',
  'incrementId',
  'createdAt',
  'updatedAt',
  'deletedAt',
  'links',
  '_links',
])

/** "Success responses carry `success: true` in the envelope": without an envelope it is among the record's fields. */
const envelope = 'success'

/** Whether only the service sets the field at a place in the request, so that an update leaves it out. */
export function isServiceOwned({ serviceOwned = [], answer }: RecordType, place: FieldPath): boolean {
  const name = place.at(-1) ?? ''
  if (inEveryRecord.has(name)) return true
  if (name !== envelope && !serviceOwned.includes(name)) return false
  // An answer may have the fields of one section at its top level.
  const isGeneral = answer?.names.some(([request, answered]) => request === place[0] && answered === '')
  return place.length === 1 || (place.length === 2 && isGeneral === true)
}

/** The names that lead to a value. A name may contain a dot, or be a number. */
type FieldPath = readonly string[]

/** Whether a value is null, or an empty object or list. */
export function isNothing(value: Json): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value as object).length === 0)
}
