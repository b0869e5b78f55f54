import { isNumber } from '../files/json/numbers.ts'
import type { Json } from '../files/json/path.ts'
import type { Field } from '../model/fields/field.ts'
import { maskFinder } from '../model/mapping/service-masks.ts'
import { dayOfTimestamp } from '../model/natural-key.ts'
import { isBlank } from '../model/records/record-type.ts'
import { isDay } from '../text/day.ts'

/** The text of a value, or a number as text; empty for anything else. */
export const textIn = (value: Json): string =>
  typeof value === 'string' ? value.trim() : isNumber(value) ? String(value) : ''

/**
 * Reads a number as people and services write it: `1,250.50`, `1250,50`, `£12`, `(5.00)`. `1,250` is 1250.
 */
export function numberIn(value: Json): number | undefined {
  const digits = decimalIn(value)
  return digits === undefined ? undefined : Number(digits)
}

/** Reads an amount in pence or cents. It works on the digits, because floating point could lose a penny. */
export function penceIn(value: Json): number | undefined {
  const digits = decimalIn(value)
  if (digits === undefined) return undefined
  const [whole = '', fraction = ''] = digits.split('.')
  return Number(`${whole}${fraction.slice(0, 2).padEnd(2, '0')}.${fraction.slice(2)}`)
}

/** The digits of a number, with a point and a minus if it has them. Texts such as `0x10` and `1e3` are not numbers. */
export function decimalIn(value: Json): string | undefined {
  if (isNumber(value)) {
    const text = String(value)
    return /e/i.test(text) ? plainDecimal.exec(Number(text).toFixed(10))?.[0] : text
  }
  if (typeof value !== 'string') return undefined
  if (plainDecimal.test(value)) return value
  const written = value
    .normalize('NFKC')
    .replace('−', '-')
    .replaceAll(/£|€|GBP|EUR/giu, '')
    .trim()
  // Accountants write a minus in brackets or after the number.
  const negative = /^(?:\((.+)\)|(.+)-)$/.exec(written)?.slice(1).find(Boolean)
  const digits = (negative ?? written).replace(/^-\s+/, '-').trim()
  const read = forms.find(([form]) => form.test(digits))?.[1](digits)
  return read && negative !== undefined ? (read.startsWith('-') ? undefined : `-${read}`) : read
}

const plainDecimal = /^-?\d+(?:\.\d+)?$/

/** The ways to write a number. One or two digits after a comma are pence or cents. */
const forms: readonly (readonly [RegExp, (digits: string) => string])[] = [
  [plainDecimal, (digits) => digits],
  [/^-?\d{1,3}(?:[ ,’']\d{3})+(?:\.\d+)?$/u, (digits) => digits.replaceAll(/[ ,’']/gu, '')],
  [
    /^-?(?:\d+|\d{1,3}(?:[. ]\d{3})+),\d{1,2}$/u,
    (digits) => digits.replaceAll(/[. ]/g, '').replace(',', '.'),
  ],
]

/** Earlier days stand for no day in many databases: `0001-01-01`, `1900-01-01`. */
const firstRealDay = '1950-01-01'

/** The day (YYYY-MM-DD) of a date or timestamp; undefined where it is not a day, or stands for none. */
export function dayIn(value: Json, earliest = firstRealDay): string | undefined {
  const day = dayOfTimestamp(textIn(value)).slice(0, 10)
  return isDay(day) && day >= earliest ? day : undefined
}

/**
 * Why a field counts as not seen. `hidden`: no record shows it, or this one could not be read.
 * `unmarked`: there is nothing to compare it with.
 */
export type Unseen = 'hidden' | 'masked' | 'no day' | 'no amount' | 'unmarked'

/** Makes a test for the values of a field: why one cannot be used; undefined where it can. */
export function unseenBecause(
  field: Field | undefined,
  name: string,
): (value: Json) => Exclude<Unseen, 'hidden' | 'unmarked'> | undefined {
  const isMask = maskFinder({ name, standard: field?.standard })
  const kind = field && kinds[field.type]
  const earliest = field?.standard === 'birth-date' ? '1900-01-02' : firstRealDay
  return (value) => {
    if (isBlank(value)) return undefined
    if (kind === 'amount' && isNumber(value)) return undefined
    if (isMask(value)) return 'masked'
    if (kind === 'day' && dayIn(value, earliest) === undefined) return 'no day'
    return kind === 'amount' && numberIn(value) === undefined ? 'no amount' : undefined
  }
}

const kinds: Readonly<Partial<Record<Field['type'], 'day' | 'amount'>>> = {
  date: 'day',
  timestamp: 'day',
  number: 'amount',
  integer: 'amount',
  decimal: 'amount',
}
