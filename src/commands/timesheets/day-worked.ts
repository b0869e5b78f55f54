import type { JsonObject } from '../../files/json/path.ts'
import { numberIn } from '../../model/fields/amounts.ts'
import { hoursOf, type Rates, workIn } from '../../reading/work.ts'
import { dayAfter, daysInWords, isDay, spelledOut, weekdayOf, weekdays } from '../../text/day.ts'
import { groupBy } from '../../text/group-by.ts'
import { capital } from '../../text/words.ts'
import type { LineFindings } from './findings.ts'
import { firstAndLastDay } from './hours.ts'

/** What is said of a sheet with one row a day. assumed: without a week ending, a week ends on a Sunday. */
export const daysAreJoined =
  'one row a day: the days of each week are added up as one timesheet, and a day without a row has no hours'

/** The last day of the week of a day, where the row does not say it. */
export const weekEndOf = (day: string): string => dayInWeek(0, dayAfter(day, 6))

/** The day of a row that is about one day of its week, by its date or its weekday. */
export function settleDay(
  record: JsonObject,
  { dayWorked: date, weekday: name }: { readonly dayWorked: string; readonly weekday: string },
  { wrong }: LineFindings,
): string | undefined {
  const weekday = name.trim() === '' ? undefined : weekdayNamed(name)
  if (weekday === -1) wrong('weekday', 'not a day of the week, such as Monday; a date belongs to Day worked')
  const [first, last] = firstAndLastDay(record)
  if (!isDay(date)) {
    if (weekday === undefined || !isDay(last)) return undefined
    const day = dayInWeek(weekday, last)
    if (weekday !== -1 && isDay(first) && day < first) wrong('weekday', notInWeek(day, first, last))
    return day
  }
  if (weekday !== undefined && weekday !== -1 && weekday !== weekdayOf(date))
    wrong('weekday', `${spelledOut(date)} is a ${capital(weekdays[weekdayOf(date)] ?? '')}`)
  if (date < first || date > last) wrong('dayWorked', notInWeek(date, first, last))
  return date
}

const notInWeek = (day: string, first: string, last: string) =>
  `${spelledOut(day)} is not in the ${daysInWords(first, last) ?? 'week of the row'}`

/** The day of the week that a cell names, 0 for Sunday; -1 for none: `Mon`, `Tues`, `wednesday`. */
function weekdayNamed(name: string): number {
  const word = name.trim().toLowerCase().replace(/\.$/, '')
  return word.length < 3 ? -1 : weekdays.findIndex((each) => each.startsWith(word))
}

const dayInWeek = (weekday: number, last: string) => dayAfter(last, -((weekdayOf(last) - weekday + 7) % 7))

/** The hours of several days as the lines of one timesheet: a line for each rate. */
export function addUpDays(
  lines: readonly JsonObject[],
  isSameRate: (one: JsonObject, other: JsonObject) => boolean,
): JsonObject[] {
  const sums: JsonObject[] = []
  for (const line of lines) {
    const at = sums.findIndex((each) => isSameRate(each, line))
    const [sum, units] = [numberIn(sums[at]?.units), numberIn(line.units)]
    if (sum === undefined || units === undefined) sums.push(line)
    else sums[at] = { ...sums[at], units: String(Number((sum + units).toFixed(4))) }
  }
  return sums
}

/** Doubts more hours in a day than it has, or more days than one, in one row or in several. */
export function checkDayWorked(
  day: string,
  rows: readonly { readonly record: JsonObject }[],
  rates: Rates | undefined,
  { hold }: LineFindings,
): void {
  const work = rows.flatMap(({ record }) => workIn(record, rates))
  const hours = hoursOf(work)
  const ofDays = groupBy(work, ({ paymentRate: rate }) => (rate?.isOfDays ? rate.code : undefined))
  for (const [code, lines] of ofDays) {
    const units = lines.reduce((sum, line) => sum + (line.units ?? 0), 0)
    if (units > 1) hold('rates[0].units', `${units} days at ${code} on ${spelledOut(day)}: are they hours?`)
  }
  if (hours > 24)
    hold('rates[0].units', `${Number(hours.toFixed(2))} hours on ${spelledOut(day)}: a day has 24`)
}
