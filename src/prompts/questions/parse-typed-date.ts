const months = 'january february march april may june july august september october november december'.split(
  ' ',
)

/** A year before this is a typing mistake. */
const earliestYear = 1900

/**
 * A date as people type it (4/11/1991, 04-11-91, 4.11.1991, 4 Nov 1991, 1991-11-04) as YYYY-MM-DD; undefined for
 * anything else, 30 February included. Day before month, as in the UK and Ireland. A year of two digits is taken
 * from the hundred years that end ten years after today.
 */
export function parseTypedDate(typed: string, today: string): string | undefined {
  const text = typed.trim()
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text)
  if (iso) return existingDate(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const written =
    /^(\d{1,2})\s*[/.\-\s]\s*(\d{1,2})\s*[/.\-\s]\s*(\d{4}|\d{2})$/.exec(text) ??
    /^(\d{1,2})(?:st|nd|rd|th)?[/.\-\s]*([a-z]{3,9})[/.,\-\s]*(\d{4}|\d{2})$/i.exec(text)
  if (!written) return undefined
  const [, day, month = '', year = ''] = written
  return existingDate(
    year.length === 4 ? Number(year) : nearYear(Number(year), today),
    /^\d/.test(month) ? Number(month) : monthNamed(month),
    Number(day),
  )
}

/** A date with its month as a word, so that day and month cannot be confused: 4 November 1991. */
export function spelledOut(date: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(new Date(`${date}T00:00:00Z`))
}

/** 1 to 12; 0 for an unknown word. */
function monthNamed(word: string): number {
  return months.findIndex((month) => month.startsWith(word.toLowerCase())) + 1
}

function nearYear(twoDigits: number, today: string): number {
  const latest = Number(today.slice(0, 4)) + 10
  const century = latest - (latest % 100)
  return century + twoDigits <= latest ? century + twoDigits : century - 100 + twoDigits
}

function existingDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  // Date moves a day that does not exist, such as 31 April, into the next month.
  const exists = year >= earliestYear && date.getUTCMonth() === month - 1
  return exists ? date.toISOString().slice(0, 10) : undefined
}
