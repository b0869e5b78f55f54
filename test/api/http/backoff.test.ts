import { expect, test } from 'vitest'
import { operations } from '../../../src/api/contract/operations/operations.ts'
import { ConnectionLost } from '../../../src/api/http/attempt.ts'
import { backoffMs, createRetryPolicy, longestAskedMs } from '../../../src/api/http/retry.ts'
import { createThrottle } from '../../../src/import/throttle.ts'

test.each([
  [0, 500],
  [1, 1000],
  [5, 16_000],
  [6, 20_000],
  [40, 20_000],
])('after %i doublings a pause is anything up to %i ms', (doublings, longest) => {
  expect(backoffMs(doublings, () => 0)).toBe(0)
  expect(backoffMs(doublings, () => 0.5)).toBe(longest / 2)
})

test('a single request and an import pause by the same rule, and leave nothing to chance of their own', async () => {
  const random = () => 0.25
  const waited: number[] = []
  const policy = createRetryPolicy({
    monotonicNow: () => 0,
    sleep: async (ms) => void waited.push(ms),
    random,
  })
  const lost = new ConnectionLost('reset', { sent: true })
  await policy.run(
    operations.vatCodes.list,
    1_000_000,
    async () => ({ lost: lost }),
    () => {},
  )
  expect(waited).toEqual([backoffMs(1, random), backoffMs(2, random)])

  let now = 0
  const throttle = createThrottle({ concurrency: 4, clock: () => now, random })
  for (const rests of [0, 1, 2]) {
    throttle.busy(throttle.start())
    expect(throttle.wait()).toBe(backoffMs(rests, random))
    now += 60_000
  }
})

test.each([
  [longestAskedMs, undefined],
  [longestAskedMs + 1, 'busy'],
])('an import that is asked to wait %i ms gives up: %s', (ms, over) => {
  const throttle = createThrottle({ concurrency: 4, clock: () => 0, random: () => 0.5 })
  throttle.busy(throttle.start(), ms)
  expect(throttle.stopReason()).toBe(over)
})
