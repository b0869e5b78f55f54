import { isNumber, sumOf } from '../../files/json/numbers.ts'
import { isObject, type Json } from '../../files/json/path.ts'
import { stringifyJson } from '../../files/json/stringify.ts'
import { lineInPence, numberIn } from '../../model/fields/amounts.ts'
import type { Field, Fields, HourLine } from '../../model/fields/field.ts'
import { isUuid } from '../../model/records/identity.ts'
import { dayOfTimestamp, isDay, spelledOut, timeIn, utcDay } from '../../text/day.ts'
import { safeText } from './safe-text.ts'

/** A value as a person reads it: dates spelled out, amounts of money with two decimals. */
export function fieldText(value: Json, field: Field | undefined, months?: MonthForm): string {
  const { line } = field ?? {}
  if (line && Array.isArray(value)) return value.map((each) => lineText(each, line)).join(', ')
  const text = toText(value)
  if (field?.money) return withPence(text)
  return (mayBeDate(field) && typeof value === 'string' && readableDate(text, months)) || text
}

/** `38 × STD at 21.30 = 809.40`: a line of hours, or of days: only the payment rate knows which, and it is not in the answer. */
function lineText(line: Json, hourLine: HourLine): string {
  if (!isObject(line)) return toText(line)
  const [rate, pay] = hourLine.by
  const { value } = lineSums([line], hourLine)
  const rateValue = line[rate]
  const name = isObject(rateValue) ? (rateValue.code ?? rateValue.name ?? rateValue.id) : rateValue
  const [units, of, payRate] = [line[hourLine.amount], name, line[pay]].map(toText)
  const words = [units, of && `× ${shortId(of)}`, payRate && `at ${withPence(payRate)}`].filter(Boolean)
  if (value !== null) words.push(`= ${withPence(String(value))}`)
  // Where the service calls these fields otherwise, the whole line is shown.
  return words.length > 0 ? words.join(' ') : toText(line)
}

/** The hours of lines, the pay rate if it is one, and what they come to; null where a line does not say it. */
export function lineSums(lines: readonly Json[], { by: [, pay], amount }: HourLine) {
  const numbersIn = (name: string) =>
    lines.map((line) => (isObject(line) ? numberIn(line[name]) : undefined) ?? Number.NaN)
  const [hours, rates] = [numbersIn(amount), numbersIn(pay)]
  const pence = hours.map((each, at) => lineInPence(each, rates[at] ?? Number.NaN))
  const sumIfKnown = (numbers: readonly number[]) => (numbers.some(Number.isNaN) ? null : sumOf(numbers))
  const value = sumIfKnown(pence)
  return {
    hours: sumIfKnown(hours),
    rate: new Set(rates).size === 1 ? sumIfKnown(rates.slice(0, 1)) : null,
    value: value === null ? null : value / 100,
  }
}

/** Enough letters of an id to tell it from the others, and to type it. */
export const shortIdLength = 8

const shortId = (text: string) => (isUuid(text) ? text.slice(0, shortIdLength) : text)

/** Whether a value is an amount, which stands at the right of its column. */
export function isAmount(value: Json, field: Field | undefined): boolean {
  if (isNumber(value)) return true
  const isDeclared =
    field?.money || field?.numeric || ['number', 'integer', 'decimal'].includes(field?.type ?? '')
  return isDeclared && typeof value === 'string' && numberIn(value) !== undefined
}

/** An amount with two decimals: 12 and 12.5 become 12.00 and 12.50. One with more stays as it is. */
function withPence(text: string): string {
  const [, whole, fraction = ''] = /^(-?\d+)(?:\.(\d{0,2}))?$/.exec(text) ?? []
  return whole === undefined ? text : `${whole}.${fraction.padEnd(2, '0')}`
}

type MonthForm = 'long' | 'short'

/** Whether a text in a field may be a date or a time: where nothing says what it holds, what it looks like decides. */
export const mayBeDate = (field: Field | undefined): boolean =>
  !field || field.type === 'unknown' || field.type === 'date' || field.type === 'timestamp'

/** 2 Mar 2026, or 2 Mar 2026 14:05 UTC; the month is a word, so that it cannot be taken for the day. */
function readableDate(text: string, form: MonthForm = 'short'): string | undefined {
  const day = dayOfTimestamp(text)
  const ms = timeIn(day)
  if (ms === undefined) return undefined
  const date = spelledOut(utcDay(ms)).replace(/[a-z]+/i, (month) =>
    form === 'short' ? month.slice(0, 3) : month,
  )
  const zone = /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? ' UTC' : ''
  return isDay(day) ? date : `${date} ${new Date(ms).toISOString().slice(11, 16)}${zone}`
}

/** A value as a person reads it, on one line. Empty for a missing value. */
export function toText(value: Json): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && !value.some(isObject)) return value.map(toText).join(', ')
  return safeText(isObject(value) || Array.isArray(value) ? stringifyJson(value) : String(value))
}

/** €44,000.00. More decimals stay, and so does what is not an amount. */
export function formatAmount(text: string, currency: string): string {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text) ?? []
  if (whole === undefined) return text
  return `${sign}${currency}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0')}`
}

const usualLabels: Readonly<Record<string, string>> = { id: 'ID', createdAt: 'Created', updatedAt: 'Updated' }

/** The label of a field, or its path where it is not declared. */
export function labelFor(path: string, field: Field | undefined): string {
  if (field) return field.label
  return Object.hasOwn(usualLabels, path) ? (usualLabels[path] ?? '') : safeText(path)
}

type TextOf = (value: Json, field: Field | undefined) => string

/** Objects and lists of them, by labels: `1: Rate number 1, Tax rate 20`. Undefined for any other value. */
export function readableItems(value: Json, field: Field | undefined, textOf: TextOf): string | undefined {
  const nestedText: TextOf = (inner, own) => readableItems(inner, own, textOf) ?? textOf(inner, own)
  if (Array.isArray(value) && value.some(isObject)) {
    const fields = field?.item?.fields ?? field?.item?.promptFields ?? {}
    return value
      .map((item, at) => `${at + 1}: ${isObject(item) ? itemFields(item, fields, nestedText) : toText(item)}`)
      .join('; ')
  }
  return isObject(value)
    ? itemFields(value, field?.fields ?? field?.promptFields ?? {}, nestedText)
    : undefined
}

function itemFields(item: object, fields: Fields, textOf: TextOf): string {
  return Object.entries(item)
    .filter(([, value]) => toText(value) !== '')
    .map(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      return `${field?.label ?? safeText(name)} ${textOf(value, field)}`
    })
    .join(', ')
}
