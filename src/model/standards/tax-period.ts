import type { Issue } from '../../errors.ts'
import type { Json, JsonObject } from '../../files/json/path.ts'
import { onceForText } from '../../once.ts'
import { dayAfter, dayMs, dayOfTimestamp, isDay, spelledOut, twoDigits } from '../../text/day.ts'
import { wordList } from '../../text/words.ts'
import { type Country, countries } from '../countries/countries.ts'
import { textAt } from './warning.ts'

interface TaxPeriod {
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
    taxYear: nameOfYear(year, !isCalendar),
    week: Math.floor((Date.parse(date) - Date.parse(begins)) / (7 * dayMs)) + 1,
    month: months + (Number(date.slice(8, 10)) < first ? 0 : 1),
  }
}

/** `2026/27`, or `2026`. */
const nameOfYear = (first: number, isOfTwo: boolean) =>
  isOfTwo ? `${first}/${twoDigits((first + 1) % 100)}` : String(first)

/** Weeks 54 and 56 are those of a fortnight or four weeks at the end of a year. */
const weeks: ReadonlySet<number> = new Set([...Array.from({ length: 53 }, (_, at) => at + 1), 54, 56])

/** Numbers that exist, how many a year has, and how far off is no doubt yet: a week or two in arrears is usual. */
export const periodUnits = {
  week: { title: 'Week', example: 8, exists: (week: number) => weeks.has(week), inYear: 52, usual: 2 },
  month: {
    title: 'Month',
    example: 2,
    exists: (month: number) => month >= 1 && month <= 12,
    inYear: 12,
    usual: 1,
  },
} as const

type PeriodUnit = keyof typeof periodUnits

interface KnownPeriod {
  readonly unit: PeriodUnit
  readonly number: number
}

/** The unit is undefined where the number stands alone. */
type WrittenPeriod = Pick<KnownPeriod, 'number'> & { readonly unit: PeriodUnit | undefined }

/**
 * Whether a period of a tax year is near that of a day of pay: at the turn of a year, the last of one and the first of the
 * next are. `atOnce`: the weeks that are paid at once.
 */
export function isNear(
  own: TaxPeriod,
  { unit, number }: KnownPeriod,
  taxYear: string,
  atOnce: number,
): boolean {
  const { inYear, usual } = periodUnits[unit]
  const between = (firstOf(taxYear) - firstOf(own.taxYear)) * inYear + number - own[unit]
  return Math.abs(between) <= (unit === 'week' ? Math.max(usual, atOnce) : usual)
}

const firstOf = (taxYear: string) => Number(taxYear.slice(0, 4))

/** A tax year, the one before and the one after. */
export const yearsAround = ({ taxYear }: TaxPeriod): readonly string[] =>
  [0, -1, 1].map((years) => nameOfYear(firstOf(taxYear) + years, taxYear.includes('/')))

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
export function taxYearAs(text: string, { taxYear }: Pick<TaxPeriod, 'taxYear'>): string | undefined {
  const [, first, second] = /^(?:20)?(\d\d)(?:\s*[/-]\s*(?:20)?(\d\d))?$/.exec(text) ?? []
  if (first === undefined) return undefined
  if (second !== undefined) return `20${first}/${second}`
  const isOwn = [taxYear.slice(2, 4), ...(taxYear.includes('/') ? [taxYear.slice(-2)] : [])].includes(first)
  return isOwn ? taxYear : `20${first}`
}

/** Whether two texts are two tax years for certain, and not one that is written otherwise: `2026-27`, `2026`. */
export function areTwoYears(one: string, other: string): boolean {
  const [own, same] = [one, other].map(plainTaxYear)
  return own !== undefined && same !== undefined && firstOf(own) !== firstOf(same)
}

/** A tax year in one spelling: 2026/27 of 2026-27 and 26/27. 2026 is another one, which is Irish; undefined for anything else. */
export function plainTaxYear(text: string): string | undefined {
  const year = taxYearAs(text.trim(), { taxYear: text.trim() })
  const second = year?.slice(5)
  return !second || Number(second) === (Number(year?.slice(2, 4)) + 1) % 100 ? year : undefined
}

/** Whether a service shows a tax year by the year in which it begins, or a period without its unit: 2026 of 2026/27, 35 of Week 35. */
export function isShortFor(sent: string, shown: string): boolean {
  const [period, short] = [readTaxPeriod(sent), readTaxPeriod(shown)]
  if (period) return period.unit !== undefined && short?.unit === undefined && short?.number === period.number
  return plainTaxYear(sent)?.split('/')[0] === shown.trim()
}

/** assumed: work is paid within so many days, or within so many of today. */
const [paidWithin, paidSoon] = [28, 14]

/** The days on which work may be paid, a week apart: of late work any until now. */
function daysOfPay(last: string, today: string): readonly string[] {
  const [soon, late] = [dayAfter(last, paidWithin), dayAfter(today, paidSoon)]
  const days = (Date.parse(soon > late ? soon : late) - Date.parse(last)) / dayMs
  return Array.from({ length: 1 + Math.floor(days / 7) }, (_, at) => dayAfter(last, 7 * at))
}

/** The tax periods in which work may be paid, in any country, of `first last today`. Kept, because many timesheets share their days. */
const periodsOfPay = onceForText((days) => {
  const [first = '', last = '', today = ''] = days.split(' ')
  // Before Christmas a week is paid that has not ended.
  const early = isDay(first) && first < last ? [first] : []
  return [...daysOfPay(last, today), ...early].flatMap((day) =>
    countries.map((country) => ({ day, country, ...taxPeriodOf(country, day) })),
  )
})

/** `week 3 of 2026/27 is far from tax week 33, which has the pay date 27 November 2026`; without a year that was not written. */
export const farFrom = (
  own: TaxPeriod,
  { unit, number }: KnownPeriod,
  taxYear: string,
  dayOfPay: string,
): string =>
  `${unit} ${number}${taxYear && ` of ${taxYear}`} is far from tax ${unit} ${own[unit]}, which has ${dayOfPay}`

/** Doubts about a tax year and period in which the work of a timesheet is paid in none of the countries that may be its person's. */
export function taxPeriodDoubts(
  sheet: JsonObject,
  today: string,
  among: readonly Country[] = countries,
): Issue[] {
  const { unit, number } = readTaxPeriod(sheet.taxPeriodConfig ?? null) ?? {}
  // A number alone may be the id of a period.
  const none = unit === undefined || number === undefined ? undefined : noSuchPeriod(unit, number)
  if (none !== undefined) return [{ path: 'taxPeriodConfig', message: none }]
  const last = dayOfTimestamp(textAt(sheet, 'endDate'))
  if (!isDay(last)) return []
  const year = String(sheet.taxYear ?? '').trim()
  if (year === '' && unit === undefined) return []
  const first = dayOfTimestamp(textAt(sheet, 'startDate'))
  const fitting = periodsOfPay(`${first} ${last} ${today}`).filter(
    (own) => among.includes(own.country) && (taxYearAs(year, own) ?? own.taxYear) === own.taxYear,
  )
  const nearest = fitting.find((own) => own.taxYear === year) ?? fitting[0]
  if (!nearest) {
    const own = among.map((country) => `${taxPeriodOf(country, last).taxYear} ${country.inPlace}`)
    const message = `${year} is not the tax year of ${spelledOut(last)}, the last day: that is ${wordList(own, 'and')}`
    return [{ path: 'taxYear', message }]
  }
  if (unit === undefined || number === undefined) return []
  // Pay of four weeks has the number of the last one.
  if (fitting.some((own) => isNear(own, { unit, number }, own.taxYear, 4))) return []
  const dayOfPay = `${spelledOut(nearest.day)}${nearest.day === last ? ', the last day' : ''}`
  const message = farFrom(nearest, { unit, number }, year && nearest.taxYear, dayOfPay)
  return [{ path: 'taxPeriodConfig', message }]
}
