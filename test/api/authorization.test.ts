import { expect, test } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import { operations } from '../../src/api/contract/operations/operations.ts'
import { createTransport } from '../../src/api/http/transport.ts'
import { trackWrites } from '../../src/context/write-tracker.ts'
import { authorizationOf, presentKey } from '../../src/credentials/authorization.ts'
import { Failure } from '../../src/errors.ts'
import { answerJson, type Received, service } from '../service.ts'

function clientOf(baseUrl: string, key: () => Promise<string>) {
  const writes = trackWrites()
  const client = createClient({
    baseUrl,
    prefix: 'svc',
    corrections: {},
    authorization: async () => presentKey(authorizationOf({}), await key()),
    fetch: createTransport(baseUrl),
    monotonicNow: () => performance.now(),
    sleep: async () => {},
    random: () => 0,
    timeoutMs: 5_000,
    onEvent: writes.onEvent,
  })
  return { client, writes }
}

test('the key is asked for before each request, tries again included, and none of them is repeated', async () => {
  const sent: (string | undefined)[] = []
  const { baseUrl } = await service((request: Received, response) => {
    sent.push(request.headers.authorization)
    if (sent.length === 1) return void response.writeHead(503).end()
    answerJson(response, 400, { message: `what are ${sent.join(' and ')}?`, success: false })
  })
  let asked = 0
  const { client } = clientOf(baseUrl, async () => `CANARYkey${++asked}`)
  const failure = await client.call(operations.vatCodes.list).catch((error: unknown) => error)
  expect(sent).toEqual(['CANARYkey1', 'CANARYkey2'])
  expect(failure).toBeInstanceOf(Failure)
  expect(String(failure)).toContain('[key] and [key]')
  expect(JSON.stringify(failure) + String(failure)).not.toContain('CANARY')
})

test('a write whose key cannot be had ends with the reason, and is not taken for one that was sent', async () => {
  let requests = 0
  const { baseUrl } = await service((_, response) => {
    requests += 1
    response.end()
  })
  const noKey = new Failure('auth', 'The key chain is locked. Nothing was sent.', { outcome: 'not-sent' })
  const { client, writes } = clientOf(baseUrl, () => Promise.reject(noKey))
  const call = client.call(operations.paymentRates.create, { body: { code: 'NIGHT' } })
  await expect(call).rejects.toBe(noKey)
  expect([requests, writes.worstWrite()]).toEqual([0, undefined])
})
