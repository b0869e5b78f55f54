import type { Context } from '../../context/context.ts'
import { hasNoValue, type Json, type JsonObject } from '../../files/json/path.ts'
import type { Country } from '../../model/countries/countries.ts'
import { spelledOut } from '../../model/values/read-date.ts'
import type { Options } from '../cli/options.ts'
import { readDay, weekdays } from './read-day.ts'

const day = 86_400_000

interface TaxPeriod {
  /** UK: from 6 April, `2026/27`; Ireland: the calendar year. */
  readonly taxYear: string
  /** Weeks have seven days, and week 53 is what is left. */
  readonly week: number
  readonly month: number
}

/** The tax period in which a day is: of pay, the day on which it is paid. */
export function taxPeriodOf(
  { taxYearBegins: [month, first] }: Pick<Country, 'taxYearBegins'>,
  date: string,
): TaxPeriod {
  const begins = (year: number) => Date.UTC(year, month - 1, first)
  const [at, calendar] = [Date.parse(date), Number(date.slice(0, 4))]
  const year = at < begins(calendar) ? calendar - 1 : calendar
  const isCalendar = month === 1 && first === 1
  const months = (calendar - year) * 12 + Number(date.slice(5, 7)) - month
  return {
    taxYear: isCalendar ? String(year) : `${year}/${String((year + 1) % 100).padStart(2, '0')}`,
    week: Math.floor((at - begins(year)) / (7 * day)) + 1,
    month: months + (Number(date.slice(8, 10)) < first ? 0 : 1),
  }
}

/** When a week is paid: on a day, or on the weekday that follows its last day. */
export interface PayDay {
  /** YYYY-MM-DD */
  readonly date?: string | undefined
  readonly weekday?: (typeof weekdays)[number] | undefined
}

/** When a week is paid: as an option or the profile says. Throws a usage failure for what is no day. */
export async function payDayOf(context: Context, { payDate }: Pick<Options, 'payDate'>): Promise<PayDay> {
  if (payDate !== undefined) return { date: await readDay(context, '--pay-date', payDate) }
  const { name } = await context.profile()
  const { payDay } = (await context.settings()).profiles[name] ?? {}
  return { weekday: weekdays.find((each) => each === payDay) }
}

/** The day on which a week is paid; undefined where nobody said it. `last`: its last day, YYYY-MM-DD. */
export function payDateOf({ date, weekday }: PayDay, last: string): string | undefined {
  if (date !== undefined || weekday === undefined) return date
  const ahead = (weekdays.indexOf(weekday) - new Date(last).getUTCDay() + 6) % 7
  return new Date(Date.parse(last) + (ahead + 1) * day).toISOString().slice(0, 10)
}

interface PeriodOf {
  readonly country: Country
  readonly isMonthly: boolean
  readonly payDay: PayDay
  /** The last day that was worked, YYYY-MM-DD. */
  readonly last: string
}

/** The tax periods that exist: weeks 54 and 56 are those of a fortnight or four weeks at the end of a year. */
const weeks: ReadonlySet<number> = new Set([...Array.from({ length: 53 }, (_, at) => at + 1), 54, 56])

type Says = Readonly<Record<'wrong' | 'doubt', (path: string, message: string) => void>>

/** A week or two in arrears is usual. */
const mostWeeksOff = 2

/** Fills tax year and period by the day of pay, or holds what the sheet says against it. Returns what was filled. */
export function settlePeriod(
  record: JsonObject,
  { week, month }: { readonly week: Json; readonly month: Json },
  of: PeriodOf | undefined,
  found: Says,
): string | undefined {
  const { wrong, doubt } = found
  const paid = of && (payDateOf(of.payDay, of.last) ?? of.last)
  const own = of && paid !== undefined ? taxPeriodOf(of.country, paid) : undefined
  const dayOfPay = of ? dayNamed(of, paid) : ''
  const written =
    numberIn(week, 'taxWeek', 'week') ??
    numberIn(month, 'taxMonth', 'month') ??
    numberIn(record.taxPeriodConfig, 'taxPeriodConfig', of?.isMonthly ? 'month' : 'week')
  if (written) record.taxPeriodConfig = `${written.unit === 'week' ? 'Week' : 'Month'} ${written.number}`
  if (written && own) {
    const { unit, number, path } = written
    const off = Math.abs(number - own[unit])
    // At the turn of a year the last weeks of the old one are near.
    const isFar = unit === 'week' ? off > mostWeeksOff && off < 50 : off > 1 && off < 11
    if (isFar) doubt(path, `${unit} ${number} is far from tax ${unit} ${own[unit]}, which has ${dayOfPay}`)
  }
  if (own) readYear(record, own, dayOfPay, found)
  else if (!hasNoValue(record.taxYear)) record.taxYear = String(record.taxYear).trim()
  if (!own || written || !hasNoValue(record.taxPeriodConfig)) return undefined
  const unit = of?.isMonthly ? 'month' : 'week'
  record.taxPeriodConfig = `${unit === 'week' ? 'Week' : 'Month'} ${own[unit]}`
  return `${String(record.taxYear)} ${record.taxPeriodConfig}`

  function numberIn(value: Json, path: string, otherwise: 'week' | 'month') {
    if (hasNoValue(value)) return undefined
    const text = String(value).trim()
    const [, word = '', digits] =
      /^(?:tax\s*)?(w(?:ee)?k?|m(?:on)?th|m)?\.?\s*(?:no\.?\s*)?(\d{1,2})$/i.exec(text) ?? []
    if (digits === undefined) {
      // The tax period may be something else that the service knows.
      if (path !== 'taxPeriodConfig') wrong(path, `expected a number, as ${otherwise === 'week' ? 8 : 2}`)
      return undefined
    }
    const unit = word === '' ? otherwise : /^m/i.test(word) ? 'month' : 'week'
    const number = Number(digits)
    if (unit === 'week' ? !weeks.has(number) : number < 1 || number > 12) {
      wrong(path, unit === 'week' ? `there is no tax week ${number}` : `there is no tax month ${number}`)
      return undefined
    }
    return { unit, number, path } as const
  }
}

const dayNamed = (of: PeriodOf, paid: string | undefined) =>
  payDateOf(of.payDay, of.last) !== undefined
    ? `the pay date ${spelledOut(paid ?? '')}`
    : `${spelledOut(paid ?? '')}, the last day`

/** The tax year as text in one form; one that is not that of the dates is a doubt, and one that is none is wrong. */
function readYear(record: JsonObject, own: TaxPeriod, dayOfPay: string, { wrong, doubt }: Says): void {
  if (hasNoValue(record.taxYear)) {
    record.taxYear = own.taxYear
    return
  }
  const text = String(record.taxYear).trim()
  const [, first = '', second] = /^(?:20)?(\d\d)(?:\s*[/-]\s*(?:20)?(\d\d))?$/.exec(text) ?? []
  if (first === '') {
    wrong('taxYear', `expected a tax year, as ${own.taxYear}`)
    return
  }
  const isSpan = own.taxYear.includes('/')
  const isOwn = [own.taxYear.slice(2, 4), ...(isSpan ? [own.taxYear.slice(-2)] : [])].includes(first)
  record.taxYear = second !== undefined ? `20${first}/${second}` : isOwn ? own.taxYear : `20${first}`
  if (record.taxYear !== own.taxYear)
    doubt('taxYear', `${text} is not the tax year of ${dayOfPay}: that is ${own.taxYear}`)
}
