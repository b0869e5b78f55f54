import { createHash } from 'node:crypto'
import type { Context } from '../../context/context.ts'
import { withLock } from '../../files/local/lock.ts'

/** In milliseconds: as long as a request may take. */
const waitMs = 120_000

/**
 * Runs the work while no other run on this computer writes the record, named by its id or reference. Records share
 * 256 locks, because on Windows and macOS a lock is a file, and it stays.
 */
export async function withRecordLock<T>(
  context: Context,
  record: string,
  work: () => Promise<T>,
): Promise<T> {
  const { origin = '' } = await context.profile()
  const lock = createHash('sha256').update(record).digest('hex').slice(0, 2)
  return withLock(`records ${lock} on ${origin}`, work, { waitMs, against: 'everybody' })
}
