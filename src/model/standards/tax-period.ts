import type { Issue } from '../../errors.ts'
import type { Json, JsonObject } from '../../files/json/path.ts'
import { dayAfter, dayMs, dayOfTimestamp, isDay, spelledOut, twoDigits } from '../../text/day.ts'
import { wordList } from '../../text/words.ts'
import { type Country, countries } from '../countries/countries.ts'
import { textAt } from './warning.ts'

export interface TaxPeriod {
  /** UK: from 6 April, `2026/27`; Ireland: the calendar year. */
  readonly taxYear: string
  /** Weeks have seven days. Week 53 is the rest of the year. */
  readonly week: number
  readonly month: number
}

/** The first day of a country's tax year: that of `day`, or one so many years before. */
export function taxYearBegins(
  { taxYearBegins: [month, first] }: Pick<Country, 'taxYearBegins'>,
  day: string,
  yearsBefore = 0,
): string {
  const begins = `${twoDigits(month)}-${twoDigits(first)}`
  return `${Number(day.slice(0, 4)) - (day.slice(5) < begins ? 1 : 0) - yearsBefore}-${begins}`
}

/** The tax period of a day. For pay, that is the day on which it is paid. */
export function taxPeriodOf(country: Pick<Country, 'taxYearBegins'>, date: string): TaxPeriod {
  const [month, first] = country.taxYearBegins
  const begins = taxYearBegins(country, date)
  const year = Number(begins.slice(0, 4))
  const isCalendar = month === 1 && first === 1
  const months = (Number(date.slice(0, 4)) - year) * 12 + Number(date.slice(5, 7)) - month
  return {
    taxYear: isCalendar ? String(year) : `${year}/${twoDigits((year + 1) % 100)}`,
    week: Math.floor((Date.parse(date) - Date.parse(begins)) / (7 * dayMs)) + 1,
    month: months + (Number(date.slice(8, 10)) < first ? 0 : 1),
  }
}

/** Weeks 54 and 56 are those of a fortnight or four weeks at the end of a year. */
const weeks: ReadonlySet<number> = new Set([...Array.from({ length: 53 }, (_, at) => at + 1), 54, 56])

/** Numbers that exist, and how far off is doubtful: a week or two in arrears is usual, and at the turn of a year the last are near. */
export const periodUnits = {
  week: {
    title: 'Week',
    example: 8,
    exists: (week: number) => weeks.has(week),
    isFar: (off: number, atOnce: number) => off > Math.max(2, atOnce) && off < 50,
  },
  month: {
    title: 'Month',
    example: 2,
    exists: (month: number) => month >= 1 && month <= 12,
    isFar: (off: number) => off > 1 && off < 11,
  },
} as const

type PeriodUnit = keyof typeof periodUnits

interface WrittenPeriod {
  /** Undefined where the number stands alone. */
  readonly unit: PeriodUnit | undefined
  readonly number: number
}

/** `8`, `Week 8` or `M2` as a period; undefined for anything else, which the service may know. */
export function readTaxPeriod(value: Json): WrittenPeriod | undefined {
  const [, word = '', digits] =
    /^(?:tax\s*)?(w(?:ee)?k?|m(?:on)?th|m)?\.?\s*(?:no\.?\s*)?(\d{1,2})$/i.exec(String(value).trim()) ?? []
  if (digits === undefined) return undefined
  return { unit: word === '' ? undefined : /^m/i.test(word) ? 'month' : 'week', number: Number(digits) }
}

/** Says that there is no such period; undefined for one that exists. */
export const noSuchPeriod = (unit: PeriodUnit, number: number): string | undefined =>
  periodUnits[unit].exists(number) ? undefined : `there is no tax ${unit} ${number}`

/** A tax year as it was written, `2026/27`, `26-27` or `2026`, in the form of a country; undefined for anything else. */
export function taxYearAs(text: string, { taxYear }: TaxPeriod): string | undefined {
  const [, first, second] = /^(?:20)?(\d\d)(?:\s*[/-]\s*(?:20)?(\d\d))?$/.exec(text) ?? []
  if (first === undefined) return undefined
  if (second !== undefined) return `20${first}/${second}`
  const isOwn = [taxYear.slice(2, 4), ...(taxYear.includes('/') ? [taxYear.slice(-2)] : [])].includes(first)
  return isOwn ? taxYear : `20${first}`
}

/** assumed: work is paid within so many days, or within so many of today. */
const [paidWithin, paidSoon] = [28, 14]

/** The days on which work may be paid, a week apart: of late work any until now. */
function daysOfPay(last: string, today: string): readonly string[] {
  const [soon, late] = [dayAfter(last, paidWithin), dayAfter(today, paidSoon)]
  const days = (Date.parse(soon > late ? soon : late) - Date.parse(last)) / dayMs
  return Array.from({ length: 1 + Math.floor(days / 7) }, (_, at) => dayAfter(last, 7 * at))
}

/** Doubts about a tax year and period in which the work of a timesheet is paid in no country. */
export function taxPeriodDoubts(sheet: JsonObject, today: string): Issue[] {
  const { unit, number } = readTaxPeriod(sheet.taxPeriodConfig ?? null) ?? {}
  // A number alone may be the id of a period.
  const none = unit === undefined || number === undefined ? undefined : noSuchPeriod(unit, number)
  if (none !== undefined) return [{ path: 'taxPeriodConfig', message: none }]
  const last = dayOfTimestamp(textAt(sheet, 'endDate'))
  if (!isDay(last)) return []
  const year = String(sheet.taxYear ?? '').trim()
  if (year === '' && unit === undefined) return []
  const first = dayOfTimestamp(textAt(sheet, 'startDate'))
  // Before Christmas a week is paid that has not ended.
  const early = isDay(first) && first < last ? [first] : []
  const possible = [...daysOfPay(last, today), ...early].flatMap((day) =>
    countries.map((country) => ({ country, ...taxPeriodOf(country, day) })),
  )
  const dayOfPay = `${spelledOut(last)}, the last day`
  const fitting = possible.filter((own) => (taxYearAs(year, own) ?? own.taxYear) === own.taxYear)
  const [nearest] = fitting
  if (!nearest) {
    const own = countries.map((country) => `${taxPeriodOf(country, last).taxYear} ${country.inPlace}`)
    const message = `${year} is not the tax year of ${dayOfPay}: that is ${wordList(own, 'and')}`
    return [{ path: 'taxYear', message }]
  }
  if (unit === undefined || number === undefined) return []
  // Pay of four weeks has the number of the last one.
  if (fitting.some((own) => !periodUnits[unit].isFar(Math.abs(number - own[unit]), 4))) return []
  const message = `${unit} ${number} is far from tax ${unit} ${nearest[unit]}, which has ${dayOfPay}`
  return [{ path: 'taxPeriodConfig', message }]
}
