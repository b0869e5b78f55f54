import {
  dayAfter,
  dayOfTimestamp,
  daysInMonth,
  months,
  twoDigits,
  weekdayOf,
  weekdays,
} from '../../text/day.ts'
import { ageOn } from '../standards/plausible.ts'
import { type DateFormat, type DatePart, dateFormats } from './date-formats.ts'
import type { DateOrder } from './date-order.ts'

/** The reason why a text is not a value. */
export interface Unreadable {
  readonly flaw: string
  /** The date exists, but is not accepted. */
  readonly isRealDate?: true
}

/** A date as YYYY-MM-DD, or why the text is not one. The reason never repeats the date: it may be a birthday. */
type DateReading = ReadDate | Unreadable

/** A date that a text means, as YYYY-MM-DD. */
export interface ReadDate {
  readonly date: string
  /** The year was written with two digits. */
  readonly hasShortYear?: boolean
  /** Day and month could be swapped, and the order of the style decided. */
  readonly couldSwap?: boolean
}

/** How the dates of a text or a file are to be understood. */
export interface DateStyle {
  /** A date whose day and month could be swapped is refused without it. */
  readonly order?: DateOrder | undefined
  /** YYYY-MM-DD. It decides the century of a year of two digits. */
  readonly today: string
  readonly isBirth?: boolean
  /** Whether a word means a day: `yesterday`, `last sunday`. */
  readonly takesWords?: boolean
}

/** The style of what is typed now. The words of a file would mean another day tomorrow. */
export const typedDates = (today: string) => ({ today, order: 'dmy', takesWords: true }) as const

/** The time that spreadsheets and databases add to a date without one. */
export const midnightTime = /[T ](?:0?0:00(?::00(?:\.0+)?)?|12:00(?::00)? AM)(?:Z|\+00(?::?00)?)?$/i

/** No employee was born before this year. */
const earliestYear = 1900

/** Reads a date in one of `dateFormats`, or in a word. */
export function readDate(written: string, style: DateStyle): DateReading {
  const text = dayOfTimestamp(written.trim().replaceAll(/[‐-—]/g, '-')).replace(midnightTime, '')
  const ahead = style.takesWords ? daysAhead(text.toLowerCase(), style.today) : undefined
  if (ahead !== undefined) return { date: dayAfter(style.today, ahead) }
  if (/^\d{5}(\.\d+)?$/.test(text)) {
    return { flaw: 'this is the day number of a spreadsheet, not a date: format the column as dates' }
  }
  for (const { pattern, parts } of dateFormats) {
    const groups = pattern.exec(text)?.slice(1)
    if (groups) return readGroups(groups, parts, style)
  }
  const [hasNoYear, word] = withoutYear.exec(text) ?? []
  return hasNoYear && (word === undefined || findMonth(word)) ? { flaw: 'the year is missing' } : noDate
}

/** How many days ahead of today a word is. The last Sunday is never today. */
function daysAhead(words: string, today: string): number | undefined {
  const near = ['yesterday', 'today', 'tomorrow'].indexOf(words)
  if (near >= 0) return near - 1
  const weekday = weekdays.findIndex((each) => words === `last ${each}`)
  return weekday < 0 ? undefined : -((weekdayOf(today) - weekday + 7) % 7 || 7)
}

/** A day and a month alone: 1/12, 1 Dec, 1st December. */
const withoutYear = /^\d{1,2}(?:\s*[/.-]\s*\d{1,2}|(?:st|nd|rd|th)?[\s-]*([a-z]{3,9}))$/i

const noDate: Unreadable = { flaw: 'expected a date that exists, such as 4/11/2026 or 4 Nov 2026' }

function readGroups(groups: readonly string[], parts: DateFormat['parts'], style: DateStyle): DateReading {
  const part = (name: DatePart) => groups[parts.indexOf(name)] ?? ''
  const month = parts.includes('month name') ? findMonth(part('month name')) : Number(part('month'))
  const weekday = part('weekday').toLowerCase()
  const isWeekday = weekdays.some((each) => each.startsWith(weekday))
  if (month === undefined || !isWeekday) return noDate
  const at = parts.indexOf('day or month')
  const dated = (year: number) =>
    at < 0
      ? existingDate(year, month, Number(part('day')))
      : readInOrder(Number(groups[at]), Number(groups[at + 1]), year, style.order)
  const [digits, year] = [part('year'), Number(part('year'))]
  const reading = digits.length === 4 ? dated(year) : withCentury(year, style, dated)
  const isOther = 'date' in reading && !weekdays[weekdayOf(reading.date)]?.startsWith(weekday)
  return isOther ? { flaw: 'the date is of another day of the week than the one that is named' } : reading
}

function findMonth(word: string): number | undefined {
  const month = months.findIndex((name) => name.toLowerCase().startsWith(word.toLowerCase())) + 1
  return month === 0 ? undefined : month
}

/** Reads a two-digit year: of a birthday, so that the age is 16 to 100; else the nearest to today. */
function withCentury(
  shortYear: number,
  { today, isBirth = false }: DateStyle,
  dated: (year: number) => DateReading,
): DateReading {
  const thisYear = Number(today.slice(0, 4))
  const nearest = thisYear - 50 + ((((shortYear - thisYear + 50) % 100) + 100) % 100)
  const years = isBirth ? [nearest, nearest - 100] : [nearest]
  const readings = years.map(dated)
  // 16 to 100, as in the check of a date of birth.
  const ageIn = (each: DateReading) => ('date' in each && ageOn(each.date, today)) || 0
  const fitting = isBirth ? readings.filter((each) => ageIn(each) >= 16 && ageIn(each) <= 100) : readings
  const [first] = fitting.length > 0 ? fitting : readings
  if (!first || 'flaw' in first) return first ?? noDate
  if (fitting.length > 0) return { ...first, hasShortYear: true }
  const [later, earlier] = years
  return {
    flaw: `the year of two digits can be ${earlier} or ${later}: write all four`,
    isRealDate: true,
  }
}

function readInOrder(one: number, two: number, year: number, order: DateOrder | undefined): DateReading {
  if (order === 'ymd') return { flaw: 'the year does not come first, as --date-format ymd says' }
  const couldSwap = one !== two && one <= 12 && two <= 12
  const sure = (reading: DateReading) =>
    'date' in reading && couldSwap ? { ...reading, couldSwap } : reading
  if (order === 'mdy') return sure(existingDate(year, one, two))
  if (order === 'dmy' || one === two || one > 12) return sure(existingDate(year, two, one))
  if (two > 12) return existingDate(year, one, two)
  return { flaw: 'it is unclear which is the day and which the month: add --date-format dmy or mdy' }
}

/** The date, if it exists. No Date object is made, because every date of a file passes here. */
function existingDate(year: number, month: number, day: number): DateReading {
  const exists =
    year >= earliestYear && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
  return exists ? { date: `${year}-${twoDigits(month)}-${twoDigits(day)}` } : whyNot(year, month, day)
}

function whyNot(year: number, month: number, day: number): Unreadable {
  if (month < 1 || month > 12) return { flaw: 'a year has twelve months' }
  if (day < 1 || day > daysInMonth(year, month)) {
    return { flaw: 'the month has no such day' }
  }
  // No worker was born in that year, so it gives no birthday away.
  return {
    flaw: `the year ${year} is too long ago: dates before ${earliestYear} are not taken`,
    isRealDate: true,
  }
}
