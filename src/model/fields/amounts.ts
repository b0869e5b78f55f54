import { type ExactNumber, isNumber, plainNumber, writtenNumber } from '../../files/json/numbers.ts'
import type { Json } from '../../files/json/path.ts'

/** Reads a number as people and services write it: `1,250.50`, `1250,50`, `£12`, `(5.00)`. `1,250` is 1250. */
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

/**
 * What so many units come to at this pay, in pence or cents. Half of one is rounded away from zero, so that a
 * correction cancels what it corrects, and before that the floating point, which would make less than half of it.
 */
export function lineInPence(units: number, pay: number): number {
  const pence = Number((units * pay * 100).toPrecision(12))
  return Math.sign(pence) * Math.round(Math.abs(pence))
}

/** Reads a number with all of its digits. */
export const exactIn = (value: Json): number | ExactNumber | undefined =>
  isNumber(value) ? value : writtenNumber(decimalIn(value) ?? '')

/** The digits of a number, with a point and a minus if it has them. Texts such as `0x10` and `1e3` are not numbers. */
export function decimalIn(value: Json): string | undefined {
  if (isNumber(value)) {
    const text = String(value)
    return /e/i.test(text) ? plainNumber.exec(Number(text).toFixed(10))?.[0] : text
  }
  if (typeof value !== 'string') return undefined
  if (plainNumber.test(value)) return value
  // The sign of a footnote is no digit: 12² is no 122.
  if (/\p{No}/u.test(value)) return undefined
  const written = value
    .normalize('NFKC')
    .replace('−', '-')
    // Between figures it parts euros and cents: 2€50 is no 250.
    .replaceAll(/(?<![\d.,]\s*)(?:£|€|GBP|EUR)|(?:£|€|GBP|EUR)(?!\s*[\d.,])/giu, '')
    .trim()
  // Accountants write a minus in brackets or after the number.
  const negative = /^(?:\((.+)\)|(.+)-)$/.exec(written)?.slice(1).find(Boolean)
  const digits = (negative ?? written).replace(/^-\s+/, '-').trim()
  const decimal = amountForms.find(([form]) => form.test(digits))?.[1](digits)
  return decimal && negative !== undefined ? (decimal.startsWith('-') ? undefined : `-${decimal}`) : decimal
}

/** The ways to write a number. One or two digits after a comma are pence or cents. */
const amountForms: readonly (readonly [RegExp, (digits: string) => string])[] = [
  [plainNumber, (digits) => digits],
  [/^-?[1-9]\d{0,2}(?:[ ,’']\d{3})+(?:\.\d+)?$/u, (digits) => digits.replaceAll(/[ ,’']/gu, '')],
  [
    /^-?(?:\d+|[1-9]\d{0,2}(?:[. ]\d{3})+),\d{1,2}$/u,
    (digits) => digits.replaceAll(/[. ]/g, '').replace(',', '.'),
  ],
]

const currencyNames: Readonly<Record<string, string>> = { '£': 'pounds', '€': 'euros' }

/** The sign of the currency that is written at an amount: £ for `£12.50` and `12.50 GBP`. */
export function currencyIn(text: string): string | undefined {
  // A heading may have an underscore for each blank.
  if (/£|sterling|(?<!\p{L})(?:pounds?|GBP)(?!\p{L})/iu.test(text)) return '£'
  return /€|(?<!\p{L})EUR(?:OS?)?(?!\p{L})/iu.test(text) ? '€' : undefined
}

/** The reason why an amount is in the wrong currency; undefined where it fits, or none is known. */
export function otherCurrency(text: string, currency: string | undefined): string | undefined {
  const code = currency ? currencyIn(text) : undefined
  return code === undefined || currency === undefined || code === currency
    ? undefined
    : `it is in ${currencyNames[code]}, and pay here is in ${currencyNames[currency] ?? currency}: write that amount`
}
