import type { StoredToken } from './settings-shape.ts'

/** A token that ends this soon may end on its way to the service. In milliseconds. */
const margin = 30_000

/** Whether a token is over, or will be before a request that is sent now has arrived. */
export function isOld({ expiresAt, obtainedAt }: TokenTimes, now: number): boolean {
  if (expiresAt === undefined) return false
  // One that lasts a minute is not old for half of it.
  const tenth = obtainedAt === undefined ? margin : (expiresAt - obtainedAt) / 10
  return expiresAt - now <= Math.min(margin, Math.max(0, tenth))
}

/** Whether a token is over. */
export function isOver({ expiresAt }: TokenTimes, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now
}

type TokenTimes = Pick<StoredToken, 'expiresAt' | 'obtainedAt'>
