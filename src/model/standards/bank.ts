import { electronicFormatIBAN, getCountrySpecifications, isValidBIC, isValidIBAN } from 'ibantools'
import { asDigits, lookAlike, normalize, tooLong, tooShort, type Warning } from './warning.ts'

/** The digits of a sort code or an account number, with any spacing: 12-34-56, 12 34 56, 123456. */
export function accountDigits(value: string): string {
  return normalize(value).replaceAll('-', '')
}

export const isSortCode = (digits: string): boolean => /^\d{6}$/.test(digits)

export const isAccountNumber = (digits: string): boolean => /^\d{8}$/.test(digits)

/** A UK sort code, or an Irish NSC: six digits. Only a licensed directory lists those that exist. */
export function sortCode(value: string): Warning | undefined {
  const digits = accountDigits(value)
  if (/^0+$/.test(digits)) return { message: 'nothing but zeros' }
  if (isSortCode(digits)) return undefined
  if (/^\d{1,5}$/.test(digits)) return tooShort(digits, 6, 'a sort code has 6')
  if (/^\d{8}$/.test(digits))
    return { message: 'eight digits look like an account number; a sort code has six' }
  if (/^\d{7,}$/.test(digits)) return tooLong(digits, 6, 'a sort code has 6')
  return misread('a sort code has six digits', digits, 6)
}

/** A UK or Irish account number: eight digits. */
export function accountNumber(value: string): Warning | undefined {
  const digits = accountDigits(value)
  if (/^0+$/.test(digits)) return { message: 'nothing but zeros' }
  if (isAccountNumber(digits)) return undefined
  if (/^\d{1,7}$/.test(digits)) return tooShort(digits, 8, 'an account number has 8')
  if (/^\d{9,10}$/.test(digits)) {
    const { message } = tooLong(digits, 8, 'an account number has 8')
    return { message: `${message}; some old ones had more, and have an eight-digit form` }
  }
  if (/^\d+$/.test(digits)) return tooLong(digits, 8, 'an account number has 8')
  return misread('an account number has eight digits', digits, 8)
}

/** A building society's roll number: 1 to 18 characters. Each society also has its own rules. */
export function rollNumber(value: string): Warning | undefined {
  return /^[A-Z0-9 /.&-]{1,18}$/.test(value.toUpperCase())
    ? undefined
    : { message: 'a roll number has up to 18 letters and digits, with spaces and / . - & between' }
}

/** Its letters may be digits that were misread. */
function misread(message: string, digits: string, length: number): Warning {
  const meant = asDigits(digits)
  return meant.length === length && /^\d+$/.test(meant) ? lookAlike(meant) : { message }
}

/** No country issues a longer IBAN (ISO 13616). */
const longest = 34

/** GB2!n4!a6!n8!n and IE2!n4!a6!n8!n in the IBAN registry: bank, sort code, account number. */
const ukOrIrish = /^(?:GB|IE)\d\d[A-Z]{4}(\d{6})(\d{8})$/

/** An IBAN: its country, its length, its structure and its check digits (modulo 97). */
export function iban(value: string): Warning | undefined {
  const written = electronic(value)
  if (isIban(written)) return undefined
  const meant = reread(written)
  if (isIban(meant)) return lookAlike(meant)
  return { message: fault(written) }
}

/** A BIC (ISO 9362): four letters for the bank, two for the country, two for the place, three for the branch. */
export function bic(value: string): Warning | undefined {
  const written = electronic(value)
  if (isBic(written)) return undefined
  return /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(written)
    ? { message: 'the fifth and sixth letters of a BIC must be a country code' }
    : { message: 'a BIC has 8 or 11 characters, such as NWBKGB2L or BOFIIE2D' }
}

/** The country of a valid IBAN; undefined for any other. */
export function countryOfIban(value: string): string | undefined {
  const written = electronic(value)
  return isIban(written) ? written.slice(0, 2) : undefined
}

/** The country of a valid BIC; undefined for any other. */
export function countryOfBic(value: string): string | undefined {
  const written = electronic(value)
  return isBic(written) ? written.slice(4, 6) : undefined
}

/** The sort code and account number in a valid UK or Irish IBAN; undefined for any other. */
export function accountInIban(value: string): { sortCode: string; accountNumber: string } | undefined {
  const written = electronic(value)
  const [, sortCode = '', accountNumber = ''] = ukOrIrish.exec(written) ?? []
  return sortCode && isIban(written) ? { sortCode, accountNumber } : undefined
}

/** Whether this is a BIC, in capitals without spaces. */
export const isBic = (written: string): boolean => isValidBIC(written)

function electronic(value: string): string {
  return electronicFormatIBAN(value) ?? ''
}

/** Several checks of one person ask about one IBAN, one after the other. */
let last = { written: '', is: false }

/** Whether this is an IBAN, in capitals without spaces. */
export function isIban(written: string): boolean {
  if (last.written !== written) last = { written, is: hasIbanForm(written) }
  return last.is
}

function hasIbanForm(written: string): boolean {
  if (written.length > longest || !isValidIBAN(written)) return false
  // The package accepts digits in the Irish bank code, which has four letters.
  return ukOrIrish.test(written) || !isUkOrIrish(written)
}

function fault(written: string): string {
  const country = written.slice(0, 2)
  const { chars, bban_regexp } = getCountrySpecifications()[country] ?? {}
  if (!chars || !bban_regexp) {
    return 'an IBAN begins with the two letters of a country that issues them, such as GB or IE'
  }
  if (written.length < chars) {
    return tooShort(written, chars, `an IBAN of ${country} has ${chars}`, 'character').message
  }
  if (written.length > chars) {
    return `an IBAN of ${country} has ${chars} characters, not ${written.length}`
  }
  const isShaped = isUkOrIrish(written)
    ? ukOrIrish.test(written)
    : /^..\d\d/.test(written) && new RegExp(bban_regexp).test(written.slice(4))
  return isShaped
    ? 'the check digits do not fit: a character is wrong, or two have changed places'
    : `not in the form of an IBAN of ${country}: a letter or a digit is out of place`
}

function isUkOrIrish(written: string): boolean {
  return written.startsWith('GB') || written.startsWith('IE')
}

/** Only for a UK or Irish IBAN do we know which characters are digits. */
function reread(written: string): string {
  if (!isUkOrIrish(written)) return written
  return (
    written.slice(0, 2) + asDigits(written.slice(2, 4)) + written.slice(4, 8) + asDigits(written.slice(8))
  )
}
