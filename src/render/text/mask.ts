import { hasNoValue, isObject, type Json, type JsonObject, lastName } from '../../files/json/path.ts'
import type { Fields } from '../../model/fields/field.ts'
import { isSensitive } from '../../model/resources/sensitive.ts'
import { dateFormats } from '../../model/values/date-formats.ts'
import { maskAs } from '../../secrets.ts'

/** A value that is masked already, which may be masked again on its way: a query selects before a table is drawn. */
const masked = /^\*{6}[\p{L}\p{N}]{0,3}$/u

/** The mask of a sensitive value; what looks like a date is hidden as one, whichever field it stands in. */
export function mask(value: Json): string {
  const text = String(value)
  if (masked.test(text)) return text
  const isDate =
    /^\d{1,4}[-–/. ]\d{1,2}[-–/. ]\d{1,4}(\D|$)/.test(text) ||
    dateFormats.some(({ pattern }) => pattern.test(text.trim()))
  return maskAs(isDate ? 'date' : 'value', text)
}

/**
 * A copy of a value with every sensitive field in it masked, however deep: by its name, by its declaration in
 * `fields`, or in a change, `{path, from, to}`, by its path.
 */
export function maskFields(value: Json, fields: Fields = {}): Json {
  if (Array.isArray(value)) return value.map((each) => maskFields(each, fields))
  if (!isObject(value)) return value
  const isHiddenChange = typeof value.path === 'string' && isSensitive(lastName(value.path))
  const entries = Object.entries(value).map(([name, inner]) => {
    const isDeclared = Object.hasOwn(fields, name) && fields[name]?.sensitive
    const isHidden = isDeclared || isSensitive(name) || (isHiddenChange && (name === 'from' || name === 'to'))
    return [name, isHidden ? maskAll(inner) : maskFields(inner)]
  })
  return Object.fromEntries(entries)
}

function maskAll(value: Json): Json {
  if (Array.isArray(value)) return value.map(maskAll)
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskAll(inner)]))
  return hasNoValue(value) || typeof value === 'boolean' ? value : mask(value)
}

/** Whether what was selected from a masked value is what the value itself gives, but for the masks: none was compared. */
export function differsByMasksOnly(display: Json, real: Json): boolean {
  if (!isNested(display) || !isNested(real))
    return String(display) === String(real) || /\*{6}/.test(String(display))
  const [entries, realEntries] = [Object.entries(display), Object.entries(real)]
  const isSame = (at: number, name: string, inner: Json) => {
    const [otherName, other] = realEntries[at] ?? []
    return name === otherName && differsByMasksOnly(inner, other)
  }
  return (
    entries.length === realEntries.length && entries.every(([name, inner], at) => isSame(at, name, inner))
  )
}

const isNested = (value: Json): value is JsonObject | Json[] => Array.isArray(value) || isObject(value)

/** A shorter value, in letters and digits, is too common to be looked for. */
const shortest = 4

/** A shorter value is looked for as a word of its own only: 4001 may be a part of another number. */
const distinct = 6

/** More characters than any sensitive field has. Of a longer value only these are looked for. */
const longestMask = 64

/**
 * Masks in a text the sensitive values of its record, however they are spaced and capitalised; dates in the
 * usual orders, and what is left of a value where the text was cut and ends in "…".
 */
export function maskValuesIn(record: Json): (text: string) => string {
  const values = [...new Set(sensitiveValues(record))]
  // The longest first: an IBAN holds the number of its account.
  values.sort((one, other) => other.length - one.length)
  const patterns = values.flatMap((value) =>
    spellings(value).map((spelling) => ({ pattern: patternOf(spelling), hidden: mask(value) })),
  )
  return (text) =>
    patterns.reduce((result, { pattern, hidden }) => result.replace(pattern, () => hidden), text)
}

function sensitiveValues(value: Json, isOne = false): string[] {
  if (Array.isArray(value)) return value.flatMap((inner) => sensitiveValues(inner, isOne))
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, inner]) =>
      sensitiveValues(inner, isOne || isSensitive(name)),
    )
  }
  return isOne && value !== null && typeof value !== 'boolean' ? [String(value)] : []
}

function spellings(value: string): string[][] {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?!\d)/.exec(value) ?? []
  if (year && month && day) {
    const [m, d] = [month.replace(/^0/, '0?'), day.replace(/^0/, '0?')]
    return [
      [year, m, d],
      [d, m, year],
      [m, d, year],
    ]
  }
  const characters = value.match(/[\p{L}\p{N}]/gu) ?? []
  return characters.length < shortest ? [] : [characters.slice(0, longestMask)]
}

function patternOf(parts: readonly string[]): RegExp {
  const whole = parts.join('[\\s./_-]?')
  const isShort = parts.length >= shortest && parts.length < distinct
  if (parts.length < shortest) return new RegExp(`(?<!\\d)${whole}(?!\\d)`, 'gu')
  if (isShort) return new RegExp(`(?<![\\p{L}\\p{N}])${whole}(?![\\p{L}\\p{N}])`, 'giu')
  return new RegExp(`${whole}|${beginningOf(parts)}…$`, 'giu')
}

/** A pattern for at least `shortest` characters: fewer do not give a value away. */
function beginningOf(parts: readonly string[]): string {
  const [first, rest] = [parts.slice(0, shortest), parts.slice(shortest)]
  return first.join('[\\s./_-]?') + rest.reduceRight((inner, part) => `(?:[\\s./_-]?${part}${inner})?`, '')
}
