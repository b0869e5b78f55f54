/** A day, in milliseconds. */
export const dayMs = 86_400_000

const hourMs = 60 * 60 * 1000

/** Whether a text is a day: "Dates are `YYYY-MM-DD` strings unless a field is marked timestamp" (interface.md). */
export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

/** A day that every month has, as most days are. */
const everyMonth = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/

/** Whether a day exists: 29 February only in a leap year. */
export function isRealDay(text: string): boolean {
  if (everyMonth.test(text)) return true
  const [year = 0, month = 0, day = 0] = isDay(text) ? text.split('-').map(Number) : []
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

/** A day, and perhaps a time on it, as services write them. */
const dayAndTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/

/** The milliseconds since 1970 of a day, by its start, or of an ISO time; without a zone it is UTC, as the service sends it. */
export function timeIn(text: string): number | undefined {
  const [, day = '', time = '00:00', zone = 'Z'] = dayAndTime.exec(text) ?? []
  const ms = isRealDay(day) ? Date.parse(`${day}T${time}${zone}`) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

let london: Intl.DateTimeFormat | undefined

/** The day that a timestamp at midnight means, also 23:00Z in summer; else the text unchanged. */
export function dayOfTimestamp(text: string): string {
  const [, day = text, time, zone] = dayAndTime.exec(text) ?? []
  if (time === undefined || /^00:00(:00(\.0+)?)?$/.test(time)) return day
  const instant = zone === undefined ? undefined : timeIn(text)
  // The tables of `Intl`, which know the summers of old birthdays too, take 20 ms to load.
  if (instant === undefined || instant % hourMs !== 0) return text
  london ??= new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/London',
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const [localDay = '', localTime] = london.format(instant).split(' ')
  return localTime === '00:00:00' && isDay(localDay) ? localDay : text
}

/** A time in "ISO 8601 UTC with milliseconds" (interface.md), a day by its start; else the text unchanged. */
export function timestampOf(text: string): string {
  const time = timeIn(text)
  return time === undefined ? text : new Date(time).toISOString()
}

/** The day of a time in UTC, YYYY-MM-DD. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The day a number of days after another, or before it if the number is negative. */
export const dayAfter = (day: string, days: number): string => utcDay(Date.parse(day) + days * dayMs)

/** The day so many months after another; the last of its month where that is shorter. */
export function monthsAfter(day: string, months: number): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + months]
  const [inYear, inMonth] = [year + Math.floor(month / 12), (((month % 12) + 12) % 12) + 1]
  const date = Math.min(Number(day.slice(8, 10)), daysInMonth(inYear, inMonth))
  return [String(inYear).padStart(4, '0'), twoDigits(inMonth), twoDigits(date)].join('-')
}

/** The days of a month, 1 for January. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** The days of the week, as `weekdayOf` numbers them. */
export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const

/** The day of the week: 0 for Sunday. */
export const weekdayOf = (day: string): number => new Date(day).getUTCDay()

/** `07`. */
export const twoDigits = (number: number) => (number < 10 ? `0${number}` : `${number}`)

/** Days from the first to the last, both included. */
export interface Days {
  readonly first: string
  readonly last: string
}

/** Whether two spans of days have a day in common. */
export const overlap = (one: Days, other: Days): boolean => one.first <= other.last && other.first <= one.last

/** The names of the months. */
export const months =
  'January February March April May June July August September October November December'.split(' ')

/** A date with its month as a word, so that day and month cannot be confused: 4 November 1991. */
export function spelledOut(date: string): string {
  const [year = '', month = '', day = ''] = date.split('-')
  return `${Number(day)} ${months[Number(month) - 1] ?? ''} ${year}`
}

/** `from 4 May 2026 to 10 May 2026` */
export const fromTo = ({ first, last }: Days): string => `from ${spelledOut(first)} to ${spelledOut(last)}`

/** The days of a record: `week ending 31 May 2026`, `1 May 2026 to 31 May 2026`. Undefined where one is no day. */
export function daysInWords(first: string, last: string): string | undefined {
  if (!isDay(first) || !isDay(last)) return undefined
  const isWeek = Date.parse(last) - Date.parse(first) === 6 * dayMs
  return isWeek ? `week ending ${spelledOut(last)}` : `${spelledOut(first)} to ${spelledOut(last)}`
}

/**
 * The day of a time, YYYY-MM-DD, in London and Dublin, whose clocks agree all year. UTC would give the day
 * before for an hour of each summer night, and the clock of a computer abroad another day. Summer time is
 * worked out here, because the tables of `Intl` take 20 ms to load: it lasts from 1:00 UTC of the last Sunday
 * of March to that of October (Summer Time Order 2002; Standard Time (Amendment) Act 1971).
 */
export function dayAt(ms: number): string {
  const year = new Date(ms).getUTCFullYear()
  const isSummer = ms >= lastSunday(year, 'March') && ms < lastSunday(year, 'October')
  return utcDay(ms + (isSummer ? hourMs : 0))
}

/** 1:00 UTC of the last Sunday of a month of 31 days. */
function lastSunday(year: number, month: 'March' | 'October'): number {
  const last = Date.UTC(year, month === 'March' ? 2 : 9, 31, 1)
  return last - new Date(last).getUTCDay() * 24 * hourMs
}
