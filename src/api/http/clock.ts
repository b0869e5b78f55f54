/** Time as this computer measures it. A test hands in one whose pauses take none. */
export interface Clock {
  /** Monotonic milliseconds. */
  readonly monotonicNow: () => number
  /** Waits that many milliseconds; less, and without an error, if the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Waits until the next request may be sent, and says how many milliseconds that took. */
export type Pace = () => Promise<number>

/** Spaces requests out to `perSecond` at most, in the order in which they ask. Saves up no unused turn. */
export function createPace(perSecond: number, { monotonicNow, sleep }: Clock): Pace {
  const betweenMs = 1000 / perSecond
  let next = Number.NEGATIVE_INFINITY
  return async () => {
    const askedAt = monotonicNow()
    const turn = Math.max(askedAt, next)
    next = turn + betweenMs
    if (turn > askedAt) await sleep(turn - askedAt)
    return monotonicNow() - askedAt
  }
}
