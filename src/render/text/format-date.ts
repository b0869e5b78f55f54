const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** The month in full, or its first three letters. */
export type MonthForm = 'long' | 'short'

const iso = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?Z)?$/

/**
 * A date or a UTC time as a person reads it, the same everywhere: 2 Mar 2026, 2 Mar 2026 14:05 UTC. The month is a word,
 * so that it cannot be taken for the day. Midnight is how a day is sent as a time. Undefined for anything else.
 */
export function readableDate(text: string, form: MonthForm = 'short'): string | undefined {
  const [, year, month = '', day = '', time, rest = ''] = iso.exec(text) ?? []
  if (year === undefined) return undefined
  const name = months[Number(month) - 1] ?? ''
  const date = `${Number(day)} ${form === 'long' ? name : name.slice(0, 3)} ${year}`
  const isMidnight = time === '00:00' && /^[:.0]*$/.test(rest)
  return time === undefined || isMidnight ? date : `${date} ${time} UTC`
}
