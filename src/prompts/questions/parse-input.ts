import type { Field } from '../../api/contract/fields/field.ts'
import { expectations, schemaOf } from '../../api/contract/fields/request-schema.ts'
import type { Json } from '../../json/path.ts'
import { readValue } from '../../values/read-value.ts'
import { isDateField } from './format-value.ts'

/**
 * Typed text as the JSON value of its field, day before month as in the UK and Ireland. Text that cannot be read stays
 * text, and `validationError` refuses it.
 */
export function parseInput(field: Field, typed: string, today: string): Json {
  const text = typed.trim()
  const reading = readValue(field, text, { order: 'dmy', today })
  return 'value' in reading ? reading.value : text
}

/** What to type instead, if the document rules the text out. */
export function validationError(field: Field, typed: string, today: string): string | undefined {
  const reading = isDateField(field) ? readValue(field, typed, { order: 'dmy', today }) : undefined
  if (reading && 'flaw' in reading && reading.isRealDate) return `Not taken: ${reading.flaw}.`
  if (schemaOf(field).safeParse(parseInput(field, typed, today)).success) return undefined
  return `Not understood: ${expectationsForPerson[field.type] ?? expectations[field.type]}.`
}

/** Wording for people, where the contract's message talks about JSON. */
const expectationsForPerson: Partial<Record<Field['type'], string>> = {
  date: 'expected a date that exists, such as 4/11/1991 or 4 Nov 1991',
  timestamp: 'expected a date that exists, such as 4/11/1991 or 4 Nov 1991',
  number: 'expected a number, such as 1250.50',
  decimal: 'expected an amount, such as 1250.50',
  country: 'expected a country, such as Ireland or IE',
}

/** The hint after a label: how to type the answer, if it is not obvious. */
export function formHint(field: Field): string {
  return isDateField(field) ? ' (day/month/year)' : ''
}
