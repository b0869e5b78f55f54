import type { Field, Fields } from '../../api/contract/fields/field.ts'
import { isObject, type Json } from '../../json/path.ts'
import { cell } from './format-field.ts'
import { safeText } from './safe-text.ts'

/** How one value is written. */
type TextOf = (value: Json, field: Field | undefined) => string

/**
 * Objects and lists of them as a person reads them, by the labels of their fields: "1: Rate number 1, Tax rate 20".
 * Undefined for any other value.
 */
export function readableItems(value: Json, field: Field | undefined, textOf: TextOf): string | undefined {
  const nested: TextOf = (inner, own) => readableItems(inner, own, textOf) ?? textOf(inner, own)
  if (Array.isArray(value) && value.some(isObject)) {
    const fields = field?.item?.fields ?? field?.item?.promptFields ?? {}
    return value
      .map((item, at) => `${at + 1}: ${isObject(item) ? fieldsOf(item, fields, nested) : cell(item)}`)
      .join('; ')
  }
  return isObject(value) ? fieldsOf(value, field?.fields ?? field?.promptFields ?? {}, nested) : undefined
}

function fieldsOf(item: object, fields: Fields, textOf: TextOf): string {
  return Object.entries(item)
    .filter(([, value]) => cell(value) !== '')
    .map(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      return `${field?.label ?? safeText(name)} ${textOf(value, field)}`
    })
    .join(', ')
}
