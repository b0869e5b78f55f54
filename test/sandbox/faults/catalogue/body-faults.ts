import { gzipSync } from 'node:zlib'
import {
  type Fault,
  type FaultAnswer,
  replaceResponse,
  send,
  withBody,
} from '../../../../src/sandbox/faults/fault.ts'

const mebibyte = 1024 * 1024
const levels = 100_000

/** Text that breaks JSON, inserted after its opening brace. */
const insertions: readonly {
  readonly name: string
  readonly summary: string
  readonly bytes: () => Buffer
}[] = [
  { name: 'bad-json', summary: 'answers with NaN in its JSON', bytes: () => Buffer.from('"fault":NaN,') },
  {
    name: 'duplicate-keys',
    summary: 'answers JSON that has the same name twice',
    bytes: () => Buffer.from('"fault":1,"fault":2,'),
  },
  {
    name: 'lone-surrogate',
    summary: 'answers JSON with half of a character, \\ud800',
    bytes: () => Buffer.from('"fault":"\\ud800",'),
  },
  {
    name: 'invalid-utf8',
    summary: 'answers JSON with a byte that is not UTF-8',
    bytes: () => Buffer.from('"fault":"\xff",', 'latin1'),
  },
  {
    name: 'deep-json',
    summary: `answers JSON that is nested ${levels} levels deep`,
    bytes: () => Buffer.from(`"fault":${'['.repeat(levels)}${']'.repeat(levels)},`),
  },
  {
    name: 'oversized-body',
    summary: 'answers JSON with 40 MiB of blanks in it',
    bytes: () => Buffer.alloc(40 * mebibyte, ' '),
  },
]

/** Faults of an answer's body and of its compression. The status is that of success. */
export const bodyFaults: readonly Fault[] = [
  ...insertions.map(
    ({ name, summary, bytes }): Fault => ({
      name,
      summary,
      applied: 'yes',
      act: replaceResponse((answer) => inserted(withBody(answer), bytes())),
    }),
  ),
  {
    name: 'truncated-json',
    summary: 'answers half of its JSON, and a Content-Length that fits the half',
    applied: 'yes',
    act: replaceResponse((answer) => {
      const whole = withBody(answer)
      return { ...whole, body: whole.body.subarray(0, Math.ceil(whole.body.byteLength / 2)) }
    }),
  },
  {
    name: 'gzip-bomb',
    summary: 'answers a gzip body that unpacks to 320 MiB',
    applied: 'yes',
    act: replaceResponse((answer) => zipBomb(withBody(answer))),
  },
  {
    name: 'unknown-encoding',
    summary: 'answers with an unknown Content-Encoding',
    applied: 'yes',
    act: replaceResponse((answer) => withHeader(withBody(answer), 'content-encoding', 'x-fault')),
  },
  {
    name: 'wrong-content-type',
    summary: 'answers its JSON as text/plain',
    applied: 'yes',
    act: replaceResponse((answer) => withHeader(withBody(answer), 'content-type', 'text/plain')),
  },
  {
    name: 'html',
    summary: 'answers 200 and a web page, like a proxy that requires a sign-in; nothing is done',
    applied: 'no',
    act: ({ outgoing }) => send(outgoing, page()),
  },
  {
    name: 'html-after-commit',
    summary: 'does what was asked, and answers 200 and a web page',
    applied: 'yes',
    act: replaceResponse(page),
  },
]

function inserted(answer: FaultAnswer, bytes: Buffer): FaultAnswer {
  return { ...answer, body: Buffer.concat([answer.body.subarray(0, 1), bytes, answer.body.subarray(1)]) }
}

/** A gzip file may have several members (RFC 1952): we compress one and send it many times. */
function zipBomb(answer: FaultAnswer): FaultAnswer {
  const blanks = gzipSync(Buffer.alloc(16 * mebibyte, ' '))
  const body = Buffer.concat([...Array<Buffer>(20).fill(blanks), gzipSync(answer.body)])
  return withHeader({ ...answer, body }, 'content-encoding', 'gzip')
}

function withHeader(answer: FaultAnswer, name: string, value: string): FaultAnswer {
  return { ...answer, headers: { ...answer.headers, [name]: value } }
}

function page(): FaultAnswer {
  const body = Buffer.from('<!doctype html><title>Sign in</title><p>Please sign in to go on.</p>')
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}
