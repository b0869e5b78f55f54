import type { Operation } from '../contract/operations/operation.ts'
import type { AttemptResult } from './attempt.ts'
import { backoffMs, longestAskedMs } from './backoff.ts'
import { isCertificateError } from './certificate-error.ts'
import type { ConnectionLost } from './connection-lost.ts'
import { retryAfterMs } from './retry-after.ts'

/** How often a request is sent at most. */
export const mostAttempts = 3

/** For a whole run, so that a service in trouble is not asked three times for each of a thousand rows. */
const budget = { tokens: 500, retry: 5, timeout: 10, refund: 1 }

/** Trying again makes no bad certificate good, no unknown name known, and no proxy that said no say yes. */
const isPermanent = (code: string) => /^(40[0-7]|ENOTFOUND|EPROTO)$/.test(code) || isCertificateError(code)

/** The end of a call, all its attempts counted. */
export interface RetryResult {
  readonly ending: AttemptResult
  /** Why attempts before the last may have been carried out although they failed: `500`, `reset`. */
  readonly doubts: readonly string[]
  /** How long the service asks to be left alone, when it was not waited for. */
  readonly retryAfterMs?: number | undefined
}

export interface Pause {
  readonly ms: number
  /** The status, or what became of the connection. */
  readonly why: string
}

export interface RetryPolicy {
  /** Attempts within `totalMs`, each given the milliseconds that it may take and the doubts that earlier ones left. */
  run(
    operation: Operation,
    totalMs: number,
    send: (limitMs: number, doubts: readonly string[]) => Promise<AttemptResult>,
    onPause: (pause: Pause) => void,
  ): Promise<RetryResult>
}

export interface RetryOptions {
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  readonly wait: (ms: number) => Promise<void>
  /** From 0 to below 1. */
  readonly random: () => number
}

/**
 * What may be sent again, and when. "Reads and not sent": a read; whatever never left; a deletion, which twice is
 * the same as once; and what was answered 429, which is a no. A POST or a PUT of which a byte left is never sent
 * again.
 */
export function createRetryPolicy({ clock, wait, random }: RetryOptions): RetryPolicy {
  let tokens = budget.tokens
  /** When the service asked everybody to wait, all requests of this client do. */
  let pausedUntil = 0

  return {
    async run(operation, totalMs, send, onPause) {
      const deadline = clock() + totalMs
      const canRepeat = operation.method === 'GET' || operation.method === 'DELETE'
      const doubts: string[] = []
      for (let attempts = 1; ; attempts++) {
        const quiet = pausedUntil - clock()
        if (quiet > 0) await wait(Math.min(quiet, deadline - clock()))
        const left = deadline - clock()
        const ending = await send(canRepeat ? Math.min(left, totalMs / mostAttempts) : left, doubts)
        if (ending.answered && ending.answered.status < 400)
          tokens = Math.min(budget.tokens, tokens + budget.refund)
        const asked = ending.answered && retryAfterMs(ending.answered)
        const cost = ending.lost?.reason === 'timeout' ? budget.timeout : budget.retry
        const pauseMs = asked ?? backoffMs(attempts, random)
        const fits = pauseMs <= longestAskedMs && clock() + pauseMs < deadline && tokens >= cost
        if (asked !== undefined && asked <= longestAskedMs)
          pausedUntil = Math.max(pausedUntil, clock() + asked)
        if (attempts === mostAttempts || !fits || !mayRepeat(operation, ending, attempts)) {
          return { ending, doubts, retryAfterMs: asked }
        }
        tokens -= cost
        if (mayHaveBeenApplied(ending)) doubts.push(reasonOf(ending))
        onPause({ ms: pauseMs, why: reasonOf(ending) })
        await wait(pauseMs)
      }
    },
  }
}

function mayRepeat({ method }: Operation, { answered, lost }: AttemptResult, attempts: number): boolean {
  if (lost && !lost.sent) return isTransient(lost)
  if (answered?.status === 429) return true
  if (method === 'DELETE' && answered?.status === 409) return attempts === 1
  if (method !== 'GET' && method !== 'DELETE') return false
  // The head of an answer that says yes is answer enough for a deletion.
  if (lost && method === 'DELETE' && lost.status !== undefined && lost.status < 300) return false
  if (lost) return lost.reason === 'timeout' || lost.reason === 'reset'
  const { status, body } = answered
  return isRetryableStatus(status) || (method === 'GET' && status < 300 && !body.isJson && body.isCutOff)
}

function isTransient({ reason, systemCode }: ConnectionLost): boolean {
  return reason === 'connect' && !(systemCode && isPermanent(systemCode))
}

const isRetryableStatus = (status: number) => [408, 500, 502, 503, 504].includes(status)

/** Whether a request may have been carried out although it failed. */
function mayHaveBeenApplied({ answered, lost }: AttemptResult): boolean {
  return lost ? lost.sent : isRetryableStatus(answered.status) || answered.status === 409
}

function reasonOf({ answered, lost }: AttemptResult): string {
  return answered ? String(answered.status) : lost.reason
}
