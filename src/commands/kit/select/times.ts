import { parseTypedDate } from '../../../prompts/questions/parse-typed-date.ts'

/** A day, or a time to the millisecond: a day stands for all of its hours. */
export type Moment = { readonly day: string } | { readonly ms: number }

const isoDay = /^\d{4}-\d\d-\d\d$/
const isoTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?$/

/** What a value says, if it is a date or an ISO time. A time without a zone is taken for UTC, as the service sends it. */
export function momentOf(value: string): Moment | undefined {
  if (isoDay.test(value)) return { day: value }
  const [, day, time, zone = 'Z'] = isoTime.exec(value) ?? []
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`)
  return Number.isNaN(ms) ? undefined : { ms }
}

/** What a person typed, the same or a date as the form takes it: 20/04/2026, 20 Apr 2026. */
export function typedMoment(text: string, today: string): Moment | undefined {
  const moment = momentOf(text)
  if (moment && 'ms' in moment) return moment
  const day = parseTypedDate(text, today)
  return day === undefined ? undefined : { day }
}

/** Below zero where the value is earlier than what it is compared with, above it where it is later. */
export function compareMoments(value: Moment, other: Moment): number {
  if ('ms' in other) return startOf(value) - other.ms
  const day = 'day' in value ? value.day : new Date(value.ms).toISOString().slice(0, 10)
  return day < other.day ? -1 : Number(day > other.day)
}

/** In milliseconds since 1970; of a day, its first. */
export function startOf(moment: Moment): number {
  return 'ms' in moment ? moment.ms : Date.parse(`${moment.day}T00:00:00Z`)
}
