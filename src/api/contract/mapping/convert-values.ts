import { ExactNumber } from '../../../json/exact-number.ts'
import { isObject, type Json } from '../../../json/path.ts'
import type { Field, FieldType } from '../fields/field.ts'
import { idOf } from '../records/identity.ts'
import { answerPlace, type FieldMapping } from './field-mapping.ts'
import { declaredAt, type Place } from './value-place.ts'

type Conversion = `${FieldType} from ${FieldType}`

/**
 * Conversions of response values to the type in the request, by both types. A value that already has the request's type
 * is not changed.
 */
const conversions: Partial<Record<Conversion, (value: Json) => Json>> = {
  'timestamp from date': (value) =>
    /^\d{4}-\d\d-\d\d$/.test(String(value)) ? `${value}T00:00:00.000Z` : value,
  // "payrollApproveNeeded is returned as a boolean", and sent as a string. assumed: as the text of its JSON value.
  'string from boolean': (value) => (typeof value === 'boolean' ? String(value) : value),
  // "hoursPerUnit: string (numeric text)", and sent as a number.
  'number from string': (value) =>
    typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? numberOf(value.trim()) : value,
  // "defaultVATCode is an object rather than an identifier".
  'string from object': (value) => (isObject(value) ? idOf(value) : value),
}

/** Converts a response value to the type in the request. */
export function toRequestValue(value: Json, sent: Field, answered: Field | undefined): Json {
  const convert = answered && conversions[`${sent.type} from ${answered.type}`]
  return convert ? convert(value) : value
}

/** The response field for a place in the request. */
export function responseFieldAt(correspondence: FieldMapping, to: Place): Field | undefined {
  return declaredAt(correspondence.answer.fields, answerPlace(correspondence, to))
}

/** A double may lose digits beyond these. */
const digitsOfADouble = 15

/** Numeric text as a number with all of its digits. */
function numberOf(text: string): number | ExactNumber {
  const value = Number(text)
  const digits = text.replace(/^-?[0.]*|\./g, '')
  if (digits.length <= digitsOfADouble || String(value) === text) return value
  return new ExactNumber(text.replace(/^(-?)0+(?=\d)/, '$1'))
}

/** A value without null properties. Null elements of a list stay, so that the others keep their place. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  const given = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(given.map(([name, inner]) => [name, withoutNulls(inner)]))
}
