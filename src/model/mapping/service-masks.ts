import { isDeepStrictEqual } from 'node:util'
import { isNumber } from '../../files/json/numbers.ts'
import { formatPath, isIndex, isObject, type Json } from '../../files/json/path.ts'
import type { Fields, Standard } from '../fields/field.ts'
import { fieldAt } from '../fields/field-tree.ts'
import type { RecordType } from '../records/record-type.ts'
import { isSensitive } from '../resources/sensitive.ts'

/** The paths of the fields whose value is a mask, in a record under the names of its request. */
export function maskedFields({ fields }: Pick<RecordType, 'fields'>, record: Json): string[] {
  return within(record, [])

  function within(value: Json, above: readonly string[]): string[] {
    const path = formatPath(above)
    if (finderAt(fields, above)(value)) return [path]
    if (!isObject(value) && !Array.isArray(value)) return []
    return Object.entries(value).flatMap(([inner, each]) => within(each, [...above, inner]))
  }
}

/** The digits that a mask leaves at its end: `****2345`. */
const shownEnd = /(?:[*•●∙·█▪■#…×]|x)[\s-]*(\d{1,6})$/iu

/** Whether a shown value is a mask that may stand for this one: it ends in the same digits, and is another. */
export function mayHide(
  { fields }: Pick<RecordType, 'fields'>,
  path: string,
  display: Json,
  value: Json,
): boolean {
  if (isDeepStrictEqual(display, value) || !finderAt(fields, path.split('.'))(display)) return false
  const [, end = ''] = (typeof display === 'string' && shownEnd.exec(display.trim())) || []
  return typeof value !== 'string' || value.replaceAll(/\D/g, '').endsWith(end)
}

const finderAt = (fields: Fields, segments: readonly string[]) =>
  maskFinder(
    segments.findLast((segment) => !isIndex(segment)) ?? '',
    fieldAt(fields, formatPath(segments))?.standard,
  )

/** Whether a service hides the value of a field, by its name and its standard: `****2345`, `AB12…`, `HIDDEN`, `00000000`. */
export function maskFinder(name: string, standard?: Standard) {
  const hides = isSensitive(name)
  const isContact = standard === 'email' || standard === 'phone'
  return (value: Json): boolean => {
    if (typeof value === 'boolean') return hides
    const isNumeric = isNumber(value)
    // An account number is neither a list nor an object: `{"masked": true}`.
    if (hides && standard && value !== null && typeof value === 'object' && !isNumeric) return true
    const text = typeof value === 'string' ? value.trim() : isNumeric && hides ? String(value) : ''
    if (text === '') return false
    if (hides) return covering.test(text) || isNoRealValue(text, standard)
    if (isContact) return covering.test(text) || maskWord.test(text)
    return sign.test(text) && (coveredWhole.test(text) || bracketedWord.test(text) || hasCoveredWords(text))
  }
}

/** Characters that cover digits. A single x may be a letter, and a single dot or line a separator. */
const covering = /[*•●∙·█▪■#…?×]|[._]{2,}|-{3,}|x{3,}/iu

/** A sign that every mask has in a field of any text: most texts have none, and are looked at once. */
const sign = /[*•●∙█▪■#[(<{]/u

/** A text of three or more such signs and nothing else. */
const coveredWhole = /^(\s*[*•●∙█▪■#]){3,}\s*$/u

/** A word of which a letter or a few still show: `N**`, `Sa****e`. */
const coveredWord = /^\p{L}{0,3}[*•●∙█▪■#]{2,}\p{L}{0,3}$/u

/** A name of which every word is covered, or is an initial: `A. N**`. */
function hasCoveredWords(text: string): boolean {
  const parts = text.split(/[\s'’-]+/)
  return (
    parts.some((part) => coveredWord.test(part)) &&
    parts.every((part) => coveredWord.test(part) || /^\p{L}?\.?$/u.test(part))
  )
}

const maskWords =
  'hidden|masked|redacted|removed|withheld|protected|restricted|confidential|encrypted|private|secret'
const maskWord = new RegExp(`^\\W*(${maskWords})\\W*$`, 'i')
/** Whether a text says that there is no number, such as `TBC` or `00000000`, and covers none. */
export const standsForNone = (text: string): boolean =>
  text !== '' && !/[1-9]/.test(text) && !covering.test(text) && !maskWord.test(text)

const bracketedWord = new RegExp(`^[[(<{]+\\s*(${maskWords})\\s*[\\])>}]+$`, 'i')

/** The fewest digits of a real value without its leading zeros. Fewer are the visible end of one. */
const fewestDigits: Partial<Readonly<Record<Standard, number>>> = {
  'account-number': 5,
  'sort-code': 5,
  nino: 6,
  ppsn: 6,
  iban: 8,
  'birth-date': 5,
  utr: 9,
}

/** Whether a text cannot be a real sensitive value: all of those have digits, and not only zeros. */
function isNoRealValue(text: string, standard: Standard | undefined): boolean {
  const digits = text.replaceAll(/\D/g, '')
  if (!/[1-9]/.test(text) || digits.length < ((standard && fewestDigits[standard]) ?? 0)) return true
  if (standard === 'account-number' || standard === 'sort-code') return /x/i.test(text)
  // Databases write such dates for none. No worker was born in these years.
  return standard === 'birth-date' && /^(0\d{3}|1900)-/.test(text)
}
