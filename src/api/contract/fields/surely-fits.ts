import { isObject, type Json } from '../../../json/path.ts'
import type { Field, Fields, FieldType } from './field.ts'

/**
 * Whether a body has nothing but declared fields with values that the request schema certainly takes. It says no where it
 * is not sure: then the schema decides. An import asks it of every row, and most are fine.
 */
export function surelyFits(fields: Fields, body: Json): boolean {
  if (!isObject(body)) return false
  for (const name in body) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field || !fits(field, body[name])) return false
  }
  return true
}

function fits({ type, assumed, fields, item }: Field, value: Json): boolean {
  if (assumed || type === 'unknown') return value !== undefined && !isNested(value)
  if (fields) return surelyFits(fields, value)
  if (type === 'lines') return isWholeList(value) && value.every(isText)
  if (type === 'array')
    return item !== undefined && isWholeList(value) && value.every((each) => fits(item, each))
  return sure[type]?.(value) ?? false
}

const isNested = (value: Json) => typeof value === 'object' && value !== null
/** `every` alone would pass over the gaps. */
const isWholeList = (value: Json): value is Json[] => Array.isArray(value) && !value.includes(undefined)
const isText = (value: Json) => typeof value === 'string'
const matches = (pattern: RegExp) => (value: Json) => typeof value === 'string' && pattern.test(value)

/** A day of any year: 29 February is the schema's. */
const day = String.raw`(?:19|20)\d\d-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)`

const sure: Partial<Readonly<Record<FieldType, (value: Json) => boolean>>> = {
  string: isText,
  boolean: (value) => typeof value === 'boolean',
  number: Number.isFinite,
  integer: Number.isInteger,
  date: matches(new RegExp(`^${day}$`)),
  timestamp: matches(new RegExp(`^${day}T00:00:00\\.000Z$`)),
  decimal: matches(/^-?\d+(?:\.\d+)?$/),
  country: matches(/^[A-Za-z]{2}$/),
}
