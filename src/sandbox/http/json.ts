/** What a JSON document can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** An object of a JSON document: names to values. */
export interface JsonObject {
  readonly [name: string]: Json
}

/** Whether a value is an object, and neither a list nor null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
