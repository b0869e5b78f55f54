import { asDigits, normalize, type Warning } from '../warning.ts'

/** V and ten digits; a subcontractor whom HMRC could not match has one or two letters behind. */
const shape = /^V\d{10}[A-Z]{0,2}$/

/** The verification number that HMRC gives for a subcontractor under the Construction Industry Scheme. */
export function cisVerification(value: string): Warning | undefined {
  const number = normalize(value)
  if (shape.test(number)) return undefined
  const meant = number.slice(0, 1) + asDigits(number.slice(1, 11)) + number.slice(11)
  return {
    message:
      'a CIS verification number is a V and ten digits, with a letter or two where HMRC found no match',
    ...(shape.test(meant) && { suggestion: meant }),
  }
}
