import { Failure } from '../errors.ts'

export type ClaimTime = ReturnType<typeof watchClaims>

/** Even with a --settle of 0, a row may wait so long. */
const shortestMs = 1000

/**
 * A computer may sleep after it claimed a row. Others then take its run for dead, wait for `settleMs`, and look for the row:
 * it must not be sent after that. So a claim counts for half of that time. Some clocks stop while a computer sleeps and
 * others jump, so the longer of both times counts.
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
