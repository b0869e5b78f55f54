import type { Context } from '../../context/context.ts'
import { withLock } from '../../files/local/lock.ts'

/** As long as a request may take. In milliseconds. */
const waitMs = 120_000

/** Runs the work while no other run on this computer writes the record, named by its id or reference. */
export async function withRecordLock<T>(
  context: Context,
  record: string,
  work: () => Promise<T>,
): Promise<T> {
  const { origin = '' } = await context.profile()
  return withLock(`${record} on ${origin}`, work, { waitMs, against: 'everybody' })
}
