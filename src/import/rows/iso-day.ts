/** "Dates are YYYY-MM-DD strings unless a field is marked timestamp". */
const day = /^\d{4}-\d\d-\d\d$/

export const isDay = (text: string): boolean => day.test(text)

let london: Intl.DateTimeFormat | undefined

/**
 * The day that a timestamp at midnight means: 2026-04-06 for 2026-04-06T00:00:00.000Z, and for 2026-04-05T23:00:00Z,
 * which is midnight in summer in the United Kingdom and Ireland. Returns any other text unchanged, such as a shift that
 * starts at nine.
 */
export function dayOf(text: string): string {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[T ]([\d:.]+)(?:Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? []
  if (date === undefined || time === undefined) return text
  if (/^00:00(:00(\.0+)?)?$/.test(time)) return date
  const instant = Date.parse(text)
  if (Number.isNaN(instant) || !/Z|[+-]\d\d:?\d\d$/.test(text)) return text
  london ??= new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/London',
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const [localDay = '', localTime] = london.format(instant).split(' ')
  return localTime === '00:00:00' && isDay(localDay) ? localDay : text
}
