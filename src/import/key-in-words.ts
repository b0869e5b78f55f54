import { noPart, splitKey } from '../model/natural-key.ts'
import { daysInWords } from '../text/day.ts'

/** A key as a person reads it: `A-7, week ending 31 May 2026` for the person and the days of a timesheet. */
export function keyInWords(name: string): string {
  const [person = '', assignment = '', first = '', last = ''] = splitKey(name)
  const days = daysInWords(first, last)
  if (days === undefined) return name
  return [person, ...(assignment === noPart ? [] : [`assignment ${assignment}`]), days].join(', ')
}
