import type { Context } from '../../context/context.ts'
import { type Days, dayAfter, isDay, spelledOut, weekdayOf, weekdays } from '../../text/day.ts'
import type { Options } from '../cli/options.ts'
import { readDay } from './read-day.ts'

/** When a week is paid: on a date, or on the next such weekday after its last day. */
export interface PayDay {
  /** YYYY-MM-DD */
  readonly date?: string | undefined
  readonly weekday?: (typeof weekdays)[number] | undefined
}

/** When a week is paid: as an option or the profile says. Throws a usage failure for what is not a day. */
export async function payDayOf(context: Context, { payDate }: Pick<Options, 'payDate'>): Promise<PayDay> {
  if (payDate !== undefined) return { date: await readDay(context, '--pay-date', payDate) }
  const { name } = await context.profile()
  const { payDay } = (await context.settings()).profiles[name] ?? {}
  return { weekday: weekdays.find((each) => each === payDay) }
}

/** Pay that is later than this after the work is doubtful. In days. */
const longAfter = 92

/** Doubts a day of pay that is before the work, or long after it: its year was probably mistyped. */
export function doubtOfPayDate(payDay: string, { first, last }: Days): string | undefined {
  const isBefore = isDay(first) && payDay < first
  if (!isBefore && payDay <= dayAfter(last, longAfter)) return undefined
  const when = isBefore ? 'before the first day of the work' : 'more than three months after the work'
  return `the pay date ${spelledOut(payDay)} is ${when}: is its year right?`
}

/** The day on which a week is paid; undefined where nobody said it. `last`: its last day, YYYY-MM-DD. */
export function payDateOf({ date, weekday }: PayDay, last: string): string | undefined {
  if (date !== undefined || weekday === undefined) return date
  const ahead = (weekdays.indexOf(weekday) - weekdayOf(last) + 6) % 7
  return dayAfter(last, ahead + 1)
}
