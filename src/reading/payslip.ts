import type { JsonObject } from '../files/json/path.ts'
import { type Country, countries } from '../model/countries/countries.ts'
import { type ItemPerson, personOn } from '../model/whose.ts'
import { months } from '../text/day.ts'
import { textIn } from './values.ts'

/** What a payslip says of its person and period. Texts are empty where it does not say. */
export interface PayslipOf extends ItemPerson {
  /** `2026/27` */
  readonly taxYear: string
  /** `NaN` where the payslip has no number. */
  readonly period: number
  readonly unit: 'week' | 'month' | ''
}

/** assumed: the fields seen for this kind of service, in both forms of the list. */
export function payslipOf(item: JsonObject): PayslipOf {
  return {
    ...personOn(item),
    taxYear: textIn(item.taxYear),
    ...periodIn(textIn(item.taxPeriod) || textIn(item.period)),
  }
}

/** A year with one payday more has a week 56 for people who are paid every four weeks. */
export const lastPeriod = 56

/** The unit of the tax periods of somebody who is paid so often. */
export const unitOfPay = (frequency: string): 'week' | 'month' =>
  /month|quarter|annual/i.test(frequency) ? 'month' : 'week'

/** `34`, `Week 34`, `2026-W34` or `34/2026`. A day is no period: `21/11/2026` or `1 May 2026`. */
function periodIn(text: string): Pick<PayslipOf, 'period' | 'unit'> {
  if (namedDay.test(text)) return { period: Number.NaN, unit: '' }
  const [, word = '', named] =
    /\b(w(?:ee)?k?|m(?:on)?(?:th)?)\.?\s*(?:no\.?\s*)?(\d{1,2})(?!\d)/i.exec(text) ?? []
  // A program may write a number as 34.0.
  const [short, another] = text.replace(/\.0$/, '').match(/(?<!\d)\d{1,2}(?!\d)/g) ?? []
  const period = Number(named ?? (another === undefined ? short : undefined))
  return {
    period: period >= 1 && period <= lastPeriod ? period : Number.NaN,
    unit: /^m/i.test(word) ? 'month' : word === '' ? '' : 'week',
  }
}

const namedDay = new RegExp(
  `\\d\\s*(?:st|nd|rd|th)?[\\s-]+(?:${months.map((name) => name.slice(0, 3)).join('|')})`,
  'i',
)

/** The first number in a text, such as 2026 in `2026/27`; `NaN` without one. */
export const firstNumberIn = (text: string): number => Number(/\d+/.exec(text)?.[0])

/** assumed: a tax year of the UK has two years in its name, `2026/27`, and one of Ireland has one. */
export const isBritishYear = (year: string): boolean => /\D/.test(year)

/** The country whose tax years are written so: 2026/27 begins in April, and 2026 in January. */
export const countryOfYear = (year: string): Country | undefined =>
  countries.find(({ taxYearBegins: [month] }) => (month === 1) !== isBritishYear(year))
