import type { Clock } from './clock.ts'

/** Waits until the next request may be sent, and says how many milliseconds that took. */
export type Pace = () => Promise<number>

/**
 * Spaces requests out: at most so many a second, each by itself, none saved up while nothing was sent. They leave in the order in
 * which they ask.
 */
export function createPace(perSecond: number, { monotonicNow, sleep }: Clock): Pace {
  const betweenMs = 1000 / perSecond
  let next = Number.NEGATIVE_INFINITY
  return async () => {
    const asked = monotonicNow()
    const turn = Math.max(asked, next)
    next = turn + betweenMs
    if (turn > asked) await sleep(turn - asked)
    return monotonicNow() - asked
  }
}
