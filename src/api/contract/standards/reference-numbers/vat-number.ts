import { asDigits, lookAlike, normalize, type Warning } from '../warning.ts'
import { checkLetter } from './check-letter.ts'

/** A UK or an Irish VAT registration number, with or without its country code. */
export function vatNumber(value: string): Warning | undefined {
  const number = normalize(value).replaceAll(/[-.]/g, '')
  if (passes(number)) return undefined
  const [, country = '', rest = ''] = /^(GB|XI|IE)?(.*)$/.exec(number) ?? []
  const meant = [country + asDigits(rest), country + asDigits(rest.slice(0, 7)) + rest.slice(7)]
  const suggestion = meant.find(passes)
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

function passes(number: string): boolean {
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
