// @module-tag process

import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, createGzip, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { measure } from '../../process/built.ts'
import { service } from '../../service.ts'
import { attempt, calls, rate } from '../http-cases.ts'

const mebibyte = 1024 * 1024
const largest = 32 * mebibyte

/** A record as JSON of exactly so many bytes. */
function recordOf(bytes: number): string {
  const [head, tail] = ['{"id":"r1","pad":"', '"}']
  return head + 'x'.repeat(bytes - head.length - tail.length) + tail
}

/** So many mebibytes of blanks, packed. */
function packedBlanks(mebibytes: number): Promise<Buffer> {
  const blanks = Buffer.alloc(mebibyte, ' ')
  return buffer(Readable.from(Array.from({ length: mebibytes }, () => blanks)).pipe(createGzip()))
}

const bomb = await packedBlanks(400)

test('an answer of 32 MiB is taken in, and of one byte more is not', async () => {
  const fits = await attempt('one', [200, recordOf(largest)])
  expect(fits.run.code).toBe(0)
  const { run } = await attempt('one', [200, recordOf(largest + 1)])
  expect([run.code, run.out]).toEqual([10, ''])
  expect(run.error().message).toBe('The answer is larger than 32 MiB, so it was not read to its end.')
})

test('an answer without end is read to the limit and no further', async () => {
  let sent = 0
  const { env } = await service((_, response) => {
    const chunk = Buffer.alloc(mebibyte, ' ')
    const more = (): void => {
      sent += 1
      response.write(chunk, (error) => error || more())
    }
    more()
  })
  const { code, mebibytes } = await measure(calls.one.argv, { env })
  expect(code).toBe(10)
  expect(mebibytes).toBeLessThan(200)
  expect(sent).toBeLessThan(100)
})

test('an answer that unpacks to 400 MiB is stopped early, whatever was asked', async () => {
  expect(bomb.byteLength).toBeLessThan(mebibyte)
  const { env } = await service((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  })
  for (const call of ['one', 'createUk'] as const) {
    const { code, out, mebibytes } = await measure(calls[call].argv, { env })
    expect([code, out]).toEqual([call === 'createUk' ? 8 : 10, ''])
    expect(mebibytes).toBeLessThan(200)
  }
})

test('an answer that unpacks without end leaves a refused write open', async () => {
  const { run } = await attempt('post', [500, bomb, { 'content-encoding': 'gzip' }])
  expect([run.code, run.error().message]).toEqual([8, expect.stringContaining('larger than 32 MiB')])
})

const body = JSON.stringify({ data: rate })

test.each(['gzip', ' GZIP ', 'x-gzip', 'identity', 'utf-8', 'none', ''])(
  'an answer packed by %j is unpacked where that is gzip, and gzip is what is asked for',
  async (encoding) => {
    const bytes = /gzip/i.test(encoding) ? gzipSync(body) : body
    const { run, received } = await attempt('one', [200, bytes, { 'content-encoding': encoding }])
    expect(run.json()).toEqual(rate)
    expect(received[0]?.headers['accept-encoding']).toBe('gzip')
  },
)

test.each([
  ['br', brotliCompressSync(body)],
  ['utf-8, br', brotliCompressSync(body)],
  ['gzip, gzip', gzipSync(gzipSync(body))],
  ['gzip', Buffer.from(body)],
])('an answer packed as %s, but not by gzip alone, is not understood', async (encoding, bytes) => {
  const read = await attempt('one', [200, bytes, { 'content-encoding': encoding }])
  expect(read.run.code).toBe(10)
  expect(read.run.error().message).toContain('has a compression')
  for (const status of [201, 500]) {
    const { run } = await attempt('createUk', [status, bytes, { 'content-encoding': encoding }])
    expect([status, run.code]).toEqual([status, 8])
  }
})

test.each([12, 30, gzipSync(body).length - 1])(
  'an answer of the first %i bytes of what was packed is one that did not arrive whole',
  async (length) => {
    const answer = [gzipSync(body).subarray(0, length), { 'content-encoding': 'gzip' }] as const
    const { run, received } = await attempt('one', [200, ...answer])
    expect([run.code, run.error().message]).toEqual([7, expect.stringContaining('before the whole answer')])
    expect(received.length).toBeGreaterThan(1)
    for (const status of [201, 500]) expect((await attempt('createUk', [status, ...answer])).run.code).toBe(8)
  },
)

test('an answer of no bytes may say that it is packed', async () => {
  const { run } = await attempt('createUk', [201, undefined, { 'content-encoding': 'gzip' }])
  expect(run.json()).toEqual({ created: true, id: null })
})
