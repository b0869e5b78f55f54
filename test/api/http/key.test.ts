import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { trackWrites } from '../../../src/context/write-tracker.ts'
import { authorizationOf, presentKey } from '../../../src/credentials/authorization.ts'
import { Failure } from '../../../src/errors.ts'
import { operations } from '../../../src/model/resources/operations.ts'
import { answerJson, service } from '../../service.ts'
import { clientOf } from '../http-cases.ts'
import { closedPort } from './ports.ts'

const { create, list } = operations.paymentRates
const key = 'CANARY/key+"0000'

const disguises = [
  key,
  key.slice(0, 10),
  JSON.stringify(key).slice(1, -1),
  encodeURIComponent(key),
  Buffer.from(key).toString('base64').slice(0, 16),
  Buffer.from(key).toString('hex'),
]

/** Whether a failure shows the key anywhere, in any of its usual disguises. */
const shows = (failure: unknown) => {
  const text = inspect(failure, { depth: 20, showHidden: true })
  return disguises.some((disguise) => text.includes(disguise))
}

const withKey = (value: () => string | Promise<string>) => ({
  authorization: async () => presentKey(authorizationOf({}), await value()),
})
const failureOf = (call: Promise<unknown>) => call.catch((error: unknown) => error)

describe('the key', () => {
  test('is never shown in anything that a failure carries', async () => {
    const refusing = await service((_, response) => response.writeHead(401).end())
    const breaking = await service((_, response) => void response.socket?.destroy())
    const nowhere = `http://127.0.0.1:${await closedPort()}`
    for (const baseUrl of [refusing.baseUrl, breaking.baseUrl, nowhere]) {
      for (const value of [key, `${key}\nX-Second: line`, `${key}\u20AC`]) {
        const failure = await failureOf(
          clientOf(
            baseUrl,
            withKey(() => value),
          ).call(list),
        )
        expect(failure).toBeInstanceOf(Error)
        expect(shows(failure)).toBe(false)
      }
    }
  })

  test('is never shown when something fails that nobody foresaw, and a write that it happened to is in doubt', async () => {
    const client = clientOf('http://127.0.0.1:1', {
      ...withKey(() => key),
      fetch: async ({ headers }) => {
        throw new TypeError(`what is ${headers.get('authorization')}?`)
      },
    })
    const write = await failureOf(client.call(create, { body: {} }))
    expect(write).toMatchObject({ code: 'unknown', details: { outcome: 'unknown' } })
    const read = await failureOf(client.call(list))
    expect(read).toMatchObject({ code: 'temporary' })
    expect(shows([write, read])).toBe(false)
  })

  test('is asked for before each request, tries again included, and none of them is repeated', async () => {
    const sent: (string | undefined)[] = []
    const { baseUrl } = await service(({ headers }, response) => {
      sent.push(headers.authorization)
      if (sent.length === 1) return void response.writeHead(503).end()
      answerJson(response, 400, { message: `what are ${sent.join(' and ')}?`, success: false })
    })
    let asked = 0
    const failure = await failureOf(
      clientOf(
        baseUrl,
        withKey(() => `CANARYkey${++asked}`),
      ).call(list),
    )
    expect(sent).toEqual(['CANARYkey1', 'CANARYkey2'])
    expect(failure).toBeInstanceOf(Failure)
    expect(String(failure)).toContain('[key] and [key]')
    expect(JSON.stringify(failure) + String(failure)).not.toContain('CANARY')
  })

  test('a write whose key cannot be had ends with the reason, and is not taken for one that was sent', async () => {
    const { baseUrl, received } = await service((_, response) => response.end())
    const noKey = new Failure('auth', 'The key chain is locked. Nothing was sent.', { outcome: 'not-sent' })
    const { onEvent, worstWrite } = trackWrites()
    const client = clientOf(baseUrl, { ...withKey(() => Promise.reject(noKey)), onEvent })
    await expect(client.call(create, { body: { code: 'NIGHT' } })).rejects.toBe(noKey)
    expect([received, worstWrite()]).toEqual([[], undefined])
  })
})
