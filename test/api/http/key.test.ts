import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../../src/api/client.ts'
import { operations } from '../../../src/api/contract/operations/operations.ts'
import { createTransport } from '../../../src/api/http/transport.ts'
import { authorizationOf, presentKey } from '../../../src/credentials/authorization.ts'
import { service } from '../../service.ts'
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

describe('the key is never shown', () => {
  test('the key is never shown in anything that a failure carries', async () => {
    const refusing = await service((_, response) => response.writeHead(401).end())
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
