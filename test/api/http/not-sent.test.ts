// @module-tag tables

import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createTransport } from '../../../src/api/http/transport.ts'
import { operations } from '../../../src/model/resources/operations.ts'
import { payroll } from '../../payroll.ts'
import { calls, clientOf, reads } from '../http-cases.ts'
import { closedPort, environmentOf, listening } from './ports.ts'

const names = ['one', 'list', 'post', 'createUk', 'createIreland', 'delete'] as const

/** Expects of every kind of call that it ends with 7, and says that no byte of it left; where given, after so many pauses. */
async function expectNotSent(baseUrl: string, message: RegExp, pauses?: number) {
  for (const name of names) {
    const run = await payroll(['--json', ...calls[name].argv], { env: environmentOf(baseUrl) })
    const isRead = reads.some((each) => each === name)
    expect(run.error()).toMatchObject({ exitCode: 7, outcome: 'not-sent', retryable: true, status: null })
    expect(run.error().message).toContain(`No connection to ${new URL(baseUrl).origin}: `)
    expect(run.error().message).toMatch(message)
    expect(run.error().message.endsWith(' Nothing was sent.')).toBe(!isRead)
    expect([name, run.code, run.out]).toEqual([name, 7, ''])
    if (pauses !== undefined && !isRead) expect(run.pauses).toHaveLength(pauses)
  }
}

test('nothing was sent when nothing listens at the address, which a write is tried three times', async () => {
  await expectNotSent(`http://127.0.0.1:${await closedPort()}`, /nothing listens there/, 2)
})

test('nothing was sent when the name of the host is not known', async () => {
  await expectNotSent('https://payroll.invalid', /the host name (is unknown|cannot be looked up right now)/)
})

test('nothing was sent when what listens hangs up during the handshake', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.destroy()))
  await expectNotSent(`https://127.0.0.1:${await listening(server)}`, /the connection was lost/)
})

test('nothing was sent when what listens does not speak TLS', async () => {
  const heard: string[] = []
  const server = createHttpServer((request) => heard.push(request.url ?? ''))
  await expectNotSent(`https://127.0.0.1:${await listening(server)}`, /EPROTO/)
  expect(heard).toEqual([])
})

test('nothing was sent when the deadline passes before the connection stands', async () => {
  const env = environmentOf(`https://127.0.0.1:${await listening(createServer(() => {}))}`)
  const runs = names.map((name) => payroll(['--json', '--timeout', '1', ...calls[name].argv], { env }))
  for (const run of await Promise.all(runs)) {
    expect([run.code, run.error()]).toMatchObject([7, { outcome: 'not-sent' }])
    expect(run.error().message).toContain('it did not answer in time')
  }
})

test('nothing was sent when the connection takes longer than a connection may take, long before the deadline', async () => {
  const origin = `https://127.0.0.1:${await listening(createServer(() => {}))}`
  const client = clientOf(origin, { fetch: createTransport(origin, { connectMs: 100 }), timeoutMs: 60_000 })
  const started = performance.now()
  const lost = client.call(operations.paymentRates.create, { body: { code: 'NIGHT' } })
  await expect(lost).rejects.toMatchObject({ code: 'temporary', details: { outcome: 'not-sent' } })
  expect(performance.now() - started).toBeLessThan(25_000)
})
