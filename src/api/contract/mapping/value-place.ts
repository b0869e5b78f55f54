import { isObject, type Json, type JsonObject } from '../../../json/path.ts'
import type { Field, Fields } from '../fields/field.ts'

/** The names that lead to a value. A name may contain a dot, or be a number. */
export type Place = readonly string[]

/** The field declared at a place, if any. */
export function declaredAt(fields: Fields, [head = '', ...rest]: Place): Field | undefined {
  const field = Object.hasOwn(fields, head) ? fields[head] : undefined
  return rest.length === 0 || !field ? field : declaredAt(field.fields ?? {}, rest)
}

/** The value at a place, if any. */
export function valueIn(value: Json, place: Place): Json {
  return place.reduce<Json>(
    (here, name) => (isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined),
    value,
  )
}

/** The same object with a value at a place. Even a name of digits makes an object, never a list. */
export function withValueIn(object: JsonObject, [head = '', ...rest]: Place, value: Json): JsonObject {
  const inner = Object.hasOwn(object, head) && isObject(object[head]) ? object[head] : {}
  return { ...object, [head]: rest.length === 0 ? value : withValueIn(inner as JsonObject, rest, value) }
}

/** Whether a value is null, or an empty object or list. */
export function isNothing(value: Json): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value as object).length === 0)
}
