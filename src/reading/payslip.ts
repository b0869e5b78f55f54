import type { JsonObject } from '../files/json/path.ts'
import { type Country, countries } from '../model/countries/countries.ts'
import { textIn } from './values.ts'

/** What a payslip says of its person and period. Texts are empty where it does not say. */
export interface PayslipOf {
  readonly name: string
  readonly reference: string
  /** `2026/27` */
  readonly taxYear: string
  /** `NaN` where the payslip has no number. */
  readonly period: number
  readonly unit: 'week' | 'month' | ''
}

/** assumed: the fields seen for this kind of service, in both forms of the list; some services show the reference. */
export function payslipOf(item: JsonObject): PayslipOf {
  const period = textIn(item.taxPeriod) || textIn(item.period)
  return {
    name: textIn(item.subcontractorName) || textIn(item.subcontractor),
    reference: textIn(item.subcontractorRef),
    taxYear: textIn(item.taxYear),
    period: firstNumberIn(period),
    unit: /^\s*m/i.test(period) ? 'month' : /^\s*w/i.test(period) ? 'week' : '',
  }
}

/** The first number in a text, such as 2026 in `2026/27`; `NaN` without one. */
export const firstNumberIn = (text: string): number => Number(/\d+/.exec(text)?.[0])

/** assumed: a tax year of the UK has two years in its name, `2026/27`, and one of Ireland has one. */
export const isBritishYear = (year: string): boolean => /\D/.test(year)

/** The country whose tax years are written so: 2026/27 begins in April, and 2026 in January. */
export const countryOfYear = (year: string): Country | undefined =>
  countries.find(({ taxYearBegins: [month] }) => (month === 1) !== isBritishYear(year))
