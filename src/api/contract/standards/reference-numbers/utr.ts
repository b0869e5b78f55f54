import { asDigits, lookAlike, normalize, type Warning } from '../warning.ts'

/** HMRC's Unique Taxpayer Reference: ten digits, with or without a K. The first is a check digit for the rest. */
export function utr(value: string): Warning | undefined {
  const number = normalize(value).replace(/^K|K$/, '')
  if (passes(number)) return undefined
  const meant = asDigits(number)
  if (passes(meant)) return lookAlike(meant)
  // HMRC's letters sometimes put three digits in front.
  const last = number.slice(3)
  if (/^\d{13}$/.test(number)) {
    return {
      message: 'three digits too many; a UTR is the last ten',
      ...(passes(last) && { suggestion: last }),
    }
  }
  return /^\d{10}$/.test(number)
    ? { message: 'the first digit does not fit the others: one of them is wrong' }
    : { message: 'a UTR has ten digits' }
}

/** The weighted sum of digits 2 to 10, modulo 11, gives the first digit. */
function passes(number: string): boolean {
  if (!/^\d{10}$/.test(number)) return false
  const weights = [6, 7, 8, 9, 10, 5, 4, 3, 2]
  const sum = weights.reduce((total, weight, index) => total + weight * Number(number[index + 1]), 0)
  return '21987654321'.charAt(sum % 11) === number[0]
}
