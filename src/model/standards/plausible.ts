import type { Issue } from '../../errors.ts'
import { isObject, type Json, type JsonObject } from '../../files/json/path.ts'
import { dayMs, dayOfTimestamp, isDay, monthsAfter, spelledOut } from '../../text/day.ts'
import type { Facts } from '../facts/facts.ts'
import { numberIn } from '../fields/amounts.ts'
import { asItIs, type StandardRule, type TextRule } from './standard-rule.ts'
import { areTwoYears } from './tax-period.ts'
import { amountAt, textAt, type Warning } from './warning.ts'

/** The weeks of pay in a year. */
export const weeksOfYear = 52.14

/** The pay of a week, by the hour or else by the year; undefined where the record does not say it. */
export function weeklyPay(hourly = 0, hours = 0, yearly = 0): number | undefined {
  if (hourly > 0) return hours > 0 ? hourly * hours : undefined
  return yearly > 0 ? yearly / weeksOfYear : undefined
}

/** A number with at most two decimals: 37.5. */
export const tidy = (number: number) => String(Number(number.toFixed(2)))

const periods: Readonly<Record<string, number | undefined>> = {
  WEEKLY: 7,
  FORTNIGHTLY: 14,
  TWICE_MONTHLY: 16,
  FOUR_WEEKLY: 28,
  MONTHLY: 31,
  WK_BASED_MONTHLY: 35,
  QUARTERLY: 92,
  BI_ANNUAL: 184,
  ANNUAL: 366,
  ONE_OFF: undefined,
  IRREGULAR: undefined,
  OTHER: undefined,
}

/** Days in a pay period; undefined for irregular pay. assumed: an unknown word is a month, to be careful. */
export function periodDays(word: string): number | undefined {
  const code = word.toUpperCase()
  return Object.hasOwn(periods, code) ? periods[code] : 31
}

/** Age in full years on a day; negative before the birth. Undefined unless both are YYYY-MM-DD. */
export function ageOn(birthDate: string, today: string): number | undefined {
  if (!isDay(birthDate) || !isDay(today)) return undefined
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return birthDate.slice(5) > today.slice(5) ? years - 1 : years
}

/** Whether somebody has reached State Pension age; undefined where it is not known. */
export function isOverPensionAge(born: string, today: string, facts: Facts): boolean | undefined {
  const age = facts
    .on('state-pension-age', 'uk', today)
    ?.value.ages.findLast(({ bornFrom }) => bornFrom <= born)
  const years = ageOn(born, today)
  if (!age || years === undefined) return undefined
  return years === age.years && age.months > 0
    ? monthsAfter(born, 12 * age.years + age.months) <= today
    : years >= age.years
}

/** Whether an age, and the pay of a week, are those of auto-enrolment into a pension, as far as the law and they are known. */
export function mayBeEnrolled(born: string, day: string, ofWeek: number | undefined, facts: Facts): boolean {
  const limits = facts.on('auto-enrolment', 'uk', day)?.value
  const age = ageOn(born, day)
  if (!limits || (age !== undefined && age < limits.from)) return false
  if (isOverPensionAge(born, day, facts) === true) return false
  return ofWeek === undefined || ofWeek * weeksOfYear > limits.year
}

/** A worker's date of birth. */
export const birthDate: TextRule = {
  sentence: 'In the past, of somebody between 16 and 100.',
  bare: asItIs,
  notes: [
    [(born, today) => ageIn(born, today) < 0, 'a date of birth in the future'],
    [(born, today) => ageIn(born, today) < 16, 'younger than 16'],
    [
      (born, today) => ageIn(born, today) > 100,
      // No worker was born in that year, so it gives no birthday away.
      (born) => `born in ${born.slice(0, 4)}? That is older than 100`,
    ],
  ],
}

const ageIn = (born: string, today: string) => ageOn(born, today) ?? Number.NaN

/** assumed: pay is never so many times what is usual. */
export const mostTimesUsual = 8

/** Whether pay is so far above the usual that a point was lost, or pay of a day is that of an hour. False where none is known. */
export const isFarAbove = (pay: number, usual: number) => usual > 0 && pay >= mostTimesUsual * usual

/** More hours a week than this are doubted. */
export const mostWeeklyHours = 60

/** Hours a week. */
export const weeklyHours: StandardRule = {
  of: 'number',
  sentence: `From 0 to ${mostWeeklyHours}; a week has 168.`,
  notes: [
    [(hours) => hours > 168, 'a week has 168 hours'],
    [(hours) => hours > mostWeeklyHours, `more than ${mostWeeklyHours} hours a week`],
    [(hours) => hours < 0, 'negative hours'],
  ],
}

/** How many days a timesheet covers, both ends counted; 7 if its days are missing or reversed. */
export function daysWorked(first: string, last: string): number {
  const between = Date.parse(last) - Date.parse(first)
  return between >= 0 ? Math.round(between / dayMs) + 1 : 7
}

/** assumed: no timesheet covers more than the longest month of pay, of five weeks. */
const mostTimesheetDays = 35

/** Warns about days that are further apart than those of one timesheet. */
export function timesheetDays({ startDate, endDate }: JsonObject): Issue[] {
  const days = daysWorked(String(startDate), String(endDate))
  if (days <= mostTimesheetDays) return []
  return [{ path: 'endDate', message: `the timesheet covers ${days} days; a year or a month may be wrong` }]
}

/** Warns about more units than the days have hours. It only warns, because units may be days or miles. */
export function timesheetUnits({ rates, startDate, endDate }: JsonObject): Issue[] {
  const days = daysWorked(String(startDate), String(endDate))
  const span = days === 7 ? 'a week has' : days === 1 ? 'a day has' : `${days} days have`
  return (Array.isArray(rates) ? rates : []).flatMap((rate, index) => {
    const units = (isObject(rate) && amountAt(rate, 'units')) || 0
    return units > days * 24 ? [{ path: `rates[${index}].units`, message: `${span} ${days * 24} hours` }] : []
  })
}

/**
 * Warns about work that moves by a week or more while its tax period stays, and about a tax year that moves while the work
 * stays. Days inside a week may be of one pay date.
 */
export function movedWork(before: JsonObject, after: JsonObject): Issue[] {
  const both = [before, after]
  const [period, newPeriod] = both.map((each) => textAt(each, 'taxPeriodConfig'))
  const [year = '', newYear = ''] = both.map((each) => textAt(each, 'taxYear'))
  const [lastDay = '', newLastDay = ''] = both.map((each) => dayOfTimestamp(textAt(each, 'endDate')))
  if (areTwoYears(year, newYear) && lastDay === newLastDay) {
    const message = `moves from ${year} to ${newYear} with all its hours: were they paid in ${year}?`
    return [{ path: 'taxYear', message }]
  }
  if (!period || period !== newPeriod) return []
  if (
    !isDay(lastDay) ||
    !isDay(newLastDay) ||
    Math.abs(Date.parse(newLastDay) - Date.parse(lastDay)) < 7 * dayMs
  )
    return []
  const message = `stays ${period}, and the last day moves from ${spelledOut(lastDay)} to ${spelledOut(newLastDay)}`
  return [{ path: 'taxPeriodConfig', message }]
}

/** assumed: nobody has been in one job for longer. */
const mostYearsHere = 60

/** The first day of a job. assumed: nobody is taken on more than two years ahead. */
export const startDate: TextRule = {
  sentence: 'At most two years ahead.',
  bare: asItIs,
  notes: [
    [
      (day, today) => isDay(day) && day > yearsAfter(today, 2),
      (day) => `starts in ${day.slice(0, 4)}? That is more than two years ahead`,
    ],
    [
      (day, today) => isDay(day) && day < yearsAfter(today, -mostYearsHere),
      (day) => `started in ${day.slice(0, 4)}? That is more than ${mostYearsHere} years ago`,
    ],
  ],
}

const yearsAfter = (day: string, years: number) => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`

/** Hourly pay in pounds or euros. assumed: what goes beyond the bounds is mostly a slip, or the pay of a day. 0 means that there is none. */
export const hourlyRate: StandardRule = {
  of: 'number',
  sentence: 'From 1 to 150, or 0 for none.',
  notes: [
    [
      (rate) => rate > 150,
      'more than 150 an hour: is it what a day is paid, or is the decimal point missing?',
    ],
    [(rate) => rate > 0 && rate < 1, 'less than 1 an hour: the decimal point may be in the wrong place'],
    [(rate) => rate < 0, 'negative pay'],
  ],
}

/** Yearly pay in pounds or euros. assumed: the bounds, as for an hour. */
export const salary: StandardRule = {
  of: 'number',
  sentence: 'From 1,000 to 1,000,000 a year, or 0 for none.',
  notes: [
    [(pay) => pay > 1_000_000, 'more than 1,000,000 a year: the decimal point may be missing'],
    [(pay) => pay > 0 && pay < 1000, 'less than 1,000 a year: it may be in thousands, or for an hour'],
    [(pay) => pay < 0, 'negative pay'],
  ],
}

/** Warns about a slipped decimal point. assumed: no real change of pay reaches five times or a fifth. */
export function slippedPay(before: Json, after: Json): Warning | undefined {
  const [was = 0, is = 0] = [numberIn(before), numberIn(after)]
  if (!(was > 0 && is > 0)) return undefined
  if (is > was * 5) return { message: 'more than five times what it was: the decimal point may be missing' }
  if (is < was / 5)
    return { message: 'less than a fifth of what it was: the decimal point may be in the wrong place' }
  return undefined
}
