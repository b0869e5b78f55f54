import { knownCodes } from '../values/read-code.ts'
import type { Field } from './field.ts'

/** Begins the help line of a workbook to fill in, which is not imported. */
export const helpMark = 'Help, not imported: '

/** What the help line says of a field, in one line: what it is, and how it is written. */
export function helpText(field: Field): string {
  const codes = knownCodes(field)
  const known = codes.length > 0 ? `Such as ${codes.join(', ')}.` : wordsByType[field.type]
  return [field.help, known].filter(Boolean).join(' ')
}

const wordsByType: Partial<Readonly<Record<Field['type'], string>>> = {
  date: 'A date, such as 2026-04-06.',
  timestamp: 'A date, such as 2026-04-06.',
  boolean: 'yes or no.',
  number: 'A number, such as 37.5.',
  integer: 'A whole number.',
  decimal: 'An amount, such as 4000.00.',
  country: 'A country, such as GB or Ireland.',
}
