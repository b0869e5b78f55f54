import { electronicFormatIBAN, getCountrySpecifications, isValidBIC, isValidIBAN } from 'ibantools'
import { compactNumber } from '../../text/words.ts'
import { asDigits, asItIs, normalize, type TextRule } from './standard-rule.ts'

/** The digits of a sort code or an account number, with any spacing: 12-34-56, 12 34 56, 123456. */
export function accountDigits(text: string): string {
  return onlyDigits.test(text) ? text : normalize(text).replaceAll('-', '')
}

/** Most texts are digits already. */
const onlyDigits = /^\d*$/

/** Whether a text has the six digits of a sort code. */
export const isSortCode = (digits: string): boolean => /^\d{6}$/.test(digits)

/** Whether a text has the eight digits of an account number. */
export const isAccountNumber = (digits: string): boolean => /^\d{8}$/.test(digits)

const bankDigits = {
  bare: accountDigits,
  notes: [[/^0+$/, 'nothing but zeros']],
  form: asItIs,
  meant: (digits) => [asDigits(digits)],
} as const satisfies Partial<TextRule>

/** A UK sort code, or an Irish NSC: six digits. Only a licensed directory lists those that exist. */
export const sortCode: TextRule = {
  ...bankDigits,
  sentence: 'Six digits; the dashes of 12-34-56 are left out.',
  fits: isSortCode,
  faults: [[/^\d{8}$/, 'eight digits look like an account number; a sort code has six']],
  otherwise: 'a sort code has six digits',
}

/** A UK or Irish account number: eight digits. */
export const accountNumber: TextRule = {
  ...bankDigits,
  sentence: 'Eight digits (Pay.UK). Where the paper has fewer or more, ask the person.',
  fits: isAccountNumber,
  otherwise: 'an account number has eight digits: where the paper has fewer or more, ask the person',
}

/** A building society's roll number. Each society also has its own rules. */
export const rollNumber: TextRule = {
  sentence: 'One to eighteen of A to Z, digits, space, full stop, slash and hyphen.',
  bare: (text) => text.toUpperCase(),
  fits: (number) => /^[A-Z0-9 /.&-]{1,18}$/.test(number),
  otherwise: 'a roll number has up to 18 letters and digits, with spaces and / . - & between',
}

/** No country issues a longer IBAN (ISO 13616). */
const longestIban = 34

/** GB2!n4!a6!n8!n and IE2!n4!a6!n8!n in the IBAN registry: bank, sort code, account number. */
const ukOrIrish = /^(?:GB|IE)\d\d[A-Z]{4}(\d{6})(\d{8})$/

const isUkOrIrish = (code: string) => /^(?:GB|IE)/.test(code)

const electronic = (text: string) => electronicFormatIBAN(text) ?? ''

/** An IBAN: its country, its length, its structure and its check digits (modulo 97). */
export const iban: TextRule = {
  sentence: 'Country, two check digits, modulus 97, and the length that the country lays down (ISO 13616).',
  bare: electronic,
  fits: isIban,
  form: asItIs,
  // Only for a UK or Irish IBAN do we know which characters are digits.
  meant: (code) =>
    isUkOrIrish(code)
      ? [code.slice(0, 2) + asDigits(code.slice(2, 4)) + code.slice(4, 8) + asDigits(code.slice(8))]
      : [code.replace(/^IBAN/, '')],
  otherwise: faultOfIban,
}

/** A BIC (ISO 9362): four letters for the bank, two for the country, two for the place, three for the branch. */
export const bic: TextRule = {
  sentence: 'Eight or eleven characters: bank, country, place, branch (ISO 9362).',
  bare: electronic,
  fits: isValidBIC,
  form: asItIs,
  faults: [
    [/^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/, 'the fifth and sixth letters of a BIC must be a country code'],
  ],
  otherwise: 'a BIC has 8 or 11 characters, such as NWBKGB2L or BOFIIE2D',
}

/** The country of a valid IBAN; undefined for any other. */
export function countryOfIban(text: string): string | undefined {
  const code = electronic(text)
  return isIban(code) ? code.slice(0, 2) : undefined
}

/** The country of a valid BIC; undefined for any other. */
export function countryOfBic(text: string): string | undefined {
  const code = electronic(text)
  return isValidBIC(code) ? code.slice(4, 6) : undefined
}

/** The sort code and account number in a valid UK or Irish IBAN; undefined for any other. */
export function accountInIban(text: string): { sortCode: string; accountNumber: string } | undefined {
  const code = electronic(text)
  const [, sortCode = '', accountNumber = ''] = ukOrIrish.exec(code) ?? []
  return sortCode && isIban(code) ? { sortCode, accountNumber } : undefined
}

/** The fields of a bank account. */
export const bankFields = {
  sortCode: 'bankSetting.sortCode',
  accountNumber: 'bankSetting.accountNumber',
  iban: 'bankSetting.IBANReference',
  bic: 'bankSetting.SWIFTNo',
  rollNumber: 'bankSetting.buildingSocietyNumber',
} as const

/**
 * An account by its numbers alone, with the zeros that a spreadsheet drops; of a British or Irish IBAN that of its sort code
 * and account number. A building society has one account for all, and tells its members apart by the roll number.
 */
export function bankAccountOf(
  textOf: (path: string) => string | undefined,
): { readonly number: string; readonly rollNumber: string } | undefined {
  const [sortCode, accountNumber, iban] = [
    bankFields.sortCode,
    bankFields.accountNumber,
    bankFields.iban,
  ].map(textOf)
  const isOfIban = accountNumber === undefined || (sortCode === undefined && iban !== undefined)
  const inside = isOfIban ? accountInIban(iban ?? '') : { sortCode: sortCode ?? '', accountNumber }
  const number = inside
    ? `${accountDigits(inside.sortCode).padStart(6, '0')} ${accountDigits(inside.accountNumber).padStart(8, '0')}`
    : compactNumber(iban ?? '')
  return number === ''
    ? undefined
    : { number, rollNumber: compactNumber(textOf(bankFields.rollNumber) ?? '') }
}

/** The last IBAN that was checked: several checks of one person ask about the same one. */
let last = { code: '', isValid: false }

/** Whether this is an IBAN, in capitals without spaces. */
function isIban(code: string): boolean {
  if (last.code !== code) {
    const isValid = code.length <= longestIban && isValidIBAN(code)
    // The package accepts digits in the Irish bank code, which has four letters.
    last = { code, isValid: isValid && (ukOrIrish.test(code) || !isUkOrIrish(code)) }
  }
  return last.isValid
}

function faultOfIban(code: string): string {
  const country = code.slice(0, 2)
  const { chars, bban_regexp } = getCountrySpecifications()[country] ?? {}
  // A word may begin with the letters of a country: Revolut is no IBAN of Réunion.
  if (!chars || !bban_regexp || !/\d/.test(code)) {
    return 'an IBAN begins with the two letters of a country that issues them, such as GB or IE'
  }
  if (code.length !== chars) return `an IBAN of ${country} has ${chars} characters, not ${code.length}`
  const isShaped = isUkOrIrish(code)
    ? ukOrIrish.test(code)
    : /^..\d\d/.test(code) && new RegExp(bban_regexp).test(code.slice(4))
  return isShaped
    ? 'the check digits do not fit: a character is wrong, or two have changed places'
    : `not in the form of an IBAN of ${country}: a letter or a digit is out of place`
}
