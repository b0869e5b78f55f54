/** "Dates are YYYY-MM-DD strings unless a field is marked timestamp". */
const day = /^\d{4}-\d\d-\d\d$/

export const isDay = (text: string): boolean => day.test(text)

let london: Intl.DateTimeFormat | undefined

/**
 * A point in time that stands for a day, as that day: 2026-04-06T00:00:00.000Z is 2026-04-06. So is
 * 2026-04-05T23:00:00Z, midnight in summer in the United Kingdom and Ireland. Any other text as it is: a shift that
 * begins at nine is no day.
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
