import type { Field } from '../api/contract/fields/field.ts'
import { knownWords } from '../api/contract/standards/code-lists.ts'
import { countryName, countryWarning } from '../api/contract/standards/country.ts'

/** A code of fewer characters than these says nothing by itself, and stands in front of its meaning. */
const shortestWord = 3

/**
 * What a person calls a value that is a code: Weekly for WEEKLY, `A: first job since 6 April` for A. Undefined for what is
 * no known code of the field.
 */
export function valueName(field: Field, value: string): string | undefined {
  if (field.type === 'country') return countryWarning(value) ? undefined : `${value} (${countryName(value)})`
  const words = knownWords(field)
  if (!Object.hasOwn(words, value)) return undefined
  const meaning = words[value]
  return value.length < shortestWord && meaning !== value ? `${value}: ${meaning}` : meaning
}
