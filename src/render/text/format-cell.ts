import { isObject, type Json } from '../../json/path.ts'
import { stringifyJson } from '../../json/stringify.ts'
import { safeText } from './safe-text.ts'

/** A value as a person reads it, on one line. Empty for a missing value. */
export function cell(value: Json): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && !value.some(isObject)) return value.map(cell).join(', ')
  return safeText(isObject(value) || Array.isArray(value) ? stringifyJson(value) : String(value))
}
