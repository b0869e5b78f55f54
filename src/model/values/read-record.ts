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
import { onceFor, onceForText } from '../../once.ts'
import type { Field } from '../fields/field.ts'
import { fieldAtPlace } from '../fields/field-tree.ts'
import { requestPlace } from '../mapping/field-mapping.ts'
import { answeredField, isServiceOwned, toRequestValue, withoutNulls } from '../mapping/map-record.ts'
import { textIn } from '../records/identity.ts'
import type { RecordType } from '../records/record-type.ts'
import { unknownField } from '../resources/check-record.ts'
import { valueComparer } from './compare-stored.ts'
import { findField, severalMeant } from './find-field.ts'

/** A value of a record in JSON, and the names that lead to it there. */
export interface PlacedValue {
  readonly at: readonly string[]
  readonly value: Json
}

/** A record that was given as JSON, under the names of a request. */
export interface RecordAsRequest {
  readonly body: JsonObject
  /** Fields that are null, by their place in a request. In a new record null means that nothing was given. */
  readonly nulls: readonly (readonly string[])[]
  /** Values that only the service sets. */
  readonly serviceOwned: readonly PlacedValue[]
  /** Values under a name that means no field. */
  readonly unknown: readonly PlacedValue[]
  /** One field under two names and with two values. */
  readonly issues: readonly Issue[]
}

/**
 * Reads a record under the names of a request, an answer, or flat ones: so what `get` prints can be sent
 * back. Values stay as given, but for those that an answer has in another type.
 */
export function readRecord(type: RecordType, given: JsonObject): RecordAsRequest {
  const nulls: (readonly string[])[] = []
  const serviceOwned: PlacedValue[] = []
  const unknown: PlacedValue[] = []
  const issues: Issue[] = []
  const spellings = new Map<string, { readonly name: string; readonly value: Json }>()
  const { whole: body, put: putInBody } = assembleObject()
  read(given, [])
  return { body, nulls, serviceOwned, unknown, issues }

  function read(object: JsonObject, above: readonly string[]): void {
    for (const [name, value] of Object.entries(object)) take([...above, name], value)
  }

  function take(at: readonly string[], value: Json): void {
    const place = placeFinder(type)(at.join('\0'))
    const { meaning } = place
    // Warnings that payroll printed with the answer are not part of the record.
    if (meaning === 'unknown' && at.length === 1 && at[0] === 'warnings' && Array.isArray(value)) return
    if (meaning === 'service') serviceOwned.push({ at, value })
    else if (meaning === 'unknown') unknown.push({ at, value })
    else put(at, place, value)
  }

  function put(at: readonly string[], { to, field, name, path, answered }: NamePlace, value: Json): void {
    if (field?.fields && isObject(value)) {
      const isEmpty = Object.keys(value).length === 0
      if (isEmpty && valueAt(body, to) === undefined) putInBody(to, {})
      read(value, at)
      return
    }
    const sent = field ? toRequestValue(value, field, answered) : value
    const requestValue = sent === undefined ? value : sent
    const earlier = spellings.get(path)
    if (earlier && !isDeepStrictEqual(earlier.value, requestValue)) {
      const message = `${earlier.name} and ${name} are one field, and have different values: leave one of them out`
      issues.push({ path: name, message })
      return
    }
    spellings.set(path, { name, value: requestValue })
    if (value === null) nulls.push(to)
    else putInBody(to, requestValue)
    if (!type.documented) readElements(at, field, value)
  }

  /** Finds unknown names in list elements, where the check does not know the fields. */
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
}

/** The meaning of a name at its place in a record, whatever the value. */
interface NamePlace {
  readonly meaning: 'field' | 'service' | 'unknown'
  readonly to: readonly string[]
  /** Undefined inside of a field whose form the document does not show. */
  readonly field: Field | undefined
  /** The place where it was given, and that of the request, as paths. */
  readonly name: string
  readonly path: string
  readonly answered: ReturnType<typeof answeredField>
}

/** A file of records has the same names in each row: what they mean is looked up once. */
const placeFinder = onceFor((type: RecordType) =>
  onceForText((names) => findPlace(type, names.split('\0')), 2000),
)

function findPlace(type: RecordType, at: readonly string[]): NamePlace {
  const direct = requestPlace(type, at)
  const name = formatPath(at)
  const nowhere = { to: direct, field: undefined, name, path: formatPath(direct), answered: undefined }
  if (isServiceOwned(type, direct)) return { ...nowhere, meaning: 'service' }
  const field = fieldAtPlace(type.fields, direct)
  const named = !field && at.length === 1 ? flatField(type, at[0] ?? '') : undefined
  if (named === 'service') return { ...nowhere, meaning: 'service' }
  const [to, found] = named ? [named.place, named.field] : [direct, field]
  const answered = found && answeredField(type, to)
  if (found) return { meaning: 'field', to, field: found, name, path: formatPath(to), answered }
  // A field whose form the document does not show may hold any name.
  const isInside = direct.some(
    (_, end) => end > 0 && fieldAtPlace(type.fields, direct.slice(0, end))?.type === 'unknown',
  )
  return { ...nowhere, meaning: isInside ? 'field' : 'unknown' }
}

/** The issue for a name that means no field. */
export function unknownName(type: RecordType, { at }: PlacedValue): Issue {
  const [name = '', ...inside] = at
  const { near = [], isAmbiguous } = findField(type.fields, name)
  if (isAmbiguous && inside.length === 0) return { path: name, message: severalMeant(near) }
  const issue = unknownField(type, at)
  return type.documented ? issue : { ...issue, message: `${issue.message} that payroll knows` }
}

/**
 * The values that only the service sets, and that a record has otherwise than the stored one. The service may have two
 * ids for one record.
 */
export function setOtherwise(
  type: RecordType,
  serviceOwned: readonly PlacedValue[],
  record: JsonObject,
): readonly PlacedValue[] {
  const isSame = valueComparer(type.answer?.type ?? type)
  return serviceOwned.filter(({ at, value }) => {
    const has = valueAt(record, at)
    const isId = at.length === 1 && at[0] === 'id'
    return has !== undefined && value !== null && !isId && !isSame(formatPath(at), has, value)
  })
}

/** Whether a value tells when the record that was given was read: another one was changed since. */
export const tellsAge = ({ at }: PlacedValue): boolean => at.at(-1) === 'updatedAt'

/** assumed: a status with one of these words means that somebody has left. Only the state ACTIVE is documented. */
export const isLeftStatus = (status: string): boolean =>
  /left|leaver|terminat|inactive|archiv|deleted/i.test(status)

/** What a value that only the service sets says of somebody who has left; undefined where it says nothing of it. */
export function howLeft({ serviceOwned = [] }: RecordType, { at, value }: PlacedValue): string | undefined {
  const [name = '', ...inside] = at
  const text = textIn(value)
  if (text === '' || inside.length > 0 || !serviceOwned.includes(name)) return undefined
  if (name === 'dateLeft') return `left on ${text}`
  return name === 'status' && isLeftStatus(text) ? `has the status ${text}` : undefined
}

/** The message about a field in which a record that is sent back must not differ. */
export const onlyServiceSets = 'only the service sets this field'

/** The body that creates a record, without nulls and service-owned values. `keepsNulls`: if allowed. */
export function readNewRecord(
  type: RecordType,
  given: JsonObject,
  keepsNulls = false,
): {
  readonly body: JsonObject
  readonly issues: readonly Issue[]
  readonly leftOut: readonly PlacedValue[]
} {
  const { body, nulls, serviceOwned, unknown, issues } = readRecord(type, given)
  const filled = withoutNulls(body) as JsonObject
  return {
    body: keepsNulls ? nulls.reduce((whole, place) => withNullAt(type, whole, place), filled) : filled,
    issues: [...issues, ...unknown.map((each) => unknownName(type, each))],
    leftOut: serviceOwned.filter(({ value }) => value !== null),
  }
}

function withNullAt({ fields }: RecordType, body: JsonObject, place: readonly string[]): JsonObject {
  if (fieldAtPlace(fields, place)?.nullable) return withValueAt(body, place, null) as JsonObject
  const section = place.slice(0, -1)
  const hasSection = section.length === 0 || valueAt(body, section) !== undefined
  return hasSection ? body : (withValueAt(body, section, {}) as JsonObject)
}

/** The field that a name alone means; `service`: one that only the service sets. */
function flatField(type: RecordType, name: string) {
  const { found } = findField(type.fields, name)
  const place = found?.request === undefined ? undefined : parsePath(found.request)
  return found && (place ? { place, field: found.field } : ('service' as const))
}
