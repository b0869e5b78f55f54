import type { Field, Fields, FieldType } from '../../api/contract/fields/field.ts'
import type { Issue } from '../../errors.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

/** What a value must be, by the type of its field. In JSON, dates and decimals are strings. */
const kinds: Record<FieldType, readonly [noun: string, holds: (value: Json) => boolean]> = {
  string: ['a string', (value) => typeof value === 'string'],
  date: ['a string', (value) => typeof value === 'string'],
  timestamp: ['a string', (value) => typeof value === 'string'],
  decimal: ['a string', (value) => typeof value === 'string'],
  country: ['a string', (value) => typeof value === 'string'],
  // JSON.parse turns 1e999 into Infinity, which JSON cannot write.
  number: ['a number', (value) => Number.isFinite(value)],
  integer: ['a whole number', (value) => Number.isSafeInteger(value)],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  lines: ['an array of strings', isLines],
  array: ['an array', (value) => Array.isArray(value)],
  object: ['an object', isObject],
  unknown: ['anything', () => true],
}

/**
 * Lists the fields whose JSON type is wrong, by path. assumed: this is what 400 is for ("the conditions that produce
 * 400: not shown"). No field is required; undeclared fields and fields with a guessed type are accepted.
 */
export function wrongTypes(value: JsonObject, fields: Fields, path = ''): Issue[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const own = value[name]
    return own === undefined ? [] : wrongType(own, field, path === '' ? name : `${path}.${name}`)
  })
}

function wrongType(value: Json, field: Field, path: string): Issue[] {
  if (field.assumed || (value === null && field.nullable)) return []
  const [noun, holds] = kinds[field.type]
  if (!holds(value)) return [{ path, message: `must be ${noun}${field.nullable ? ' or null' : ''}` }]
  if (isObject(value)) return wrongTypes(value, field.fields ?? {}, path)
  const { item } = field
  if (item === undefined || !Array.isArray(value)) return []
  return value.flatMap((element: Json, index) => wrongType(element, item, `${path}.${index}`))
}

function isLines(value: Json): boolean {
  return Array.isArray(value) && value.every((line) => typeof line === 'string')
}
