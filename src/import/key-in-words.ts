import { noPart, splitKey } from '../model/natural-key.ts'
import { spelledOut } from '../model/values/read-date.ts'
import { dayMs, isDay } from '../text/day.ts'

/** A key as a person reads it: `A-7, week ending 31 May 2026` for the person and the days of a timesheet. */
export function keyInWords(name: string): string {
  const parts = splitKey(name)
  const [first = '', last = ''] = parts.slice(-2)
  const [who = '', ...others] = parts.slice(0, -2)
  if (who === '' || !isDay(first) || !isDay(last)) return name
  const isWeek = Date.parse(last) - Date.parse(first) === 6 * dayMs
  const days = isWeek ? `week ending ${spelledOut(last)}` : `${spelledOut(first)} to ${spelledOut(last)}`
  return [who, ...others.filter((each) => each !== noPart).map((each) => `assignment ${each}`), days].join(
    ', ',
  )
}
