import { expect, test } from 'vitest'
import { type AttemptResult, ConnectionLost } from '../../../src/api/http/attempt.ts'
import type { Clock } from '../../../src/api/http/clock.ts'
import { backoffMs, createRetryPolicy, longestAskedMs } from '../../../src/api/http/retry.ts'
import { connectionFailure } from '../../../src/api/outcome/interpret-response.ts'
import { createThrottle } from '../../../src/import/throttle.ts'
import { operations } from '../../../src/model/resources/operations.ts'

const operation = operations.vatCodes.list

/** A clock that stands until all that runs waits for it, and then goes on to the next that wakes. */
function steppedClock(): Clock & { readonly runOut: () => Promise<void> } {
  let now = 0
  let sleepers: { at: number; wake: () => void }[] = []
  return {
    monotonicNow: () => now,
    sleep: (ms) => new Promise((wake) => sleepers.push({ at: now + ms, wake })),
    async runOut() {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve))
        const next = Math.min(...sleepers.map(({ at }) => at))
        if (next === Number.POSITIVE_INFINITY) return
        now = next
        const awake = sleepers.filter(({ at }) => at === next)
        sleepers = sleepers.filter(({ at }) => at !== next)
        for (const { wake } of awake) wake()
      }
    },
  }
}

/** Reads by one policy on a stepped clock. `sent` is which read went out, and when; each is answered 200 but for `answers`. */
function reading(answers: Record<string, AttemptResult[]>, totalMs = 60_000) {
  const clock = steppedClock()
  const policy = createRetryPolicy({ ...clock, random: () => 0.25 })
  const sent: [string, number][] = []
  const limits: number[] = []
  const attempt = (name: string) => async (limitMs: number) => {
    sent.push([name, clock.monotonicNow()])
    limits.push(limitMs)
    return answers[name]?.shift() ?? answered(200)
  }
  const start = (name: string) => policy(operation.method, totalMs, attempt(name), () => {})
  return { clock, sent, limits, start }
}

function answered(status: number, retryAfter?: string): AttemptResult {
  const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter })
  return { response: { status, headers, body: { text: '{}', isJson: true, value: {} } } }
}

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

test.each([
  [300, [0]],
  [400, [0, 250]],
])('a read is tried again only where the next try has time: of %i ms, at %j', async (totalMs, times) => {
  const { clock, sent, start } = reading({ one: [answered(503)] }, totalMs)
  const ended = start('one')
  await clock.runOut()
  await ended
  expect(sent).toEqual(times.map((at) => ['one', at]))
})

test.each([
  [undefined, 20_000],
  [30_000, 20_000],
  [0, 60_000],
])('a read that is tried again for %s ms has %i of a minute for its first try', async (retryForMs, first) => {
  const limits: number[] = []
  const policy = createRetryPolicy({ ...steppedClock(), random: () => 0.25, retryForMs })
  const attempt = async (limitMs: number) => {
    limits.push(limitMs)
    return answered(200)
  }
  await policy(operation.method, 60_000, attempt, () => {})
  expect(limits).toEqual([first])
})

test('a single request and an import pause by the same rule, and leave nothing to chance of their own', async () => {
  const random = () => 0.25
  const lost = { lost: new ConnectionLost('reset', { sent: true }) }
  const { clock, sent, start } = reading({ a: [lost, lost, lost] })
  await Promise.all([start('a'), clock.runOut()])
  const [once, twice] = [backoffMs(1, random), backoffMs(2, random)]
  expect(sent.map(([, at]) => at)).toEqual([0, once, once + twice])

  let now = 0
  const throttle = createThrottle({ concurrency: 4, clock: () => now, random })
  for (const rests of [0, 1, 2]) {
    throttle.noteBusy(throttle.startRequest())
    expect(throttle.restMs()).toBe(backoffMs(rests, random))
    now += 60_000
  }
})

test.each([
  [longestAskedMs, undefined],
  [longestAskedMs + 1, 'busy'],
])('an import that is asked to wait %i ms gives up: %s', (ms, over) => {
  const throttle = createThrottle({ concurrency: 4, clock: () => 0, random: () => 0.5 })
  throttle.noteBusy(throttle.startRequest(), ms)
  expect(throttle.stopReason()).toBe(over)
})

test('a request that begins while the service wants to be left alone waits before it is sent', async () => {
  const { clock, sent, start } = reading({ first: [answered(429, '30')] })
  const first = start('first')
  const second = clock.sleep(10_000).then(() => start('second'))
  await Promise.all([clock.runOut(), first, second])
  expect(sent.sort()).toEqual([
    ['first', 0],
    ['first', 30_000],
    ['second', 30_000],
  ])
})

test('a pause that is too long for the time of a read is none for another request', async () => {
  const clock = steppedClock()
  const policy = createRetryPolicy({ ...clock, random: () => 0.25, retryForMs: 600_000 })
  const limits: number[] = []
  const ask = (method: string, result: AttemptResult) => {
    const attempt = async (limitMs: number) => {
      limits.push(limitMs)
      return result
    }
    return policy(method, 120_000, attempt, () => {})
  }
  const read = await ask('GET', answered(429, '150'))
  expect(read).toMatchObject({ retryAfterMs: 150_000 })
  await Promise.all([ask('PUT', answered(200)), clock.runOut()])
  expect([clock.monotonicNow(), limits]).toEqual([0, [40_000, 120_000]])
})

test.each([
  ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
  ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'INVALID_CA'],
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('the certificate error %s is told as one, and not tried again', async (cause) => {
  const lost = new ConnectionLost('connect', { sent: false, cause })
  const { clock, sent, start } = reading({ a: [{ lost }] })
  await Promise.all([start('a'), clock.runOut()])
  expect(sent).toHaveLength(1)
  const call = { operation, path: '/svc/vat-codes', origin: 'https://payroll.example.com' }
  const { message } = connectionFailure({ ...call, requestId: undefined }, lost)
  expect(message).toContain(`its certificate is not trusted (${cause})`)
})
