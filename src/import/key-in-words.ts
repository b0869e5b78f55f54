import { noPart, splitKey } from '../model/natural-key.ts'
import { daysInWords } from '../text/day.ts'

/** A key as a person reads it: `A-7, week ending 31 May 2026` for the person and the days of a timesheet. */
export function keyInWords(name: string): string {
  const parts = splitKey(name)
  const [first = '', last = ''] = parts.slice(-2)
  const [who = '', ...others] = parts.slice(0, -2)
  const days = daysInWords(first, last)
  if (who === '' || days === undefined) return name
  return [who, ...others.filter((each) => each !== noPart).map((each) => `assignment ${each}`), days].join(
    ', ',
  )
}
