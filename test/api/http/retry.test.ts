import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../../src/api/client.ts'
import { operations } from '../../../src/api/contract/operations/operations.ts'
import { ConnectionLost } from '../../../src/api/http/attempt.ts'
import type { Failure } from '../../../src/errors.ts'
import { payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { attempt, calls, rate } from '../http-cases.ts'
import { closedPort } from './ports.ts'

describe('a read', () => {
  test('a read that works at the last try is a good read', async () => {
    let tries = 0
    const { run, received } = await attempt('one', (response) => {
      tries += 1
      if (tries === 1) response.socket?.resetAndDestroy()
      else if (tries === 2) response.writeHead(503).end()
      else answerJson(response, 200, { data: rate })
    })
    expect([run.code, run.json()]).toEqual([0, rate])
    expect(received).toHaveLength(3)
  })

  test('a read of an answer that was cut off is tried again, and then not understood', async () => {
    for (const text of ['{"data":{"id":"r1', '{"data":{"id":"r1"}', '{"data":', '{"data":{"a":[1,2']) {
      const { run, received } = await attempt('one', (response) => response.writeHead(200).end(text))
      expect(received, text).toHaveLength(3)
      expect([run.code, run.out]).toEqual([10, ''])
    }
  })

  test.each(['{"a":NaN}', '{"a":1}}', '<html>', 'null x', "{'a':1}"])(
    'a read of %s is not tried again',
    async (text) => {
      const { run, received } = await attempt('one', (response) => response.writeHead(200).end(text))
      expect(received).toHaveLength(1)
      expect(run.code).toBe(10)
    },
  )

  test('a read that was sent, and finds nobody listening when it is tried again, is not said to be unsent', async () => {
    const port = await closedPort()
    const server = createServer((socket) => {
      server.close()
      socket.once('data', () => socket.resetAndDestroy())
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const env = { PAYROLL_BASE_URL: `http://127.0.0.1:${port}`, PAYROLL_API_KEY: 'CANARYkey0000' }
    const run = await payroll(['--json', ...calls.list.argv], { env })
    expect([run.code, run.error()]).toMatchObject([7, { outcome: null, retryable: true }])
    expect(run.error().message).toMatch(/^No connection .*: nothing listens there\.$/)
  })

  test('a read that was not answered in time, and cannot connect in what time is left, was not answered in time', async () => {
    let tries = 0
    const client = createClient({
      baseUrl: 'http://127.0.0.1:1',
      prefix: 'svc',
      corrections: {},
      authorization: async () => undefined,
      fetch: async () => {
        tries += 1
        throw new ConnectionLost(tries < 3 ? 'timeout' : 'connect', { sent: tries < 3 })
      },
      monotonicNow: () => 0,
      sleep: async () => {},
      random: () => 0,
      timeoutMs: 1000,
    })
    const failure = await client.call(operations.vatCodes.list).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'temporary', message: 'The service did not answer in time.' })
    expect((failure as Failure).details.outcome).toBe(undefined)
    expect(tries).toBe(3)
  })

  test('pauses longer after each try, at random, and not at all in between when it works', async () => {
    const pauses: number[][] = []
    for (let run = 0; run < 12; run++) {
      const { run: ended } = await attempt('one', (response) => response.writeHead(503).end())
      pauses.push([...ended.pauses])
    }
    expect(pauses.every((each) => each.length === 2)).toBe(true)
    expect(pauses.every(([first = 0, second = 0]) => first < 1000 && second < 2000)).toBe(true)
    expect(new Set(pauses.flat()).size).toBe(24)
    expect(Math.max(...pauses.map(([, second = 0]) => second))).toBeGreaterThan(600)
    const { run } = await attempt('one', (response) => answerJson(response, 200, { data: rate }))
    expect(run.pauses).toEqual([])
  })
})

describe('what never left', () => {
  test('is tried three times, a write too', async () => {
    const env = {
      PAYROLL_BASE_URL: `http://127.0.0.1:${await closedPort()}`,
      PAYROLL_API_KEY: 'CANARYkey0000',
    }
    for (const call of ['list', 'post', 'createUk'] as const) {
      const run = await payroll(['--json', ...calls[call].argv], { env })
      expect([run.code, run.error()]).toMatchObject([7, { outcome: 'not-sent', retryable: true }])
      expect(run.pauses).toHaveLength(2)
    }
  })

  test('is sent once the service is there', async () => {
    const port = await closedPort()
    const env = { PAYROLL_BASE_URL: `http://127.0.0.1:${port}`, PAYROLL_API_KEY: 'CANARYkey0000' }
    const received: string[] = []
    const server = createServer((socket) => {
      socket.on('data', (bytes) => {
        received.push(String(bytes).split(' ')[0] ?? '')
        socket.end('HTTP/1.1 201 Created\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
      })
    })
    const run = await payroll(['--json', ...calls.createUk.argv], {
      env,
      onPause: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
    })
    server.close()
    expect(run.code).toBe(0)
    expect(received).toEqual(['POST'])
  })
})

test('a write that was refused for being too often is sent again', async () => {
  let tries = 0
  const { run, received } = await attempt('post', (response) => {
    tries += 1
    if (tries < 3) response.writeHead(429, { 'retry-after': '2' }).end()
    else answerJson(response, 200, { data: rate, success: true })
  })
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
    const { run, received } = await attempt('one', (response) => response.writeHead(429, headers).end())
    expect(run.pauses[0]).toBe(pause)
    expect(received.length).toBeGreaterThan(1)
  })

  test.each<[string, Record<string, string>]>([
    ['that has passed', { 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT', date }],
    ['in words', { 'retry-after': 'soon' }],
    ['below zero', { 'retry-after': '-5' }],
    ['that is empty', { 'retry-after': '' }],
  ])('%s is as good as none', async (_, headers) => {
    const { run, received } = await attempt('one', (response) => response.writeHead(503, headers).end())
    expect(received).toHaveLength(3)
    expect(Math.max(...run.pauses)).toBeLessThan(2000)
  })

  test.each([
    ['61', '61 seconds'],
    ['600', '10 minutes'],
    ['7201', '3 hours'],
    ['999999999', 'more than a day'],
  ])('Retry-After of %s seconds is left to the person, who is told: %s', async (seconds, spoken) => {
    const { run, received } = await attempt('list', (response) =>
      response.writeHead(429, { 'retry-after': seconds }).end(),
    )
    expect(received).toHaveLength(1)
    expect([run.code, run.pauses]).toEqual([7, []])
    expect(run.error().hint).toContain(spoken)
  })

  test('Retry-After of a read that was answered 503 is left to the person too, and of a write, which is in doubt', async () => {
    const later = { 'retry-after': '600' }
    const read = await attempt('one', (response) => response.writeHead(503, later).end())
    expect([read.run.code, read.received.length]).toEqual([7, 1])
    expect(read.run.error().hint).toBe(
      'The service asks you to wait 10 minutes; run the same command again after that.',
    )
    const write = await attempt('post', (response) => response.writeHead(503, later).end())
    expect([write.run.code, write.received.length]).toEqual([8, 1])
    expect(write.run.error().hint).not.toContain('run the same command again')
  })

  test('Retry-After of one request holds back the others of the same run', async () => {
    const { env } = await service(({ url }, response) => {
      const number = Number(new URL(url, 'http://a.example').searchParams.get('page'))
      if (number === 2 && !again) {
        again = true
        response.writeHead(429, { 'retry-after': '30' }).end()
      } else answerJson(response, 200, { data: number > 3 ? [] : items(number), totalDocs: 300 })
    })
    let again = false
    const items = (from: number) => Array.from({ length: 100 }, (_, at) => ({ id: `v${from}-${at}` }))
    const run = await payroll(['--json', ...calls.list.argv], { env })
    expect(run.json()).toHaveLength(300)
    expect(run.err).toContain('answered 429; trying again in 30 seconds')
  })
})

test('a service in trouble is not asked three times for each of many requests', async () => {
  const tries = new Map<number, number>()
  const { env } = await service(({ url }, response) => {
    const number = Number(new URL(url, 'http://a.example').searchParams.get('page'))
    tries.set(number, (tries.get(number) ?? 0) + 1)
    // Every page fails twice before it comes.
    if (tries.get(number) !== 3) response.writeHead(500).end()
    else answerJson(response, 200, { data: [{ id: `v${number}` }], totalDocs: 400 })
  })
  const run = await payroll(['--json', ...calls.list.argv], { env })
  expect([run.code, run.out]).toEqual([7, ''])
  // 500 tokens, 5 for each retry, one back for each answer.
  expect(run.pauses.length).toBeGreaterThan(95)
  expect(run.pauses.length).toBeLessThan(125)
})
