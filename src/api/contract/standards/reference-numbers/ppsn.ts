import { asDigits, lookAlike, normalize, type Warning } from '../warning.ts'
import { checkLetter } from './check-letter.ts'

/** Revenue's rule 1010: "7 digits followed by either 1 or 2 check characters". */
const shape = /^(\d{7})([A-W])([A-IWTX]?)$/

/** An Irish PPS number. */
export function ppsn(value: string): Warning | undefined {
  const number = normalize(value)
  if (isPpsn(number)) return note(number)
  const meant = asDigits(number.slice(0, 7)) + number.slice(7)
  if (isPpsn(meant) && !note(meant)) return lookAlike(meant)
  const shorter = number.replace(/^0(?=\d{7})/, '')
  if (isPpsn(shorter) && !note(shorter)) {
    return { message: 'eight digits: the leading zero is one too many', suggestion: shorter }
  }
  return shape.test(number)
    ? { message: 'the check letter does not fit the digits: one of them is wrong' }
    : { message: 'a PPS number is seven digits and one or two letters' }
}

/** Whether a PPS number, in capitals without spaces, has the check letter that its digits ask for. */
export function isPpsn(number: string): boolean {
  const [, digits = '', letter, second] = shape.exec(number) ?? []
  return letter !== undefined && checkLetter(digits, second) === letter
}

function note(number: string): Warning | undefined {
  // The second letter: the first is the check letter, which may be an H or a W too.
  if (/[A-W]H$/.test(number))
    return { message: 'a number that ends in H belongs to a company or a trust, not a person' }
  if (/[A-W]W$/.test(number)) {
    return { message: 'a number that ends in W is an old form; the person may have a newer one' }
  }
  return undefined
}
