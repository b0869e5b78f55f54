import { asDigits, lookAlike, normalize, type Warning } from '../warning.ts'

/** HMRC, National Insurance Manual NIM39110. There is no check digit. */
const shape = /^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/

/** HMRC's numbers for examples, which are never issued. */
const example = /^QQ\d{6}[A-D]$/

/** Whether this is written as a National Insurance number, capitals without spaces; HMRC's examples are too. */
export const isNino = (code: string): boolean => shape.test(code) || example.test(code)

/** A UK National Insurance number. */
export function nino(value: string): Warning | undefined {
  const number = normalize(value)
  if (shape.test(number)) return undefined
  const meant = reread(number)
  if (shape.test(meant)) return lookAlike(meant)
  return { message: fault(number) }
}

function fault(number: string): string {
  if (example.test(number)) return "HMRC's example for documentation, not a real number"
  if (/^\d\d[A-Z]\d{5}$/.test(number)) {
    return 'looks like a temporary reference number, which is not a National Insurance number'
  }
  if (/^[A-Z]{2}\d{6}$/.test(number)) return 'the last letter is missing: A, B, C or D'
  if (/^[A-Z]{2}\d{6}[A-Z]$/.test(number)) {
    return /[A-D]$/.test(number)
      ? 'no National Insurance number begins with these two letters'
      : 'a National Insurance number ends in A, B, C or D'
  }
  return 'a National Insurance number is two letters, six digits and one letter from A to D'
}

function reread(number: string): string {
  return number.slice(0, 2).replaceAll('0', 'O') + asDigits(number.slice(2, 8)) + number.slice(8)
}
