import { describe, expect, test } from 'vitest'
import { createClient } from '../../../src/api/client.ts'
import { operations } from '../../../src/api/contract/operations/operations.ts'
import type { AttemptResult } from '../../../src/api/http/attempt.ts'
import type { Clock } from '../../../src/api/http/clock.ts'
import { createPace } from '../../../src/api/http/pace.ts'
import { createRetryPolicy } from '../../../src/api/http/retry.ts'
import { createTransport } from '../../../src/api/http/transport.ts'
import { answerJson, service } from '../../service.ts'

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

describe('the pace of requests', () => {
  test.each([
    [0.5, [0, 2000, 4000, 6000]],
    [4, [0, 250, 500, 750]],
  ])('at %d a second spaces them out, in the order in which they ask', async (perSecond, expected) => {
    const clock = steppedClock()
    const pace = createPace(perSecond, clock)
    const gone: [number, number][] = []
    const all = ['a', 'b', 'c', 'd'].map(async (_, at) => {
      await pace()
      gone.push([at, clock.monotonicNow()])
    })
    await clock.runOut()
    await Promise.all(all)
    expect(gone).toEqual(expected.map((at, index) => [index, at]))
  })

  test('saves nothing up while nothing is sent', async () => {
    const clock = steppedClock()
    const pace = createPace(1, clock)
    const idle = clock.sleep(60_000)
    await clock.runOut()
    await idle
    const waits = Promise.all([pace(), pace(), pace()])
    await clock.runOut()
    expect(await waits).toEqual([0, 1000, 2000])
  })

  test('is kept after a pause that the service asked of another request, and takes nothing off the time of a call', async () => {
    const clock = steppedClock()
    const policy = createRetryPolicy({ ...clock, random: () => 0, pace: createPace(1, clock) })
    const sent: [string, number, number][] = []
    const answers: Record<string, AttemptResult[]> = { a: [answered(429, '10'), answered(200)] }
    const call = (name: string) =>
      policy.run(
        operations.vatCodes.list,
        30_000,
        async (limitMs) => {
          sent.push([name, clock.monotonicNow(), limitMs])
          return answers[name]?.shift() ?? answered(200)
        },
        () => {},
      )
    const calls = ['a', 'b', 'c'].map(call)
    await clock.runOut()
    await Promise.all(calls)
    expect(sent.map(([name, at]) => [name, at])).toEqual([
      ['a', 0],
      ['a', 10_000],
      ['b', 11_000],
      ['c', 12_000],
    ])
    expect(sent.every(([, , limitMs]) => limitMs > 0)).toBe(true)
  })

  test('holds for a request that is sent again with another key', async () => {
    const { baseUrl, received } = await service(({ headers }, response) =>
      answerJson(response, headers.authorization === 'CANARYold' ? 401 : 200, { data: [], totalDocs: 0 }),
    )
    let turns = 0
    const client = createClient({
      baseUrl,
      prefix: 'svc',
      corrections: {},
      authorization: async (refused) => {
        const key = refused ? 'CANARYnew' : 'CANARYold'
        return { header: 'Authorization', value: key, key }
      },
      fetch: createTransport(baseUrl),
      monotonicNow: () => performance.now(),
      sleep: async () => {},
      random: () => 0,
      timeoutMs: 5000,
      pace: async () => {
        turns += 1
        return 0
      },
    })
    await client.call(operations.vatCodes.list)
    expect([received.length, turns]).toEqual([2, 2])
  })
})

function answered(status: number, retryAfter?: string): AttemptResult {
  const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter })
  return { response: { status, headers, body: { text: '{}', isJson: true, value: {} } } }
}
