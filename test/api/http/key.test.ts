// @module-tag process

import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../../src/api/client.ts'
import { operations } from '../../../src/api/contract/operations/operations.ts'
import { createTransport } from '../../../src/api/http/transport.ts'
import { authorizationOf, presentKey } from '../../../src/credentials/authorization.ts'
import { freshHome, payroll } from '../../payroll.ts'
import { answerJson, type Received, service } from '../../service.ts'
import { type Command, commandProcess } from '../command-process.ts'
import { calls, rate } from '../http-cases.ts'
import { closedPort } from './ports.ts'

const key = 'CANARY/key+"0000'

const disguises = [
  key,
  key.slice(0, 10),
  JSON.stringify(key).slice(1, -1),
  encodeURIComponent(key),
  Buffer.from(key).toString('base64').slice(0, 16),
  Buffer.from(key).toString('hex'),
]

/** Whether a text shows the key, in any of its usual disguises. */
const shows = (text: string) => disguises.some((disguise) => text.includes(disguise))

type Answer = (request: Received, response: ServerResponse) => void

const status =
  (code: number): Answer =>
  (_, response) =>
    response.writeHead(code).end()

const faults: readonly [string, Answer][] = [
  ['all goes well', (_, response) => answerJson(response, 200, { data: rate, success: true })],
  ['the key is refused', status(401)],
  ['the request is refused', status(400)],
  ['the service fails', status(500)],
  ['there is no such path', status(404)],
  ['a web page answers', (_, response) => response.end('<html>')],
  ['the answer is no JSON', (_, response) => response.end('{')],
  ['the connection breaks', (_, response) => void response.socket?.resetAndDestroy()],
  [
    'the answer breaks off',
    (_, response) => void response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'),
  ],
  ['something else answers', (_, response) => void response.socket?.end('SSH-2.0\r\n')],
  ['time runs out', () => {}],
  ['the service redirects', (_, response) => response.writeHead(307, { location: '/login' }).end()],
  [
    'the service repeats it in a message',
    ({ headers }, response) =>
      answerJson(response, 400, { message: `No such key: ${headers.authorization}` }),
  ],
  [
    'the service repeats it beside a field',
    ({ headers }, response) => {
      const said = `${'x'.repeat(295)}${headers.authorization}`
      answerJson(response, 422, { error: { message: said, details: [{ path: said, message: said }] } })
    },
  ],
  [
    'the service repeats it as text',
    ({ headers }, response) => response.writeHead(500).end(`Refused: ${headers.authorization}`),
  ],
  [
    'the service repeats it in an envelope',
    ({ headers }, response) => answerJson(response, 200, { success: false, error: headers.authorization }),
  ],
  [
    'the service repeats it where it redirects to',
    ({ headers }, response) => {
      const to = encodeURIComponent(String(headers.authorization))
      response.writeHead(302, { location: `https://payroll.example.com/${to}?key=${to}` }).end()
    },
  ],
]

let command: Command
beforeAll(async () => {
  command = await commandProcess()
})
afterAll(() => command?.remove())

describe('the key is never shown', () => {
  test.each(faults)('the key is never shown when %s', async (_, answer) => {
    const { env, received } = await service(answer)
    const runs = [['--debug', '--json'], ['--debug', '--output', 'table'], []].flatMap((options) =>
      (['one', 'list', 'post', 'put', 'delete'] as const).map((name) => [...options, ...calls[name].argv]),
    )
    await Promise.all(
      runs.map(async (argv) => {
        const setting = { home: freshHome(), env: { ...env, PAYROLL_API_KEY: key } }
        const { out, err } = await payroll(['--timeout', '1', ...argv], setting)
        expect(shows(out + err)).toBe(false)
      }),
    )
    expect(received.every(({ headers }) => headers.authorization === key)).toBe(true)
    expect(received.length).toBeGreaterThanOrEqual(runs.length)
  })

  test('the key is never shown when nothing listens, nor when a request is only described', async () => {
    const env = { PAYROLL_BASE_URL: `http://127.0.0.1:${await closedPort()}`, PAYROLL_API_KEY: key }
    for (const options of [['--dry-run'], []]) {
      const argv = ['--debug', '--json', ...calls.post.argv, ...options]
      const { code, out, err } = await payroll(argv, { home: freshHome(), env })
      expect(code).toBe(options.length > 0 ? 0 : 7)
      expect(shows(out + err)).toBe(false)
    }
  })

  test('the key is never shown when Node itself is told to say what it does', async () => {
    const { env } = await service(status(500))
    const { code, out, err } = await command.run(['--debug', ...calls.post.argv], {
      ...env,
      PAYROLL_API_KEY: key,
      NODE_DEBUG: 'http,https,net,tls,undici,fetch',
    })
    expect(code).toBe(8)
    expect(err).toMatch(/^HTTP \d+:/m)
    expect(shows(out + err)).toBe(false)
  })

  test('the key is never shown in anything that a failure carries', async () => {
    const refusing = await service(status(401))
    const breaking = await service((_, response) => void response.socket?.destroy())
    const nowhere = `http://127.0.0.1:${await closedPort()}`
    for (const baseUrl of [refusing.baseUrl, breaking.baseUrl, nowhere]) {
      for (const authorization of [key, `${key}\nX-Second: line`, `${key}\u20AC`]) {
        const client = createClient({
          baseUrl,
          prefix: 'svc',
          corrections: {},
          authorization: async () => presentKey(authorizationOf({}), authorization),
          fetch: createTransport(baseUrl),
          monotonicNow: () => performance.now(),
          sleep: async () => {},
          random: () => 0.5,
          timeoutMs: 5_000,
        })
        const failure = await client.call(operations.paymentRates.list).catch((error: unknown) => error)
        expect(failure).toBeInstanceOf(Error)
        expect(shows(inspect(failure, { depth: 20, showHidden: true }))).toBe(false)
      }
    }
  })

  test('the key is never shown when something fails that nobody foresaw, and a write that it happened to is in doubt', async () => {
    const client = createClient({
      baseUrl: 'http://127.0.0.1:1',
      prefix: 'svc',
      corrections: {},
      authorization: async () => presentKey(authorizationOf({}), key),
      fetch: async ({ headers }) => {
        throw new TypeError(`what is ${headers.get('authorization')}?`)
      },
      monotonicNow: () => performance.now(),
      sleep: async () => {},
      random: () => 0.5,
      timeoutMs: 5_000,
    })
    const { create, list } = operations.paymentRates
    const write = await client.call(create, { body: {} }).catch((error: unknown) => error)
    expect(write).toMatchObject({ code: 'unknown', details: { outcome: 'unknown' } })
    const read = await client.call(list).catch((error: unknown) => error)
    expect(read).toMatchObject({ code: 'temporary' })
    expect(shows(inspect([write, read], { depth: 20, showHidden: true }))).toBe(false)
  })
})
