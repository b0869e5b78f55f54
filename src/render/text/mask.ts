import { isSensitive } from '../../api/contract/fields/sensitive.ts'
import { isObject, type Json } from '../../json/path.ts'

export { isSensitive }

/**
 * A mask that somebody who knows the value recognises: its last three letters or digits, if it has eight or more. Of
 * a date, nothing.
 */
export function mask(value: Json): string {
  const text = String(value)
  const characters = text.match(/[\p{L}\p{N}]/gu) ?? []
  const isDate = /^\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}(\D|$)/.test(text)
  return characters.length < 8 || isDate ? '******' : `******${characters.slice(-3).join('')}`
}

/** The same value with every sensitive field in it masked, however deep. */
export function masked(value: Json): Json {
  if (Array.isArray(value)) return value.map(masked)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => {
    return [name, isSensitive(name) ? hidden(inner) : masked(inner)]
  })
  return Object.fromEntries(entries)
}

/** Every value of a sensitive field masked, in whatever form it is given: `bankAccount: { number }` too. */
function hidden(value: Json): Json {
  if (Array.isArray(value)) return value.map(hidden)
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hidden(inner)]))
  const isNothing = value === null || value === undefined || value === '' || typeof value === 'boolean'
  return isNothing ? value : mask(value)
}
