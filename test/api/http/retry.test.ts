import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { ConnectionLost } from '../../../src/api/http/attempt.ts'
import type { Failure } from '../../../src/errors.ts'
import { operations } from '../../../src/model/resources/operations.ts'
import { payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { attempt, calls, clientOf, inTurn, rate } from '../http-cases.ts'
import { closedPort, environmentOf } from './ports.ts'

/** Runs a list whose pages come as the test says: the status of a failure, or the items of one, of so many. */
async function listed(answer: (page: number) => number | readonly unknown[], totalDocs: number, wait = '') {
  const { env } = await service(({ url }, response) => {
    const page = answer(Number(new URL(url, 'http://a.example').searchParams.get('page')))
    if (typeof page !== 'number') answerJson(response, 200, { data: page, totalDocs })
    else response.writeHead(page, wait ? { 'retry-after': wait } : {}).end()
  })
  return payroll(['--json', ...calls.list.argv], { env })
}

describe('a read', () => {
  test('that works at the last try is a good read', async () => {
    const reset = (response: { socket: { resetAndDestroy(): unknown } | null }) =>
      void response.socket?.resetAndDestroy()
    const { run, received } = await attempt('one', inTurn(reset, [503], [200, { data: rate }]))
    expect([run.code, run.json(), received.length]).toEqual([0, rate, 3])
  })

  test.each(['{"data":{"id":"r1', '{"a":NaN}', '{"a":1}}', '<html>', 'null x'])(
    'of %s is not understood, and not tried again',
    async (text) => {
      const { run, received } = await attempt('one', [200, text])
      expect([run.code, run.out, received.length]).toEqual([10, '', 1])
    },
  )

  test('that was sent, and finds nobody listening when it is tried again, is not said to be unsent', async () => {
    const port = await closedPort()
    const server = createServer((socket) => {
      server.close()
      socket.once('data', () => socket.resetAndDestroy())
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const env = environmentOf(`http://127.0.0.1:${port}`)
    const run = await payroll(['--json', ...calls.list.argv], { env })
    expect([run.code, run.error()]).toMatchObject([7, { outcome: null, retryable: true }])
    expect(run.error().message).toMatch(/^No connection .*: nothing listens there\.$/)
  })

  test('that was not answered in time, and cannot connect in what time is left, was not answered in time', async () => {
    let tries = 0
    const client = clientOf('http://127.0.0.1:1', {
      fetch: async () => {
        tries += 1
        throw new ConnectionLost(tries < 3 ? 'timeout' : 'connect', { sent: tries < 3 })
      },
      monotonicNow: () => 0,
      random: () => 0,
      timeoutMs: 1000,
    })
    const failure = await client.call(operations.vatCodes.list).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'temporary', message: 'The service did not answer in time.' })
    expect((failure as Failure).details.outcome).toBe(undefined)
    expect(tries).toBe(3)
  })

  test('pauses longer after each try, at random, and not at all in between when it works', async () => {
    const pauses: (readonly number[])[] = []
    for (let run = 0; run < 12; run++) pauses.push((await attempt('one', [503])).run.pauses)
    expect(pauses.every(([first = 0, second = 0]) => first < 1000 && second < 2000)).toBe(true)
    expect(new Set(pauses.flat()).size).toBe(pauses.flat().length)
    expect(Math.max(...pauses.map(([, second = 0]) => second))).toBeGreaterThan(600)
    const { run } = await attempt('one', [200, { data: rate }])
    expect(run.pauses).toEqual([])
  })
})

test('what never left is sent once the service is there', async () => {
  const port = await closedPort()
  const received: string[] = []
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      received.push(String(bytes).split(' ')[0] ?? '')
      socket.end('HTTP/1.1 201 Created\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
    })
  })
  const run = await payroll(['--json', ...calls.createUk.argv], {
    env: environmentOf(`http://127.0.0.1:${port}`),
    onPause: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
  })
  server.close()
  expect([run.code, received]).toEqual([0, ['POST']])
})

test('a write that was refused for being too often is sent again', async () => {
  const busy = [429, undefined, { 'retry-after': '2' }] as const
  const { run, received } = await attempt('post', inTurn(busy, busy, [200, { data: rate, success: true }]))
  expect([run.code, received.length]).toEqual([0, 3])
  expect(run.pauses).toEqual(expect.arrayContaining([2000]))
})

describe('Retry-After', () => {
  const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
  test.each<[string, Record<string, string>, number]>([
    ['in seconds', { 'retry-after': '7' }, 7000],
    ['as a date', { 'retry-after': 'Sat, 21 Nov 2026 10:00:09 GMT', date }, 9000],
    ['of a minute', { 'retry-after': '60' }, 60_000],
  ])('%s is waited for', async (_, headers, pause) => {
    const { run, received } = await attempt('one', [429, undefined, headers])
    expect(run.pauses[0]).toBe(pause)
    expect(received.length).toBeGreaterThan(1)
  })

  test.each<[string, Record<string, string>]>([
    ['that has passed', { 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT', date }],
    ['in words', { 'retry-after': 'soon' }],
    ['below zero', { 'retry-after': '-5' }],
    ['that is empty', { 'retry-after': '' }],
    ['of 0 seconds', { 'retry-after': '0' }],
    ['that is now', { 'retry-after': date, date }],
  ])('%s is as good as none', async (_, headers) => {
    const { run, received } = await attempt('one', [503, undefined, headers])
    expect(received.length).toBeGreaterThan(3)
    expect(received.length).toBeLessThan(40)
    expect(run.pauses[0]).toBeLessThan(1000)
  })

  test.each([
    ['61', '61 seconds'],
    ['600', '10 minutes'],
    ['7201', '3 hours'],
    ['999999999', 'more than a day'],
  ])('of %s seconds is left to the person, who is told: %s', async (seconds, spoken) => {
    const { run, received } = await attempt('list', [429, undefined, { 'retry-after': seconds }])
    expect([run.code, run.pauses, received.length]).toEqual([7, [], 1])
    expect(run.error().hint).toContain(spoken)
  })

  test('of a read that was answered 503 is left to the person too, and of a write, which is in doubt', async () => {
    const later = [503, undefined, { 'retry-after': '600' }] as const
    const read = await attempt('one', later)
    expect([read.run.code, read.received.length]).toEqual([7, 1])
    expect(read.run.error().hint).toBe(
      'The service asks you to wait 10 minutes; run the same command again after that.',
    )
    const write = await attempt('post', later)
    expect([write.run.code, write.received.length]).toEqual([8, 1])
    expect(write.run.error().hint).not.toContain('run the same command again')
  })

  test('of one request holds back the others of the same run', async () => {
    const items = (from: number) => Array.from({ length: 100 }, (_, at) => ({ id: `v${from}-${at}` }))
    let again = false
    const answer = (page: number) => {
      if (page !== 2 || again) return page > 3 ? [] : items(page)
      again = true
      return 429
    }
    const run = await listed(answer, 300, '30')
    expect(run.json()).toHaveLength(300)
    expect(run.err).toContain('answered 429; trying again in 30 seconds')
  })
})

test('a service in trouble is not asked three times for each of many requests', async () => {
  const tries = new Map<number, number>()
  const run = await listed((page) => {
    tries.set(page, (tries.get(page) ?? 0) + 1)
    // Every page fails twice before it comes.
    return tries.get(page) === 3 ? [{ id: `v${page}` }] : 500
  }, 400)
  expect([run.code, run.out]).toEqual([7, ''])
  // 500 tokens, 5 for each retry, one back for each answer.
  expect(run.pauses.length).toBeGreaterThan(95)
  expect(run.pauses.length).toBeLessThan(125)
})
