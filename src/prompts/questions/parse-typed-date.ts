import { readDate } from '../../api/contract/values/read-date.ts'

/**
 * A date as people type it (4/11/1991, 04-11-91, 4.11.1991, 4 Nov 1991, 1991-11-04) as YYYY-MM-DD; undefined for
 * anything else, 30 February included. Day before month, as in the UK and Ireland.
 */
export function parseTypedDate(typed: string, today: string): string | undefined {
  const reading = readDate(typed, { order: 'dmy', today })
  return 'date' in reading ? reading.date : undefined
}

/** A date with its month as a word, so that day and month cannot be confused: 4 November 1991. */
export function spelledOut(date: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(new Date(`${date}T00:00:00Z`))
}
