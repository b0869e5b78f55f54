import { isCertificateError } from '../../text/connection-codes.ts'
import type { AttemptResult, ConnectionLost, HttpResponse } from './attempt.ts'
import type { Clock } from './clock.ts'

/** The most times that a request is sent, unless it is retried for a set time. */
const usualAttempts = 3

/** Retry budget of a whole run: a failing service does not get three requests for each of many rows. */
const budget = { tokens: 500, retry: 5, timeout: 10, refund: 1 }

/** A retry does not help against a bad certificate, an unknown host name or a proxy that refuses. */
const isPermanent = (code: string) =>
  /^(40[0-7]|ENOTFOUND|EPROTO|ERR_SSL_.*)$/.test(code) || isCertificateError(code)

/** The result of a call after all its attempts. */
export interface RetryResult {
  readonly ending: AttemptResult
  /** Why earlier attempts may have been applied although they failed: `500`, `reset`. */
  readonly doubts: readonly string[]
  /** How long the service asks clients to wait, when this run did not wait that long. */
  readonly retryAfterMs?: number | undefined
}

/** Sends one request, within a time limit. Gets the doubts that earlier attempts left. */
type SendOnce = (limitMs: number, doubts: readonly string[]) => Promise<AttemptResult>

interface RetryOptions extends Clock {
  /** From 0 to below 1. */
  readonly random: () => number
  /** The most times that a request is sent. Overrides the usual number and `retryForMs`. */
  readonly attempts?: number | undefined
  /** How long a failed read is retried, in milliseconds; 0: not at all. Without it, as often as a write. */
  readonly retryForMs?: number | undefined
}

/**
 * Retries a read, a deletion, a request that was never sent, and a 429. Any other POST or PUT goes once, because it may
 * have been applied. The function that is returned makes the attempts of a call within `totalMs`.
 */
export function createRetryPolicy({
  monotonicNow,
  sleep,
  random,
  attempts: maxAttempts,
  retryForMs,
}: RetryOptions) {
  const limit = maxAttempts ?? usualAttempts
  let tokens = budget.tokens
  /** When the service asks for a pause, all requests of this client wait. */
  let pausedUntil = 0

  /** Waits while the service asked for a pause; also where another request is told so meanwhile. */
  async function waitForPause(deadline: number): Promise<void> {
    while (pausedUntil > monotonicNow() && deadline > monotonicNow())
      await sleep(Math.min(pausedUntil, deadline) - monotonicNow())
  }

  return async (
    method: string,
    totalMs: number,
    send: SendOnce,
    /** `why`: the status, or why the connection was lost. */
    onPause: (pause: { readonly ms: number; readonly why: string }) => void,
    /** The most times that this request is sent, if that is fewer. */
    callLimit?: number,
  ): Promise<RetryResult> => {
    const deadline = monotonicNow() + totalMs
    const canRepeat = method === 'GET' || method === 'DELETE'
    const isTimed = method === 'GET' && maxAttempts === undefined && retryForMs !== undefined
    /** How long one of the attempts may take, so that there is time for the others. */
    const attemptMs = !canRepeat ? Infinity : isTimed && retryForMs === 0 ? totalMs : totalMs / limit
    /** Who says how long a read is tried again waits for a service that asks for as long. */
    const longestMs = isTimed ? Math.max(longestAskedMs, retryForMs) : longestAskedMs
    /** When to give up a read, counted from its first failure: a slow first attempt uses up nothing. */
    let givenUpAt = Infinity
    const doubts: string[] = []
    for (let attempt = 1; ; attempt++) {
      await waitForPause(deadline)
      const ending = await send(Math.min(deadline - monotonicNow(), attemptMs), doubts)
      if (ending.response && ending.response.status < 400)
        tokens = Math.min(budget.tokens, tokens + budget.refund)
      const retryAfter = ending.response && retryAfterMs(ending.response)
      if (isTimed && attempt === 1) givenUpAt = monotonicNow() + retryForMs
      const remainingMs = givenUpAt - monotonicNow()
      const ms = retryAfter ?? Math.min(backoffMs(attempt, random), remainingMs)
      const cost = ending.lost?.reason === 'timeout' ? budget.timeout : budget.retry
      const isWaitedFor = ms <= longestMs && monotonicNow() + ms + leastAttemptMs < deadline
      // A pause that this request does not wait for holds up no other: it may outlast the time of that too.
      if (retryAfter !== undefined && isWaitedFor)
        pausedUntil = Math.max(pausedUntil, monotonicNow() + retryAfter)
      const isLast = attempt === callLimit || (isTimed ? remainingMs <= 0 : attempt === limit)
      if (isLast || !isWaitedFor || tokens < cost || !mayRepeat(method, ending, attempt))
        return { ending, doubts, retryAfterMs: retryAfter }
      tokens -= cost
      const why = ending.response ? String(ending.response.status) : ending.lost.reason
      if (mayHaveBeenApplied(ending)) doubts.push(why)
      onPause({ ms, why })
      await sleep(ms)
    }
  }
}

function mayRepeat(method: string, { response, lost }: AttemptResult, attempt: number): boolean {
  if (lost && !lost.sent) return isTransient(lost)
  if (response?.status === 429) return true
  if (method === 'DELETE' && response?.status === 409) return attempt === 1
  if (method !== 'GET' && method !== 'DELETE') return false
  // For a deletion the success status is enough; the body is not needed.
  if (lost && method === 'DELETE' && lost.status !== undefined && lost.status < 300) return false
  if (lost) return lost.reason === 'timeout' || lost.reason === 'reset'
  return isRetryableStatus(response.status)
}

function isTransient({ reason, systemCode }: ConnectionLost): boolean {
  return reason === 'connect' && !(systemCode && isPermanent(systemCode))
}

/** A failure that may pass, also one with a status of a gateway's own (520 to 530). What a service cannot do at all stays so. */
const isRetryableStatus = (status: number) =>
  status === 408 || (status >= 500 && status !== 501 && status !== 505)

function mayHaveBeenApplied({ response, lost }: AttemptResult): boolean {
  return lost ? lost.sent : isRetryableStatus(response.status) || response.status === 409
}

/**
 * The wait that Retry-After asks for (RFC 9110, 10.2.3), by the response's clock; this machine's may be wrong. A
 * service that says 0 and refuses the next request too is left alone for as long as one that says nothing.
 */
function retryAfterMs({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value || (status !== 429 && status !== 503)) return undefined
  const ms = /^\d+$/.test(value)
    ? Number(value) * 1000
    : Date.parse(value) - Date.parse(headers.get('date') ?? '')
  return ms > 0 && Number.isFinite(ms) ? ms : undefined
}

/** The limit of a pause before it doubles, and the highest limit, in milliseconds. */
const [firstPauseMs, longestPauseMs] = [500, 20_000]

/** The longest Retry-After that is waited for unless a person allows more. For a longer one the command ends, to be run again later. */
export const longestAskedMs = 60_000

/** In milliseconds. An attempt with less time left would only be late, and hide why the one before it failed. */
const leastAttemptMs = 100

/** A random pause of milliseconds, up to a limit that doubles: a thousand clients do not retry at once. */
export function backoffMs(doublings: number, random: () => number): number {
  return random() * Math.min(longestPauseMs, firstPauseMs * 2 ** doublings)
}
