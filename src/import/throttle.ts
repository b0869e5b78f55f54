import { backoffMs, longestAskedMs } from '../api/http/retry.ts'

/** How fast an import may send, by what the service answered so far. */
export type Throttle = ReturnType<typeof createThrottle>

type StopReason = 'busy' | 'unreachable' | 'unclear'

interface ThrottleOptions {
  readonly concurrency: number
  readonly clock: () => number
  /** From 0 to below 1. */
  readonly random: () => number
}

const clearForOneMore = 20
/** The run gives up after more pauses than these without a clear answer in between. */
const mostRests = { busy: 8, unreachable: 3 }
/** The run stops at 5 unclear answers among the last 20, because a person has to check each of them. */
const [mostUnclear, window] = [5, 20]

/**
 * Decides how fast to send: half as many requests at once when the service
 * is busy, one more after twenty clear answers. Times are of the clock that it was given.
 */
export function createThrottle({ concurrency, clock, random }: ThrottleOptions) {
  let limit = concurrency
  let clearAnswers = 0
  let rests = 0
  let restsUntil = 0
  let askedMs: number | undefined
  let stopReason: StopReason | undefined
  let restedAt = Number.NEGATIVE_INFINITY
  const recent: boolean[] = []

  function countAnswer(isUnclear: boolean): void {
    recent.push(isUnclear)
    if (recent.length > window) recent.shift()
    if (recent.filter(Boolean).length >= mostUnclear) stopReason ??= 'unclear'
  }

  function rest(started: number, why: 'busy' | 'unreachable', retryAfterMs?: number): void {
    clearAnswers = 0
    askedMs = retryAfterMs ?? askedMs
    if (retryAfterMs !== undefined && retryAfterMs > longestAskedMs) stopReason ??= why
    // Requests that ran at the same time count as one pause.
    if (started < restedAt) {
      restsUntil = Math.max(restsUntil, clock() + (retryAfterMs ?? 0))
      return
    }
    rests += 1
    if (rests > mostRests[why]) stopReason ??= why
    limit = Math.max(1, Math.floor(limit / 2))
    restedAt = clock()
    restsUntil = restedAt + (retryAfterMs ?? backoffMs(rests - 1, random))
  }

  return {
    /** How many requests may be under way. */
    mostAtOnce: () => limit,
    /** Milliseconds until the next request may start. */
    restMs: () => Math.max(0, restsUntil - clock()),
    /** Why nothing more is to be sent, if there is a reason. */
    stopReason: () => stopReason,
    /** How long the service last asked to wait, in milliseconds. */
    retryAfterMs: () => askedMs,
    /** The time at which a request starts, for `noteBusy` and `noteUnreachable`. */
    startRequest: clock,
    noteClear() {
      countAnswer(false)
      rests = 0
      clearAnswers += 1
      if (clearAnswers < clearForOneMore || limit >= concurrency) return
      limit += 1
      clearAnswers = 0
    },
    noteUnclear: () => countAnswer(true),
    noteBusy: (started: number, retryAfterMs?: number) => rest(started, 'busy', retryAfterMs),
    noteUnreachable: (started: number) => rest(started, 'unreachable'),
  }
}
