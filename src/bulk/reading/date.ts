import type { Json } from '../../api/contract/path.ts'

/** The order of day, month and year. */
export type DateFormat = 'dmy' | 'mdy' | 'ymd'

const countOfDays = 'this is how a spreadsheet counts days, and no date; format the column as YYYY-MM-DD'

/** The days that a spreadsheet counts from 1900: 1927 to 2119. */
const serials = { first: 10_000, last: 80_000 }

/**
 * A date as YYYY-MM-DD. One that is a day of two months, 03/04/1990, is read only when `order` says how; what a
 * spreadsheet made a number of is named. No message repeats the date: it may be a birthday.
 */
export function readDate(bare: string, order?: DateFormat): { value?: Json; issue?: string } {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/.exec(bare)
  if (iso) return { value: `${iso[1]}-${iso[2]}-${iso[3]}` }
  if (/^\d{5}(\.0+)?$/.test(bare) && +bare >= serials.first && +bare <= serials.last)
    return { issue: countOfDays }
  const parts = /^(\d{1,4})\s*[/.\- ]\s*(\d{1,2})\s*[/.\- ]\s*(\d{1,4})$/.exec(bare)
  if (!parts) return { issue: 'expected a date as YYYY-MM-DD' }
  const [a, b, c] = parts.slice(1).map(Number) as [number, number, number]
  const [, first = '', , last = ''] = parts
  if (first.length === 4) return dated(a, b, c)
  if (last.length !== 4) return { issue: 'the year has two digits; write all four' }
  if (order === 'ymd') return { issue: 'it does not begin with the year, as --date-format ymd says' }
  if (order === 'dmy') return dated(c, b, a)
  if (order === 'mdy') return dated(c, a, b)
  if (a > 12) return dated(c, b, a)
  if (b > 12) return dated(c, a, b)
  if (a === b) return dated(c, a, b)
  return {
    issue: 'day and month could be taken for each other; say which comes first: --date-format dmy or mdy',
  }
}

/** No such day stays what it was: the contract's own check names it. */
function dated(year: number, month: number, day: number): { value: string } {
  return { value: `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}` }
}
