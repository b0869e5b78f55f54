import { Failure } from '../errors.ts'

/** Watches how long a claimed row waits before its request leaves. */
export type ClaimTime = ReturnType<typeof watchClaims>

/** A row may wait this long even where `settleMs` is smaller. */
const shortestMs = 1000

/**
 * Limits how long a claimed row may wait: half of `settleMs`, because other runs take the run of a sleeping
 * computer for dead. The longer of several clocks counts: some stop while a computer sleeps, others jump.
 */
export function watchClaims(settleMs: number, clocks: readonly (() => number)[]) {
  const mostMs = Math.max(settleMs / 2, shortestMs)
  return {
    /** Call it before a row is claimed. The function that it returns throws a Failure if too much time has passed. */
    start(): () => void {
      const started = clocks.map((clock) => clock())
      return () => {
        const passed = clocks.map((clock, at) => clock() - (started[at] ?? 0))
        if (Math.max(...passed) <= mostMs) return
        throw new Failure(
          'locked',
          'The row was reserved for too long before its turn came, so it was not sent.',
          {
            outcome: 'not-sent',
            retryable: true,
          },
        )
      }
    },
  }
}
