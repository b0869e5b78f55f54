import { noPart, splitKey } from '../model/natural-key.ts'
import { daysInWords } from '../text/day.ts'

/** A key as a person reads it: `A-7, week ending 31 May 2026` for the person and the days of a timesheet. */
export function keyInWords(name: string): string {
  const parts = splitKey(name)
  const [assignment = '', first = '', last = ''] = parts.slice(-3)
  const days = daysInWords(first, last)
  if (parts.length < 4 || days === undefined) return name
  const before = parts.slice(0, -3).join(' / ')
  if (assignment === noPart) return [before, days].join(', ')
  // Where a reference holds what divides the parts, it is not known which of them is the assignment.
  return parts.length > 4
    ? [`${before} / ${assignment}`, days].join(', ')
    : [before, `assignment ${assignment}`, days].join(', ')
}
