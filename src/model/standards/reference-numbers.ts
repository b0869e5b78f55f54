import { asDigits, lookAlike, normalize, tooLong, tooShort, type Warning } from './warning.ts'

/** HMRC, National Insurance Manual NIM39110, without the prefixes of its administration. There is no check digit. */
const ninoShape = /^(?!BG|GB|KN|NK|NT|TN|ZZ|CR|MW|NC|PP|PY|PZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/

/** HMRC's numbers for examples, which are never issued. */
const example = /^QQ\d{6}[A-D]$/

/** Whether this is written as a National Insurance number, capitals without spaces; HMRC's examples are too. */
export const isNino = (code: string): boolean => ninoShape.test(code) || example.test(code)

/** A UK National Insurance number. */
export function nino(value: string): Warning | undefined {
  const number = normalize(value)
  if (ninoShape.test(number)) return undefined
  const meant = reread(number)
  if (ninoShape.test(meant)) return lookAlike(meant)
  return { message: fault(number) }
}

/** What is said of HMRC's examples: the people of the sandbox have them. */
export const exampleNumber = "HMRC's example for documentation, not a real number"

function fault(number: string): string {
  if (example.test(number)) return exampleNumber
  if (/^\d\d[A-Z]\d{5}$/.test(number)) {
    return 'looks like a temporary reference number, which is not a National Insurance number'
  }
  if (/^[A-Z]{2}\d{6}$/.test(number)) return 'the last letter is missing: A, B, C or D'
  if (/^[A-Z]{2}\d{6}[A-Z]$/.test(number)) {
    return /[A-D]$/.test(number)
      ? 'no National Insurance number begins with these two letters'
      : 'a National Insurance number ends in A, B, C or D'
  }
  const [, digits = ''] = /^[A-Z]{2}(\d{7,})[A-Z]?$/.exec(number) ?? []
  if (digits) return tooLong(digits, 6, 'a National Insurance number has 6').message
  if (number.length < 9) return tooShort(number, 9, 'a National Insurance number has 9', 'character').message
  return 'a National Insurance number is two letters, six digits and one letter from A to D'
}

function reread(number: string): string {
  return number.slice(0, 2).replaceAll('0', 'O') + asDigits(number.slice(2, 8)) + number.slice(8)
}

/** Revenue's rule 1010: "7 digits followed by either 1 or 2 check characters". */
const ppsnShape = /^(\d{7})([A-W])([A-IWTX]?)$/

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
  if (number.length < 8) return tooShort(number, 8, 'a PPS number has 8 or 9', 'character')
  const [digits = ''] = /^\d{8,}(?=[A-Z]{0,2}$)/.exec(number) ?? []
  if (digits) return tooLong(digits, 7, 'a PPS number has 7')
  return ppsnShape.test(number)
    ? { message: 'the check letter does not fit the digits: one of them is wrong' }
    : { message: 'a PPS number is seven digits and one or two letters' }
}

/** Whether a PPS number, in capitals without spaces, has the check letter that its digits ask for. */
export function isPpsn(number: string): boolean {
  const [, digits = '', letter, second] = ppsnShape.exec(number) ?? []
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

/** HMRC's Unique Taxpayer Reference: ten digits, with or without a K. The first is a check digit for the rest. */
export function utr(value: string): Warning | undefined {
  const number = normalize(value).replace(/^K|K$/, '')
  if (passesModulus11(number)) return undefined
  const meant = asDigits(number)
  if (passesModulus11(meant)) return lookAlike(meant)
  // HMRC's letters sometimes put three digits in front.
  const last = number.slice(3)
  if (/^\d{13}$/.test(number)) {
    return {
      message: 'three digits too many; a UTR is the last ten',
      ...(passesModulus11(last) && { suggestion: last }),
    }
  }
  return /^\d{10}$/.test(number)
    ? { message: 'the first digit does not fit the others: one of them is wrong' }
    : { message: 'a UTR has ten digits' }
}

/** The weighted sum of digits 2 to 10, modulo 11, gives the first digit. */
function passesModulus11(number: string): boolean {
  if (!/^\d{10}$/.test(number)) return false
  const weights = [6, 7, 8, 9, 10, 5, 4, 3, 2]
  const sum = weights.reduce((total, weight, index) => total + weight * Number(number[index + 1]), 0)
  return '21987654321'.charAt(sum % 11) === number[0]
}

/** V and ten digits; one or two letters follow if HMRC could not match the subcontractor. */
const cisShape = /^V\d{10}[A-Z]{0,2}$/

/** HMRC's verification number for a subcontractor in the Construction Industry Scheme. */
export function cisVerification(value: string): Warning | undefined {
  const number = normalize(value)
  if (cisShape.test(number)) return undefined
  const meant = number.slice(0, 1) + asDigits(number.slice(1, 11)) + number.slice(11)
  return {
    message:
      'a CIS verification number is a V and ten digits, with a letter or two where HMRC found no match',
    ...(cisShape.test(meant) && { suggestion: meant }),
  }
}

/** The letter prefixes of Companies House. The list grows. */
const prefixes = new Set(
  (
    'AC BR CE CS EN ES FC GE GN GS IC IP LP NA NC NF NI NL NO NP NR NV NZ OC OE PC R0 RC RS ' +
    'SA SC SE SF SG SI SL SO SP SR SZ ZC'
  ).split(' '),
)

/** The number of a UK company: eight digits, or two letters and six digits. */
export function companyNumber(value: string): Warning | undefined {
  const number = normalize(value)
  if (/^\d{8}$/.test(number)) return undefined
  if (/^[A-Z]{2}\d{6}$|^R0\d{6}$/.test(number)) {
    return prefixes.has(number.slice(0, 2))
      ? undefined
      : { message: 'these first two letters are not a Companies House prefix' }
  }
  if (/^(?:IP|SP|RS)\d{5}[A-Z]$/.test(number)) {
    return { message: "the number of a registered society, which HMRC's forms do not accept" }
  }
  if (/^\d{7}$/.test(number)) return tooShort(number, 8, 'a UK company number has 8')
  const meant = [asDigits(number), number.slice(0, 2) + asDigits(number.slice(2))].find(
    (other) => /^\d{8}$/.test(other) || (/^[A-Z]{2}\d{6}$/.test(other) && prefixes.has(other.slice(0, 2))),
  )
  return {
    message: 'a UK company number is eight digits, or two letters and six digits',
    ...(meant && { suggestion: meant }),
  }
}

/** A UK or an Irish VAT registration number, with or without its country code. */
export function vatNumber(value: string): Warning | undefined {
  const number = normalize(value).replaceAll(/[-.]/g, '')
  if (passesModulus97(number)) return undefined
  const [, country = '', rest = ''] = /^(GB|XI|IE)?(.*)$/.exec(number) ?? []
  const meant = [country + asDigits(rest), country + asDigits(rest.slice(0, 7)) + rest.slice(7)]
  const suggestion = meant.find(passesModulus97)
  if (suggestion) return lookAlike(suggestion)
  return uk.test(number) || irish.test(number) || oldIrish.test(number)
    ? { message: 'the check digits do not fit the others: a character is wrong' }
    : {
        message:
          'a VAT number has nine digits in the UK, and seven digits with one or two letters in Ireland',
      }
}

/** Nine digits, or twelve for a branch. */
const uk = /^(?:GB|XI)?(\d{7})(\d\d)(?:\d{3})?$/
/** Government departments are numbered below 500, health authorities from 500. */
const ukPublic = /^(?:GB|XI)?(?:GD[0-4]|HA[5-9])\d\d$/
const irish = /^(?:IE)?(\d{7})([A-W])([A-IW]?)$/
/** The old format: moves the first digit to the end and puts a zero in front. */
const oldIrish = /^(?:IE)?(\d)[A-Z+*](\d{5})([A-W])$/

function passesModulus97(number: string): boolean {
  return ukPublic.test(number) || passesUk(number) || passesIrish(number)
}

/** The weighted sum with the two check digits is 0 modulo 97, or 42 in the newer series (HMRC's "9755"). */
function passesUk(number: string): boolean {
  const [, digits = '', check] = uk.exec(number) ?? []
  if (!check) return false
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (8 - index), Number(check))
  return sum % 97 === 0 || (sum % 97 === 42 && Number(digits.slice(0, 3)) >= 100)
}

function passesIrish(number: string): boolean {
  const [, digits = '', letter, second] = irish.exec(number) ?? []
  if (letter) return checkLetter(digits, second) === letter
  const [, first = '', others = '', oldLetter] = oldIrish.exec(number) ?? []
  return oldLetter !== undefined && checkLetter(`0${others}${first}`) === oldLetter
}

/**
 * The check letter that PPS numbers and Irish VAT numbers share: the sum of the seven digits times 8 to 2, and
 * of the second letter times 9, modulo 23. 0 is W, 1 is A, … 22 is V.
 */
export function checkLetter(sevenDigits: string, secondLetter = ''): string {
  const digits = [...sevenDigits].reduce((sum, digit, index) => sum + Number(digit) * (8 - index), 0)
  return 'WABCDEFGHIJKLMNOPQRSTUV'.charAt((digits + 9 * weight(secondLetter)) % 23)
}

/** A counts 1 … I counts 9. No letter, and the old letters T, W and X, count 0. */
function weight(secondLetter: string): number {
  return secondLetter === '' ? 0 : 'ABCDEFGHI'.indexOf(secondLetter) + 1
}
