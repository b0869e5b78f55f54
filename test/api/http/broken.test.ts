import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { answerJson } from '../../service.ts'
import { attempt, inTurns, rate, reads, writes } from '../http-cases.ts'

type Break = (response: ServerResponse) => void

const raw =
  (text: string): Break =>
  (response) =>
    void response.socket?.end(text)

/** A head, and less of its body than it promises; then the connection ends, or is reset. */
const short =
  (status: number, end: 'end' | 'resetAndDestroy', body: string | Buffer, headers = {}): Break =>
  (response) =>
    response
      .writeHead(status, { 'content-length': 1000, ...headers })
      .write(body, () => setTimeout(() => response.socket?.[end](), 20))

const packed = gzipSync(JSON.stringify({ data: rate })).subarray(0, 20)
const chunked = 'Transfer-Encoding: chunked\r\n\r\n'

const gone: readonly [string, Break][] = [
  ['hangs up before the head', (response) => void response.socket?.end()],
  ['resets the connection before the head', (response) => void response.socket?.resetAndDestroy()],
  ['hangs up in the middle of the head', raw('HTTP/1.1 20')],
]

const cut = (status: number): readonly [string, Break][] => [
  ['sends less than its content-length', short(status, 'end', '{"data":{"id":"r1"}')],
  ['resets the connection in the middle of the body', short(status, 'resetAndDestroy', '{"data":')],
  ['breaks off a packed body', short(status, 'end', packed, { 'content-encoding': 'gzip' })],
  ['ends its chunks too early', raw(`HTTP/1.1 ${status} Odd\r\n${chunked}5\r\n{"dat`)],
]

const garbled: readonly [string, Break][] = [
  ['does not speak HTTP', raw('SSH-2.0-OpenSSH_9.6\r\n')],
  ['sends a head that is too large', raw(`HTTP/1.1 500 Odd\r\nX-Pad: ${'x'.repeat(100_000)}\r\n\r\n`)],
  ['sends chunks that are none', raw(`HTTP/1.1 500 Odd\r\n${chunked}zz\r\n{}`)],
]

describe('a service that', () => {
  test.each(inTurns([...gone, ...cut(200), ...cut(500)], reads))(
    '%s ends a read with 7',
    async ([, answer], call) => {
      const { run } = await attempt(call, answer)
      expect([run.code, run.out]).toEqual([7, ''])
      expect(run.error()).toMatchObject({ outcome: null, retryable: true })
    },
  )

  const beforeYes = [...gone, ...cut(500), ...cut(400), ...garbled]
  test.each(inTurns(beforeYes, [...writes, 'createUk'] as const))(
    '%s leaves open whether a write was applied',
    async ([, answer], call) => {
      const { run, received } = await attempt(call, answer)
      expect([run.code, run.out]).toEqual([8, ''])
      expect(run.error()).toMatchObject({ outcome: 'unknown', retryable: false })
      // What is deleted twice is deleted; nothing else is sent again.
      if (call !== 'delete') expect(received).toHaveLength(1)
    },
  )

  test.each(inTurns(cut(201), ['post', 'createUk', 'createIreland', 'delete'] as const))(
    '%s confirms no write with 201: the rest may say no',
    async ([, answer], call) => {
      const { run, received } = await attempt(call, answer)
      expect([call, run.code, run.out]).toEqual([call, 8, ''])
      expect(run.error()).toMatchObject({ outcome: 'unknown', status: 201 })
      expect(received).toHaveLength(1)
    },
  )

  test.each(garbled)('%s is not understood by a read', async (_, answer) => {
    const { run } = await attempt('one', answer)
    expect([run.code, run.error()]).toMatchObject([10, { retryable: false }])
    expect(run.error().message).toContain('did not answer with valid HTTP')
  })

  test('sends hints before its answer is waited for', async () => {
    const { run } = await attempt('one', (response) => {
      response.writeProcessing()
      response.writeEarlyHints({ link: '</a>; rel=preload' })
      setTimeout(() => answerJson(response, 200, { data: rate }), 20)
    })
    expect(run.json()).toEqual(rate)
  })
})
