import type { ExactNumber } from '../../../json/exact-number.ts'
import type { Json } from '../../../json/path.ts'
import { stringifyJson } from '../../../json/stringify.ts'
import { isNumber, writtenNumber } from '../../../json/written-number.ts'

/** The order of a dictionary, the same on every computer: capitals do not matter, and A-10 comes after A-9. */
const collator = new Intl.Collator('en', { sensitivity: 'accent', numeric: true })

/** Which of two texts comes first: below zero for the first. */
export const compareText = (one: string, other: string) => collator.compare(one, other)

/** A value as text: what it is compared with was typed. */
export function textOf(value: Json): string {
  return typeof value === 'object' && value !== null && !isNumber(value)
    ? stringifyJson(value)
    : String(value)
}

/** A number, or numeric text as the service sends decimals, with all of its digits. */
export function numberOf(value: Json): number | ExactNumber | undefined {
  if (isNumber(value)) return value
  return typeof value === 'string' ? writtenNumber(value.trim()) : undefined
}

const flags: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false }

/** A yes or no, as JSON or as a person writes it. */
export function flagOf(value: Json): boolean | undefined {
  const word = String(value).toLowerCase()
  return Object.hasOwn(flags, word) ? flags[word] : undefined
}

/** Whether a field has no value. */
export const isMissing = (value: Json) => value === undefined || value === null || value === ''
