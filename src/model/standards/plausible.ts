import type { Issue } from '../../errors.ts'
import { isObject, type JsonObject } from '../../files/json/path.ts'
import { isDay } from '../fields/field.ts'
import type { Warning } from './warning.ts'

/** Of pay for a year. */
export const weeksOfYear = 52.14

/** Age in full years on a day; negative before the birth. Undefined unless both are YYYY-MM-DD. */
export function ageOn(birthDate: string, today: string): number | undefined {
  if (![birthDate, today].every(isDay)) return undefined
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return birthDate.slice(5) > today.slice(5) ? years - 1 : years
}

/** The day so many months after another; the last of its month where that is shorter. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

/** A worker's date of birth. */
export function birthDate(value: string, today: string): Warning | undefined {
  const age = ageOn(value, today)
  if (age === undefined) return undefined
  if (age < 0) return { message: 'a date of birth in the future' }
  if (age < 16) return { message: 'younger than 16' }
  // No worker was born in that year, so it gives no birthday away.
  return age > 100 ? { message: `born in ${value.slice(0, 4)}? That is older than 100` } : undefined
}

/** More hours a week than this are doubted. */
export const mostWeeklyHours = 60

/** Hours a week. */
export function weeklyHours(value: number): Warning | undefined {
  if (value > 168) return { message: 'a week has 168 hours' }
  if (value > mostWeeklyHours) return { message: `more than ${mostWeeklyHours} hours a week` }
  return value < 0 ? { message: 'negative hours' } : undefined
}

/** How many days a timesheet is for: those of a week where it does not say it. */
export function daysWorked(first: string, last: string): number {
  const between = Date.parse(last) - Date.parse(first)
  return between >= 0 ? Math.round(between / 86_400_000) + 1 : 7
}

/**
 * The units of each rate of a timesheet, as hours: no more than its days have, or than a week where it has no days.
 * Units may be days or miles too, which is why it is a doubt.
 */
export function timesheetUnits({ rates, startDate, endDate }: JsonObject): Issue[] {
  const days = daysWorked(String(startDate), String(endDate))
  const span = days === 7 ? 'a week has' : days === 1 ? 'a day has' : `${days} days have`
  return (Array.isArray(rates) ? rates : []).flatMap((rate, index) => {
    const units = isObject(rate) ? Number(rate.units) : 0
    return units > days * 24 ? [{ path: `rates[${index}].units`, message: `${span} ${days * 24} hours` }] : []
  })
}

/** assumed: nobody has been in one job for longer. */
const mostYearsHere = 60

/** The day of a first job. assumed: people are not taken on more than two years ahead. */
export function startDate(value: string, today: string): Warning | undefined {
  if (!isDay(value)) return undefined
  const latest = `${Number(today.slice(0, 4)) + 2}${today.slice(4)}`
  if (value > latest) return { message: `starts in ${value.slice(0, 4)}? That is more than two years ahead` }
  const earliest = `${Number(today.slice(0, 4)) - mostYearsHere}${today.slice(4)}`
  return value < earliest
    ? { message: `started in ${value.slice(0, 4)}? That is more than ${mostYearsHere} years ago` }
    : undefined
}

/** The pay of an hour, in pounds or euros. assumed: the bounds, which only a slip goes beyond; 0 says that there is none. */
export function hourlyRate(value: number): Warning | undefined {
  if (value > 500) return { message: 'more than 500 an hour: the decimal point may be missing' }
  if (value > 0 && value < 1) {
    return { message: 'less than 1 an hour: the decimal point may be in the wrong place' }
  }
  return value < 0 ? { message: 'negative pay' } : undefined
}

/** The pay of a year, in pounds or euros. assumed: the bounds, as for an hour. */
export function salary(value: number): Warning | undefined {
  if (value > 1_000_000) return { message: 'more than 1,000,000 a year: the decimal point may be missing' }
  if (value > 0 && value < 1000)
    return { message: 'less than 1,000 a year: it may be in thousands, or for an hour' }
  return value < 0 ? { message: 'negative pay' } : undefined
}

/**
 * Pay that is more than five times what it was, or less than a fifth, of an hour as of a year: a decimal point that slipped.
 * assumed: the bound, which no rise reaches.
 */
export function slippedPay(before: unknown, after: unknown): Warning | undefined {
  const [was, is] = [Number(before), Number(after)]
  if (!(was > 0 && is > 0)) return undefined
  if (is > was * 5) return { message: 'more than five times what it was: the decimal point may be missing' }
  if (is < was / 5)
    return { message: 'less than a fifth of what it was: the decimal point may be in the wrong place' }
  return undefined
}
