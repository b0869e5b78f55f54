import { Failure } from '../errors.ts'

/** Watches how long a claimed row waits before its request leaves. */
export type ClaimTime = ReturnType<typeof watchClaims>

/** Even with a --settle of 0, a row may wait so long. */
const shortestMs = 1000

/**
 * A claim counts for half of `settleMs`, because others take the run of a computer that sleeps for dead. By
 * the longer of two clocks: some stop while a computer sleeps, others jump.
 */
export function watchClaims(settleMs: number, clocks: readonly (() => number)[]) {
  const mostMs = Math.max(settleMs / 2, shortestMs)
  return {
    /** Call it before a row is claimed. What it returns throws a Failure if too much time has passed since. */
    start(): () => void {
      const started = clocks.map((clock) => clock())
      return () => {
        const passed = clocks.map((clock, at) => clock() - (started[at] ?? 0))
        if (Math.max(...passed) <= mostMs) return
        throw new Failure('locked', 'The row waited too long after it was claimed, so it was not sent.', {
          outcome: 'not-sent',
          retryable: true,
        })
      }
    },
  }
}
