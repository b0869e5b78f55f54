import { Failure, type FailureDetails } from '../../errors.ts'
import type { Change } from '../rows/row-state.ts'

/** What a failed POST means for its row and for the run. */
export interface FailureClass {
  readonly change: Change
  /** Stops the run; the other rows stay pending. */
  readonly stop?: 'key' | 'route' | 'bug'
  /** Slows the run down. */
  readonly pace?: 'busy' | 'unreachable'
}

/** Statuses that refuse this row: "the service does not commit and then answer 4xx". */
const refusals = new Set([400, 411, 413, 415, 422])

/**
 * "Everything else after the first request byte" is ambiguous: a reset, a time-out, a redirect, 408, 409, 5xx, a
 * web page, `success: false`. 409 in particular: the record that it conflicts with may be the one that was sent.
 */
export function classifyFailure(error: unknown): FailureClass {
  const held: Change = { type: 'held' }
  const doubted: Change = { type: 'doubted' }
  if (!(error instanceof Failure)) return { change: doubted, stop: 'bug' }
  const { outcome, status } = error.details
  // It waited too long after it was claimed: see `claim-time.ts`.
  if (error.code === 'locked') return { change: held, pace: 'busy' }
  // The settings are wrong, not the row: every other row would fail too.
  if (error.code === 'usage') return { change: held, stop: 'bug' }
  if (outcome === 'not-sent') {
    return error.code === 'temporary' ? { change: held, pace: 'unreachable' } : { change: held, stop: 'bug' }
  }
  if (status === 429) return { change: held, pace: 'busy' }
  if (status === 401 || status === 403) return { change: held, stop: 'key' }
  if (outcome === 'refused' && (status === 404 || status === 405)) return { change: held, stop: 'route' }
  if (outcome === 'refused' && status !== undefined && refusals.has(status))
    return { change: { type: 'refused' } }
  return { change: doubted, ...(status === 503 && { pace: 'busy' }) }
}

/** How long the service asked to wait, in milliseconds, if it did. */
export function retryAfterOf(error: unknown): number | undefined {
  if (!(error instanceof Failure)) return undefined
  const { retryAfterMs }: FailureDetails & { readonly retryAfterMs?: number } = error.details
  return retryAfterMs
}
