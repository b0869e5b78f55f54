import { asDigits, normalize, type Warning } from '../warning.ts'

/** V and ten digits; one or two letters follow if HMRC could not match the subcontractor. */
const shape = /^V\d{10}[A-Z]{0,2}$/

/** HMRC's verification number for a subcontractor in the Construction Industry Scheme. */
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
