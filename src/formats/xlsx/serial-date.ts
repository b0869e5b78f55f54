const msPerDay = 86_400_000
/** 1 January 1970 as a day number of a spreadsheet. */
const day1970 = 25_569
/** What the days since 1904 lack of those since 1900. */
const from1904 = 1462
/** 31 December 9999, the last day that a spreadsheet knows. */
const lastDay = 2_958_466

/**
 * The day of a spreadsheet as YYYY-MM-DD, with the time behind it where there is one; undefined for a number that is
 * no day. A spreadsheet believes that there was a 29 February 1900, and so does this.
 */
export function dateOfSerial(serial: number, is1904: boolean): string | undefined {
  const day = is1904 ? serial + from1904 : serial
  if (!(day >= 0 && day < lastDay)) return undefined
  if (Math.floor(day) === 60) return '1900-02-29'
  const days = day < 60 ? day + 1 : day
  return new Date(Math.round((days - day1970) * msPerDay)).toISOString().replace(/T00:00:00\.000Z$/, '')
}
