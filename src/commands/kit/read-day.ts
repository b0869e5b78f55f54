import type { Context } from '../../context/context.ts'
import { usage } from '../../errors.ts'
import { dayAfter, weekdayOf } from '../../text/day.ts'

export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const

/** A day as YYYY-MM-DD: `last sunday`, or in any form that an import reads. Throws a usage failure for what is none. */
export async function readDay(context: Context, option: string, typed: string): Promise<string> {
  const today = context.today()
  const ago = daysAgo(typed, today)
  if (ago !== undefined) return dayAfter(today, -ago)
  const { readDate } = await import('../../model/values/read-date.ts')
  const read = readDate(typed, { today, order: 'dmy' })
  if ('date' in read) return read.date
  throw usage(
    `${option} ${typed}: ${read.flaw}.`,
    'A word is read too: today, yesterday, or "last sunday" (any weekday).',
  )
}

/** How many days ago a day in words is. The last Sunday is never today. */
function daysAgo(typed: string, today: string): number | undefined {
  const words = typed.trim().toLowerCase()
  if (words === 'today') return 0
  if (words === 'yesterday') return 1
  const weekday = weekdays.findIndex((each) => words === `last ${each}`)
  if (weekday < 0) return undefined
  return (weekdayOf(today) - weekday + 7) % 7 || 7
}
