import { asDigits, asItIs, normalize, type TextRule } from './standard-rule.ts'

/** HMRC, National Insurance Manual NIM39110, without the prefixes of its administration. There is no check digit. */
const ninoShape = /^(?!BG|GB|KN|NK|NT|TN|ZZ|CR|MW|NC|PP|PY|PZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/

/** HMRC's numbers for examples, which are never issued. */
const exampleNino = /^QQ\d{6}[A-D]$/

/** The message about one of HMRC's examples, which the people of the sandbox have. */
export const exampleNumber = "HMRC's example for documentation, not a real number"

/** A UK National Insurance number. */
export const nino: TextRule = {
  sentence: 'Two letters, six digits, one letter A to D; some first letters are never used (HMRC, NIM39110).',
  notes: [[exampleNino, exampleNumber]],
  fits: (number) => ninoShape.test(number) || exampleNino.test(number),
  form: asItIs,
  meant: (number) => [
    number.slice(0, 2).replaceAll('0', 'O') + asDigits(number.slice(2, 8)) + number.slice(8),
  ],
  faults: [[/^[A-Z]{2}\d{6}[A-D]$/, 'no National Insurance number begins with these two letters']],
  otherwise: 'a National Insurance number is two letters, six digits and one letter from A to D',
}

/** Revenue's rule 1010: "7 digits followed by either 1 or 2 check characters". */
const ppsnShape = /^(\d{7})([A-W])([A-IWTX]?)$/

/** Whether a PPS number, in capitals without spaces, has the check letter that its digits ask for. */
function isPpsn(number: string): boolean {
  const [, digits = '', letter, second] = ppsnShape.exec(number) ?? []
  return letter !== undefined && checkLetter(digits, second) === letter
}

/** Only the paper shows what is right. */
const onPaper = "compare it with the paper that it is on, such as Revenue's notice (RPN)"

/** Whether a PPS number is of the old form of a wife's: some people have no other. */
export const isOldPpsNumber = (number: string): boolean =>
  /[A-W]W$/i.test(number) && isPpsn(number.toUpperCase())

/** An Irish PPS number. */
export const ppsn: TextRule = {
  sentence:
    'Seven digits and one or two letters, the first of them a check letter, modulus 23 (Department of Social Protection).',
  // The second letter: the first is the check letter, which may be an H or a W too.
  notes: [
    [
      (number) => /[A-W]H$/.test(number) && isPpsn(number),
      'a number that ends in H belongs to a company or a trust, not a person',
    ],
    [isOldPpsNumber, 'a number that ends in W is an old form; the person may have a newer one'],
  ],
  fits: isPpsn,
  form: asItIs,
  meant: (number) => [asDigits(number.slice(0, 7)) + number.slice(7), number.replace(/^0/, '')],
  faults: [[ppsnShape, `the check letter does not fit the digits, so that one of them is wrong: ${onPaper}`]],
  otherwise: `a PPS number is seven digits and one or two letters: ${onPaper}`,
}

/** HMRC's Unique Taxpayer Reference: ten digits, with or without a K. The first is a check digit for the rest. */
export const utr: TextRule = {
  sentence: 'Ten digits, the first of them a check digit (HMRC).',
  bare: (text) => normalize(text).replace(/^K|K$/, ''),
  fits: passesModulus11,
  // HMRC's letters sometimes put three digits in front.
  meant: (number) => [asDigits(number), number.slice(3)],
  faults: [[/^\d{10}$/, 'the first digit does not fit the others: one of them is wrong']],
  otherwise: 'a UTR has ten digits',
}

/** The weighted sum of digits 2 to 10, modulo 11, gives the first digit. */
function passesModulus11(number: string): boolean {
  if (!/^\d{10}$/.test(number)) return false
  const weights = [6, 7, 8, 9, 10, 5, 4, 3, 2]
  const sum = weights.reduce((total, weight, index) => total + weight * Number(number[index + 1]), 0)
  return '21987654321'.charAt(sum % 11) === number[0]
}

/** HMRC's verification number for a subcontractor in the Construction Industry Scheme. */
export const cisVerification: TextRule = {
  sentence: 'V and ten digits, and a letter or two when unmatched (HMRC).',
  fits: (number) => /^V\d{10}[A-Z]{0,2}$/.test(number),
  meant: (number) => [number.slice(0, 1) + asDigits(number.slice(1, 11)) + number.slice(11)],
  otherwise:
    'a CIS verification number is a V and ten digits, with a letter or two where HMRC found no match',
}

/** The letter prefixes of Companies House. The list grows. */
const prefixes = new Set(
  (
    'AC BR CE CS EN ES FC GE GN GS IC IP LP NA NC NF NI NL NO NP NR NV NZ OC OE PC R0 RC RS ' +
    'SA SC SE SF SG SI SL SO SP SR SZ ZC'
  ).split(' '),
)

/** The number of a UK company. */
export const companyNumber: TextRule = {
  sentence:
    'Eight digits, or two letters and six digits (Companies House); up to seven digits in Ireland (CRO).',
  fits: (number) =>
    /^\d{8}$/.test(number) || (/^[A-Z][A-Z\d]\d{6}$/.test(number) && prefixes.has(number.slice(0, 2))),
  meant: (number) => [asDigits(number), number.slice(0, 2) + asDigits(number.slice(2))],
  otherwise: 'a UK company number is eight digits, or two letters of Companies House and six digits',
}

/** A UK or an Irish VAT registration number, with or without its country code. */
export const vatNumber: TextRule = {
  sentence: 'Nine digits for the UK, seven and one or two letters for Ireland, each with a check.',
  bare: (text) => normalize(text).replaceAll(/[-.]/g, ''),
  fits: (number) => passesUk(number) || passesIrish(number),
  meant: (number) => {
    const [, country = '', rest = ''] = /^(GB|XI|IE)?(.*)$/.exec(number) ?? []
    return [country + asDigits(rest), country + asDigits(rest.slice(0, 7)) + rest.slice(7)]
  },
  faults: [
    [
      (number) => ukVatNumber.test(number) || irish.test(number),
      'the check digits do not fit the others: a character is wrong',
    ],
  ],
  otherwise: 'a VAT number has nine digits in the UK, and seven digits with one or two letters in Ireland',
}

/** Nine digits, or twelve for a branch. */
const ukVatNumber = /^(?:GB|XI)?(\d{7})(\d\d)(?:\d{3})?$/
const irish = /^(?:IE)?(\d{7})([A-W])([A-IW]?)$/

/** The weighted sum with the two check digits is 0 modulo 97, or 42 in the newer series (HMRC's "9755"). */
function passesUk(number: string): boolean {
  const [, digits = '', check] = ukVatNumber.exec(number) ?? []
  if (!check) return false
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (8 - index), Number(check))
  return sum % 97 === 0 || (sum % 97 === 42 && Number(digits.slice(0, 3)) >= 100)
}

function passesIrish(number: string): boolean {
  const [, digits = '', letter, second] = irish.exec(number) ?? []
  return letter !== undefined && checkLetter(digits, second) === letter
}

/** The check letter of PPS and Irish VAT numbers: weights 8 to 2, then 9, modulo 23; 0 is W. */
export function checkLetter(sevenDigits: string, secondLetter = ''): string {
  const digits = [...sevenDigits].reduce((sum, digit, index) => sum + Number(digit) * (8 - index), 0)
  // A counts 1 … I counts 9. No letter, and the old letters T, W and X, count 0.
  const second = secondLetter === '' ? 0 : 'ABCDEFGHI'.indexOf(secondLetter) + 1
  return 'WABCDEFGHIJKLMNOPQRSTUV'.charAt((digits + 9 * second) % 23)
}
