import type { Context } from '../../context/context.ts'
import { usage } from '../../errors.ts'

/** A day of an option as YYYY-MM-DD, typed in any form that an import reads. Throws a usage failure for what is none. */
export async function readDay(context: Context, option: string, typed: string): Promise<string> {
  const { readDate } = await import('../../model/values/read-date.ts')
  const read = readDate(typed, { today: context.today(), order: 'dmy' })
  if ('date' in read) return read.date
  throw usage(`${option} ${typed}: ${read.flaw}.`)
}
