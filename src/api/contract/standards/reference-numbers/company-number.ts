import { asDigits, normalize, type Warning } from '../warning.ts'

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
  if (/^\d{7}$/.test(number))
    return { message: 'seven digits: a leading zero may be lost', suggestion: `0${number}` }
  const meant = [asDigits(number), number.slice(0, 2) + asDigits(number.slice(2))].find(
    (other) => /^\d{8}$/.test(other) || (/^[A-Z]{2}\d{6}$/.test(other) && prefixes.has(other.slice(0, 2))),
  )
  return {
    message: 'a UK company number is eight digits, or two letters and six digits',
    ...(meant && { suggestion: meant }),
  }
}
