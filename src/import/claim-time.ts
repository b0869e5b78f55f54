import { Failure } from '../errors.ts'

/** A row may wait this long even where `settleMs` is smaller. */
const shortestMs = 1000

/**
 * Call it before a row is claimed, and what it returns right before the request leaves: that throws where the row waited
 * longer than half of `settleMs`, because other runs take the run of a sleeping computer for dead. The longer of several
 * clocks counts: some stop while a computer sleeps, others jump.
 */
export function startClaim(settleMs: number, clocks: readonly (() => number)[]): () => void {
  const mostMs = Math.max(settleMs / 2, shortestMs)
  const started = clocks.map((clock) => clock())
  return () => {
    const passed = clocks.map((clock, at) => clock() - (started[at] ?? 0))
    if (Math.max(...passed) <= mostMs) return
    const message = 'The row was reserved for too long before its turn came, so it was not sent.'
    throw new Failure('locked', message, { outcome: 'not-sent', retryable: true })
  }
}
