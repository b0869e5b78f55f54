const msPerDay = 86_400_000
/** The day number of 1 January 1970 in a spreadsheet. */
const day1970 = 25_569
/** Days between the 1900 and the 1904 date system. */
const from1904 = 1462
/** The day after 31 December 9999, the last day in a spreadsheet. */
const dayAfterLast = 2_958_466

/**
 * A spreadsheet's day number as YYYY-MM-DD, followed by the time if there is one; undefined if it is not a day. Like
 * spreadsheets, it assumes that there was a 29 February 1900.
 */
export function dateOfSerial(serial: number, is1904: boolean): string | undefined {
  const day = is1904 ? serial + from1904 : serial
  if (!(day >= 0 && day < dayAfterLast)) return undefined
  if (Math.floor(day) === 60) return '1900-02-29'
  const days = day < 60 ? day + 1 : day
  return new Date(Math.round((days - day1970) * msPerDay)).toISOString().replace(/T00:00:00\.000Z$/, '')
}
