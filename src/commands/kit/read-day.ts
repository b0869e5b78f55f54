import type { Context } from '../../context/context.ts'
import { usage } from '../../errors.ts'

/** A day as YYYY-MM-DD: `last sunday`, or in any form that an import reads. Throws a usage failure for what is none. */
export async function readDay(context: Context, option: string, text: string): Promise<string> {
  const { readDate, typedDates } = await import('../../model/values/read-date.ts')
  const reading = readDate(text, typedDates(context.today()))
  if ('date' in reading) return reading.date
  throw usage(
    `${option} ${text}: ${reading.flaw}.`,
    'A word is read too: today, yesterday, tomorrow, or "last sunday" (any weekday).',
  )
}
