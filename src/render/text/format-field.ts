import { isNumber, plainNumber } from '../../files/json/numbers.ts'
import { isObject, type Json } from '../../files/json/path.ts'
import { stringifyJson } from '../../files/json/stringify.ts'
import type { Field, Fields, HourLine } from '../../model/fields/field.ts'
import { isUuid } from '../../model/records/identity.ts'
import { months } from '../../text/day.ts'
import { safeText } from './safe-text.ts'

/** A value as a person reads it: dates spelled out, amounts of money with two decimals. */
export function fieldText(value: Json, field: Field | undefined, months?: MonthForm): string {
  const { line } = field ?? {}
  if (line && Array.isArray(value)) return value.map((each) => lineText(each, line)).join(', ')
  const text = toText(value)
  if (field?.money) return withPence(text)
  const mayBeDate = !field || field.type === 'unknown' || field.type === 'date' || field.type === 'timestamp'
  return (mayBeDate && typeof value === 'string' && readableDate(text, months)) || text
}

/** `38 × STD at 21.30 = 809.40`: a line of hours, or of days: only the payment rate knows which, and it is not in the answer. */
function lineText(line: Json, hourLine: HourLine): string {
  if (!isObject(line)) return toText(line)
  const [
    {
      by: [rate, pay],
      amount,
    },
    value,
  ] = [hourLine, lineSums([line], hourLine).value]
  const named = line[rate]
  const name = isObject(named) ? (named.code ?? named.name ?? named.id) : named
  const [units, of, paid] = [line[amount], name, line[pay]].map(toText)
  const known = [units, of && `× ${shortId(of)}`, paid && `at ${withPence(paid)}`].filter(Boolean)
  if (value !== null) known.push(`= ${withPence(String(value))}`)
  // Where the service calls these fields otherwise, the whole line is shown.
  return known.length > 0 ? known.join(' ') : toText(line)
}

/** The hours of lines, the pay rate if it is one, and what they come to; null where a line does not say it. */
export function lineSums(lines: readonly Json[], { by: [, pay], amount }: HourLine) {
  const numbersIn = (name: string) =>
    lines.map((line) => Number((isObject(line) && toText(line[name])) || Number.NaN))
  const [hours, rates] = [numbersIn(amount), numbersIn(pay)]
  // Each line to the penny: as a double 0.5 × 16.15 × 100 is less than 807.5.
  const pence = hours.map((each, at) => Math.round(each * (rates[at] ?? Number.NaN) * 100 + 1e-6))
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
  const known = (number: number | undefined) => (number === undefined || Number.isNaN(number) ? null : number)
  return {
    hours: known(sum(hours)),
    rate: new Set(rates).size === 1 ? known(rates[0]) : null,
    value: known(sum(pence) / 100),
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
  return isDeclared && typeof value === 'string' && plainNumber.test(value)
}

/** An amount with two decimals: 12 and 12.5 become 12.00 and 12.50. One with more stays as it is. */
function withPence(text: string): string {
  const [, whole, fraction = ''] = /^(-?\d+)(?:\.(\d{0,2}))?$/.exec(text) ?? []
  return whole === undefined ? text : `${whole}.${fraction.padEnd(2, '0')}`
}

type MonthForm = 'long' | 'short'

const iso = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?Z)?$/

/**
 * 2 Mar 2026, or 2 Mar 2026 14:05 UTC; the month is a word, so that it cannot be taken for the day.
 * Midnight is how a day is sent as a time.
 */
function readableDate(text: string, form: MonthForm = 'short'): string | undefined {
  const [, year, month = '', day = '', time, rest = ''] = iso.exec(text) ?? []
  if (year === undefined) return undefined
  const name = months[Number(month) - 1] ?? ''
  const date = `${Number(day)} ${form === 'long' ? name : name.slice(0, 3)} ${year}`
  const isMidnight = time === '00:00' && /^[:.0]*$/.test(rest)
  return time === undefined || isMidnight ? date : `${date} ${time} UTC`
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
