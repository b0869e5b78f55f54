import type { Field } from '../api/contract/fields/field.ts'
import { countryName, countryWarning } from '../api/contract/standards/country.ts'
import { codeLists } from './code-lists.ts'

/** The codes of HMRC or Revenue for a field. */
export function standardCodes({ standardValues = [], codes }: Field): readonly string[] {
  return codes ? [...standardValues, ...Object.keys(codeLists[codes])] : standardValues
}

/** What a person calls a value that is a code: Weekly for WEEKLY. Undefined for what is no known code of the field. */
export function valueName(field: Field, value: string): string | undefined {
  const { valueNames = {}, exampleValues = [], codes } = field
  if (field.type === 'country') return countryWarning(value) ? undefined : `${value} (${countryName(value)})`
  if (Object.hasOwn(valueNames, value)) return valueNames[value]
  const names = codes ? codeLists[codes] : {}
  if (Object.hasOwn(names, value)) return names[value]
  const isKnown = exampleValues.includes(value) || standardCodes(field).includes(value)
  if (!isKnown || !/^[A-Z][A-Z_]{2}[A-Z_\d%]*$/.test(value)) return undefined
  const words = value.replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
