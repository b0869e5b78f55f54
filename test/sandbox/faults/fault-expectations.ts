import { expect } from 'vitest'
import type { Met } from './faulty-sandbox.ts'

/** What a client meets; `usual` is what it meets of the same question where nothing goes wrong. */
export type Expectation = (met: Met, usual: Usual) => void

/** An answer without what differs from one sandbox to the next. */
export interface Usual {
  readonly status: number
  readonly contentType: string | undefined
  readonly text: string
}

/** The ids that a sandbox draws, and the times that it writes down. */
export function alike(text: string): string {
  return text
    .replace(/"id":"(?!00000000)[0-9a-f-]{36}"/g, '"id":"<drawn>"')
    .replace(/"(createdAt|updatedAt)":"[^"]*"/g, '"$1":"<noted>"')
}

/** A head of success with a body to be broken: the smallest that says yes, where there is none. */
function withBody({ status, contentType, text }: Usual): Usual {
  if (text !== '') return { status, contentType, text }
  return { status: status === 204 ? 200 : status, contentType: 'application/json', text: '{"success":true}' }
}

const noAnswer =
  (end: Met['end']): Expectation =>
  (met) =>
    expect([met.end, met.status, met.text]).toEqual([end, 0, ''])

/** The head of success, and the first half of its body. */
const half =
  (end: Met['end'], { told }: { told: boolean }): Expectation =>
  (met, usual) => {
    const whole = withBody(usual)
    expect([met.end, met.status]).toEqual([end, whole.status])
    expect(met.text.length).toBeGreaterThan(0)
    const length = Number(met.headers['content-length'] ?? Number.NaN)
    if (told) expect(met.bytes.length).toBe(Math.ceil(length / 2))
    else expect([length, met.headers['transfer-encoding']]).toEqual([Number.NaN, 'chunked'])
    expect(Math.abs(met.text.length * 2 - whole.text.length)).toBeLessThan(whole.text.length / 5 + 2)
    expect(() => JSON.parse(met.text)).toThrow()
  }

const refusal =
  (status: number, headers: (met: Met) => void = () => {}): Expectation =>
  (met) => {
    expect([met.end, met.status, met.headers['content-type']]).toEqual(['whole', status, 'application/json'])
    expect(JSON.parse(met.text)).toEqual({
      success: false,
      error: { code: `FAULT_${status}`, message: 'The sandbox was told to fail' },
    })
    headers(met)
  }

const waits: Readonly<Record<string, (met: Met) => void>> = {
  seconds: ({ headers }) => expect(headers['retry-after']).toBe('1'),
  // The clock of the sandbox under test stands in 2026, and is read a second later each time.
  date: ({ headers }) => expect(headers['retry-after']).toMatch(/^Mon, 06 Apr 2026 08:0\d:\d\d GMT$/),
  clock: ({ headers }) => {
    expect(headers.date).toMatch(/^Mon, 06 Apr 2026 09:0\d:\d\d GMT$/)
    expect(Date.parse(headers['retry-after'] ?? '') - Date.parse(headers.date ?? '')).toBe(2000)
  },
  past: ({ headers }) => expect(headers['retry-after']).toMatch(/^Mon, 06 Apr 2026 07:0\d:\d\d GMT$/),
  absurd: ({ headers }) => expect(headers['retry-after']).toBe('999999999'),
}

const redirect =
  (status: number, location: RegExp): Expectation =>
  (met) => {
    expect([met.end, met.status, met.text]).toEqual(['whole', status, ''])
    expect(met.headers.location).toMatch(location)
  }

const elsewhere = /^http:\/\/localhost:\d+\/svc\//
const samePlace = /^\/moved\/svc\//

/** The answer as ever, but for what is told. */
const asEver =
  (but: Partial<Usual> = {}): Expectation =>
  (met, usual) => {
    expect(met.end).toBe('whole')
    expect({ status: met.status, contentType: met.headers['content-type'], text: alike(met.text) }).toEqual({
      ...withBody(usual),
      ...but,
    })
  }

/** Once what was put behind the first brace is taken out again, the answer is as ever. */
const spoilt =
  (bytes: Buffer, reads: (bytes: Buffer) => void): Expectation =>
  (met, usual) => {
    reads(met.bytes)
    expect(met.bytes.subarray(1, 1 + bytes.length).equals(bytes)).toBe(true)
    expect(met.headers['content-length']).toBe(String(met.bytes.length))
    const { status, headers, end } = met
    const text = `{${met.bytes.subarray(1 + bytes.length).toString()}`
    asEver()({ status, headers, end, bytes: met.bytes, text }, usual)
  }

const isNoJson = (bytes: Buffer) => expect(() => JSON.parse(bytes.toString())).toThrow()

const page: Expectation = (met) => {
  const type = 'text/html; charset=utf-8'
  expect([met.end, met.status, met.headers['content-type']]).toEqual(['whole', 200, type])
  expect(met.text).toMatch(/^<!doctype html>/)
}

const json =
  (status: number, value: unknown): Expectation =>
  (met) => {
    expect([met.end, met.status, JSON.parse(met.text)]).toEqual(['whole', status, value])
  }

/** The same JSON, changed. */
const changed =
  (change: (json: any) => unknown): Expectation =>
  (met, usual) => {
    const whole = withBody(usual)
    expect([met.end, met.status]).toEqual(['whole', whole.status])
    expect(JSON.parse(alike(met.text))).toEqual(change(JSON.parse(whole.text)))
  }

/** The records of an answer: a page, a record under `data`, or a candidate under that. */
const eachRecord = (change: (record: any) => unknown) =>
  changed(({ data, ...rest }) => ({
    ...rest,
    data: Array.isArray(data)
      ? data.map(change)
      : data.candidate
        ? { ...data, candidate: change(data.candidate) }
        : change(data),
  }))

const total = (totalDocs: unknown) => changed((answer) => ({ ...answer, totalDocs }))
const codes =
  (...wanted: number[]): Expectation =>
  (met) => {
    const { data, totalDocs } = JSON.parse(met.text)
    const numbers = data.map(({ code }: { code: string }) => Number(code.replace('RATE-', '')))
    expect([met.status, numbers, totalDocs]).toEqual([200, wanted, 45])
  }
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

const refused = [400, 401, 403, 404, 405, 407, 408, 409, 411, 413, 415, 422, 429, 500, 502, 503, 504]
const refusedAfterCommit = [408, 409, 500, 502, 503, 504]
const redirects = [301, 302, 303, 307, 308]

/** Of every fault by its name. Of a list it is the second page of ten that is asked for, of 45. */
export const expectations: Readonly<Record<string, Expectation>> = {
  'reset-before-commit': noAnswer('reset'),
  'reset-after-commit': noAnswer('reset'),
  'close-before-commit': noAnswer('closed'),
  'close-after-commit': noAnswer('closed'),
  'late-commit': noAnswer('reset'),
  'close-mid-body': half('closed', { told: false }),
  'reset-mid-body': half('reset', { told: false }),
  'short-body': half('closed', { told: true }),
  'stall-before-commit': noAnswer('open'),
  'stall-before-headers': noAnswer('open'),
  'stall-mid-body': half('open', { told: false }),
  slow(met, usual) {
    const whole = withBody(usual)
    expect([met.end, met.status]).toEqual(['open', whole.status])
    expect(Number(met.headers['content-length'])).toBeGreaterThanOrEqual('{"success":true}'.length)
    expect(met.bytes.length).toBeGreaterThan(0)
    expect(met.bytes.length).toBeLessThan(9)
    expect(whole.text.startsWith(met.text)).toBe(true)
  },
  ...named(refused, (status) => [`status=${status}`, refusal(status)]),
  ...named(refusedAfterCommit, (status) => [`status=${status}-after-commit`, refusal(status)]),
  ...named(Object.entries(waits), ([wait, headers]) => [`status=429-${wait}`, refusal(429, headers)]),
  ...named(Object.entries(waits), ([wait, headers]) => [`status=503-${wait}`, refusal(503, headers)]),
  ...named([200, 202], (status) => [
    `status=${status}`,
    (met, { contentType, text }) => {
      const seen = [met.end, met.status, met.headers['content-type'], alike(met.text)]
      expect(seen).toEqual(['whole', status, contentType, text])
    },
  ]),
  'status=204'(met) {
    expect([met.end, met.status, met.text]).toEqual(['whole', 204, ''])
    expect(met.headers).not.toHaveProperty('content-length')
  },
  'with-body': asEver(),
  'no-body': asEver({ text: '', contentType: undefined }),
  ...named(redirects, (status) => [`redirect=${status}`, redirect(status, elsewhere)]),
  ...named(redirects, (status) => [`redirect=${status}-path`, redirect(status, samePlace)]),
  'redirect=303-after-commit': redirect(303, samePlace),
  'bad-json': spoilt(Buffer.from('"fault":NaN,'), isNoJson),
  'duplicate-keys': spoilt(Buffer.from('"fault":1,"fault":2,'), (bytes) =>
    expect(JSON.parse(bytes.toString()).fault).toBe(2),
  ),
  'lone-surrogate': spoilt(Buffer.from(String.raw`"fault":"\ud800",`), (bytes) =>
    expect(JSON.parse(bytes.toString()).fault).toBe('\ud800'),
  ),
  'invalid-utf8': spoilt(
    Buffer.concat([Buffer.from('"fault":"'), Buffer.of(0xff), Buffer.from('",')]),
    (bytes) => expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow(),
  ),
  'deep-json': spoilt(Buffer.from(`"fault":${'['.repeat(100_000)}${']'.repeat(100_000)},`), () => {}),
  'oversized-body': spoilt(Buffer.alloc(40 * 1024 * 1024, ' '), (bytes) =>
    expect(JSON.parse(bytes.toString())).toBeTypeOf('object'),
  ),
  'truncated-json'(met, usual) {
    const whole = withBody(usual)
    const length = String(met.bytes.length)
    expect([met.end, met.status, met.headers['content-length']]).toEqual(['whole', whole.status, length])
    expect(Math.abs(met.text.length * 2 - whole.text.length)).toBeLessThan(whole.text.length / 5 + 2)
    isNoJson(met.bytes)
  },
  'gzip-bomb'(met, usual) {
    expect([met.end, met.status]).toEqual(['whole', withBody(usual).status])
    expect(met.headers['content-encoding']).toBe('gzip')
    // What it unpacks to is looked at by itself.
    expect(met.bytes.length).toBeLessThan(1024 * 1024)
  },
  'unknown-encoding'(met, usual) {
    asEver()(met, usual)
    expect(met.headers['content-encoding']).toBe('x-fault')
  },
  'wrong-content-type': asEver({ contentType: 'text/plain' }),
  html: page,
  'html-after-commit': page,
  'success-false': json(200, {
    success: false,
    error: { code: 'FAULT', message: 'The sandbox was told to fail' },
  }),
  'outer-success-false': changed((answer) => ({ ...answer, success: false })),
  'inner-success-false-before-commit': json(200, { data: { success: false }, success: true }),
  'inner-success-false': changed(({ data, ...rest }) => ({
    ...rest,
    success: true,
    data: { ...data, success: false },
  })),
  'unknown-field': eachRecord((record) => ({ ...record, addedLater: 'unknown' })),
  'missing-field': eachRecord(({ id: _gone, ...record }) => record),
  'wrong-type'(met) {
    const { data } = JSON.parse(met.text)
    const records = Array.isArray(data) ? data : [data.candidate ?? data]
    expect(records.length).toBeGreaterThan(0)
    for (const { id } of records) expect(id).toEqual({ value: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  },
  'total-missing': changed(({ totalDocs: _gone, ...answer }) => answer),
  'total-negative': total(-1),
  'total-string': total('45'),
  'total-huge': total(1e308),
  'total-shrinking': total(44),
  'total-growing': total(46),
  'empty-page': codes(),
  'repeated-page': codes(...range(1, 10)),
  'duplicate-ids': codes(10, ...range(12, 20)),
  'size-ignored': codes(...range(21, 40)),
  'size-exceeded': codes(),
}

function named<T>(
  items: readonly T[],
  entry: (item: T) => [string, Expectation],
): Readonly<Record<string, Expectation>> {
  return Object.fromEntries(items.map(entry))
}
