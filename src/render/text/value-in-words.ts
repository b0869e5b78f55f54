import type { Json } from '../../files/json/path.ts'
import type { Field } from '../../model/fields/field.ts'
import { valueName } from '../../model/values/read-code.ts'
import { fieldText, formatAmount, readableItems } from './format-field.ts'

/** A value in the words of the form: codes by their names, amounts with their currency, dates in full. */
export function valueInWords(value: Json, field: Field | undefined, currency: string): string {
  const items = readableItems(value, field, (inner, own) => valueInWords(inner, own, currency))
  if (items !== undefined) return items
  const name = field && typeof value === 'string' ? valueName(field, value) : undefined
  if (name !== undefined) return name
  const text = fieldText(value, field, 'long')
  return field?.money && currency ? formatAmount(text, currency) : text
}
