/** The order of day, month and year in a date of numbers. */
export type DateFormat = 'dmy' | 'mdy' | 'ymd'

/** A date as YYYY-MM-DD, or why the cell is not a date. */
export type DateReading = { readonly date: string } | { readonly flaw: string }

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** What spreadsheets and databases add to a date without a time. */
const midnight = /[T ]00:00(:00(\.0+)?)?Z?$/

/** No employee was born before this year. */
const earliestYear = 1900

/**
 * Reads a date as spreadsheets write it. YYYY-MM-DD and 25/12/1990 can mean one thing only; if day and month could be
 * swapped, the cell is refused. No message repeats the date: it may be a birthday.
 */
export function spreadsheetDate(cell: string, format?: DateFormat): DateReading {
  const text = cell.trim().replace(midnight, '')
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (iso) return existingDate(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  if (/^\d{5}(\.\d+)?$/.test(text)) {
    return { flaw: 'this is the day number of a spreadsheet, not a date: format the column as dates' }
  }
  const named = /^(\d{1,2})[ -]([a-z]{3})[a-z]*[ -](\d{4})$/i.exec(text)
  const month = named ? months.indexOf((named[2] ?? '').toLowerCase()) + 1 : 0
  if (named && month > 0) return existingDate(Number(named[3]), month, Number(named[1]))
  const [, a = '', b = '', c = ''] = /^(\d{1,4})[/.-](\d{1,2})[/.-](\d{1,4})$/.exec(text) ?? []
  if (a === '') return { flaw: 'expected a date that exists, as YYYY-MM-DD' }
  return inOrder([a, b, c], format)
}

type Parts = readonly [string, string, string]

function inOrder([a, b, c]: Parts, format: DateFormat | undefined): DateReading {
  const yearFirst = a.length === 4
  if (!yearFirst && c.length !== 4) {
    return { flaw: 'the year has only two digits: write all four' }
  }
  const [first, second, year] = yearFirst ? [b, c, a] : [a, b, c]
  const [one, two] = [Number(first), Number(second)]
  if (yearFirst || format === 'mdy') return existingDate(Number(year), one, two)
  if (format === 'dmy') return existingDate(Number(year), two, one)
  if (format === 'ymd') return { flaw: 'the year does not come first, as --date-format ymd says' }
  if (one === two || two > 12) return existingDate(Number(year), one, two)
  if (one > 12) return existingDate(Number(year), two, one)
  return {
    flaw: 'it is unclear which is the day and which the month: add --date-format dmy or mdy',
  }
}

function existingDate(year: number, month: number, day: number): DateReading {
  const date = new Date(Date.UTC(year, month - 1, day))
  // Date moves a day that does not exist, such as 31 April, into the next month.
  const exists = year >= earliestYear && month >= 1 && date.getUTCMonth() === month - 1
  return exists
    ? { date: date.toISOString().slice(0, 10) }
    : { flaw: 'there is no such date; a date is written YYYY-MM-DD' }
}
