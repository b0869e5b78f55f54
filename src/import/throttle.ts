import { backoffMs, longestAskedMs } from '../api/http/retry.ts'

/** Decides how fast to send. */
export type Throttle = ReturnType<typeof createThrottle>

interface ThrottleOptions {
  readonly concurrency: number
  readonly clock: () => number
  /** From 0 to below 1. */
  readonly random: () => number
}

const cleanForOneMore = 20
/** Give up after so many pauses without a clean answer in between. */
const mostRests = { busy: 8, unreachable: 3 }
/** The run stops at 5 doubtful answers among the last 20: each of them has to be looked at by a person. */
const [mostDoubts, window] = [5, 20]

/** How fast to send: half as many at a time when the service is busy, one more after twenty clean answers. */
export function createThrottle({ concurrency, clock, random }: ThrottleOptions) {
  let limit = concurrency
  let clean = 0
  let rests = 0
  let until = 0
  let askedMs: number | undefined
  let stopReason: 'busy' | 'unreachable' | 'doubts' | undefined
  let restedAt = Number.NEGATIVE_INFINITY
  const recent: boolean[] = []

  function outcome(doubtful: boolean): void {
    recent.push(doubtful)
    if (recent.length > window) recent.shift()
    if (recent.filter(Boolean).length >= mostDoubts) stopReason ??= 'doubts'
  }

  function rest(started: number, why: 'busy' | 'unreachable', retryAfterMs?: number): void {
    clean = 0
    askedMs = retryAfterMs ?? askedMs
    if (retryAfterMs !== undefined && retryAfterMs > longestAskedMs) stopReason ??= why
    // Requests that ran at the same time count as one pause.
    if (started < restedAt) {
      until = Math.max(until, clock() + (retryAfterMs ?? 0))
      return
    }
    rests += 1
    if (rests > mostRests[why]) stopReason ??= why
    limit = Math.max(1, Math.floor(limit / 2))
    const own = backoffMs(rests - 1, random)
    restedAt = clock()
    until = restedAt + (retryAfterMs ?? own)
  }

  return {
    limit: () => limit,
    /** Milliseconds until the next request may start. */
    wait: () => Math.max(0, until - clock()),
    /** The time at which a request starts, for `busy` and `unreachable`. */
    start: clock,
    clean(): void {
      outcome(false)
      rests = 0
      clean += 1
      if (clean < cleanForOneMore || limit >= concurrency) return
      limit += 1
      clean = 0
    },
    busy: (started: number, retryAfterMs?: number) => rest(started, 'busy', retryAfterMs),
    unreachable: (started: number) => rest(started, 'unreachable'),
    doubt: () => outcome(true),
    stopReason: () => stopReason,
    /** How long the service last asked to wait, in milliseconds. */
    retryAfterMs: () => askedMs,
  }
}
