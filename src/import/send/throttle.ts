import { backoffMs, longestAskedMs } from '../../api/http/backoff.ts'

/**
 * How fast rows are sent. A service that says it is busy halves the number of requests under way and stops all
 * of them for as long as it asks; twenty clean answers give one back.
 */
export interface Throttle {
  /** How many requests may be under way. */
  readonly limit: () => number
  /** Milliseconds until the next request may start; 0 for now. */
  readonly wait: () => number
  /** A mark for a request that starts now. */
  readonly start: () => number
  readonly clean: () => void
  /** The service wants a rest. `retryAfterMs`: as long as it said. */
  readonly busy: (started: number, retryAfterMs?: number) => void
  /** Nothing answers there. */
  readonly unreachable: (started: number) => void
  /** The outcome of a request is unknown. */
  readonly doubt: () => void
  /** Why to give up, once there is a reason. */
  readonly stopReason: () => 'busy' | 'unreachable' | 'doubts' | undefined
  /** How long the service last asked to wait, in milliseconds. */
  readonly retryAfterMs: () => number | undefined
}

export interface ThrottleOptions {
  readonly concurrency: number
  readonly clock: () => number
  /** From 0 to below 1. */
  readonly random: () => number
}

const cleanForOneMore = 20
/** Rests in a row, with no clean answer in between, after which it is not going to get better. */
const mostRests = { busy: 8, unreachable: 3 }
/** "5 ambiguous in the last 20". */
const [mostDoubts, window] = [5, 20]

export function createThrottle({ concurrency, clock, random }: ThrottleOptions): Throttle {
  let limit = concurrency
  let clean = 0
  let rests = 0
  let until = 0
  let asked: number | undefined
  let over: ReturnType<Throttle['stopReason']>
  let restedAt = Number.NEGATIVE_INFINITY
  const recent: boolean[] = []

  function outcome(doubtful: boolean): void {
    recent.push(doubtful)
    if (recent.length > window) recent.shift()
    if (recent.filter(Boolean).length >= mostDoubts) over ??= 'doubts'
  }

  function rest(started: number, why: 'busy' | 'unreachable', retryAfterMs?: number): void {
    clean = 0
    asked = retryAfterMs ?? asked
    if (retryAfterMs !== undefined && retryAfterMs > longestAskedMs) over ??= why
    // Requests that were under way together are told the same thing once.
    const told = started < restedAt
    if (told) {
      until = Math.max(until, clock() + (retryAfterMs ?? 0))
      return
    }
    rests += 1
    if (rests > mostRests[why]) over ??= why
    limit = Math.max(1, Math.floor(limit / 2))
    const own = backoffMs(rests - 1, random)
    restedAt = clock()
    until = restedAt + (retryAfterMs ?? own)
  }

  return {
    limit: () => limit,
    wait: () => Math.max(0, until - clock()),
    start: clock,
    clean() {
      outcome(false)
      rests = 0
      clean += 1
      if (clean < cleanForOneMore || limit >= concurrency) return
      limit += 1
      clean = 0
    },
    busy: (started, retryAfterMs) => rest(started, 'busy', retryAfterMs),
    unreachable: (started) => rest(started, 'unreachable'),
    doubt: () => outcome(true),
    stopReason: () => over,
    retryAfterMs: () => asked,
  }
}
