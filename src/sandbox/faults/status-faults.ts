import { STATUS_CODES } from 'node:http'
import {
  type Answer,
  type Exchange,
  type Fault,
  isWrite,
  jsonResponse,
  replaceResponse,
  send,
  withBody,
} from './fault.ts'

/** Answered without carrying out the request. */
const refused = [400, 401, 403, 404, 405, 407, 408, 409, 411, 413, 415, 422, 429, 500, 502, 503, 504]
/** Also possible after the request was carried out: a gateway timed out, or its retry met the first attempt. */
const alsoAfterCommit = [408, 409, 500, 502, 503, 504]
const unexpected = [200, 202]

interface Waiting {
  readonly suffix: string
  readonly says: string
  readonly headers: (now: number) => Answer['headers']
}

/** Retry-After in both formats of RFC 9110, and in ways that a client should ignore. */
const retryAfters: readonly Waiting[] = [
  { suffix: 'seconds', says: 'in one second', headers: () => after('1') },
  { suffix: 'date', says: 'at a time that is two seconds away', headers: (now) => after(date(now + 2000)) },
  {
    suffix: 'clock',
    says: 'two seconds from its own Date, which is an hour ahead',
    headers: (now) => ({ ...after(date(now + hour + 2000)), date: date(now + hour) }),
  },
  { suffix: 'past', says: 'at a time that is an hour ago', headers: (now) => after(date(now - hour)) },
  { suffix: 'absurd', says: 'in some thirty years', headers: () => after('999999999') },
]

/** In milliseconds. */
const hour = 3_600_000

const after = (told: string) => ({ 'retry-after': told })

const date = (time: number) => new Date(time).toUTCString()

/** Faults with a wrong status. */
export const statusFaults: readonly Fault[] = [
  ...refused.map(
    (status): Fault => ({
      name: `status=${status}`,
      summary: `answers ${status} ${STATUS_CODES[status]}; nothing is done`,
      applied: 'no',
      act: ({ outgoing }) => send(outgoing, refusal(status)),
    }),
  ),
  ...alsoAfterCommit.map(
    (status): Fault => ({
      name: `status=${status}-after-commit`,
      summary: `does what was asked, and answers ${status} ${STATUS_CODES[status]}`,
      applied: 'yes',
      act: replaceResponse(() => refusal(status)),
    }),
  ),
  ...[429, 503].flatMap((status) => retryAfters.map((wait) => busy(status, wait))),
  ...unexpected.map(
    (status): Fault => ({
      name: `status=${status}`,
      summary: `answers a write as usual, but with ${status} ${STATUS_CODES[status]}`,
      applied: 'yes',
      on: isWrite,
      act: replaceResponse((answer) => ({ ...answer, status })),
    }),
  ),
  {
    name: 'status=204',
    summary: 'answers a write with 204 No Content',
    applied: 'yes',
    on: isWrite,
    act: replaceResponse(() => ({ status: 204, headers: {}, body: Buffer.alloc(0) })),
  },
  {
    name: 'with-body',
    summary: 'answers with a body where none is expected, as the UK create does not',
    applied: 'yes',
    on: ({ response }) => response.kind === 'nothing',
    act: replaceResponse(withBody),
  },
  {
    name: 'no-body',
    summary: 'answers with the expected status and without the body that belongs to it',
    applied: 'yes',
    on: ({ response }) => response.kind !== 'nothing',
    act: replaceResponse(({ status }) => ({ status, headers: {}, body: Buffer.alloc(0) })),
  },
]

function busy(status: number, { suffix, says, headers }: Waiting): Fault {
  return {
    name: `status=${status}-${suffix}`,
    summary: `answers ${status} with a Retry-After: ${says}; nothing is done`,
    applied: 'no',
    act: ({ outgoing, now }: Exchange) => send(outgoing, refusal(status, headers(now()))),
  }
}

/** The same shape as the sandbox's other refusals. */
function refusal(status: number, headers: Answer['headers'] = {}): Answer {
  const error = { code: `FAULT_${status}`, message: 'The sandbox was told to fail' }
  return jsonResponse(status, { success: false, error }, headers)
}

const statuses = [301, 302, 303, 307, 308]

/** Redirects: a client must not send the key or a write's data there. */
export const redirectFaults: readonly Fault[] = [
  ...statuses.flatMap((status): Fault[] => [
    {
      name: `redirect=${status}`,
      summary: `answers ${status} to another origin; nothing is done`,
      applied: 'no',
      act: ({ outgoing, url }) => send(outgoing, redirect(status, otherOrigin(url))),
    },
    {
      name: `redirect=${status}-path`,
      summary: `answers ${status} to another path of the same origin; nothing is done`,
      applied: 'no',
      act: ({ outgoing, url }) => send(outgoing, redirect(status, `/moved${url.pathname}`)),
    },
  ]),
  {
    name: 'redirect=303-after-commit',
    summary: 'does what was asked, and answers 303 to another path of the same origin',
    applied: 'yes',
    act: replaceResponse((_, { url }) => redirect(303, `/moved${url.pathname}`)),
  },
]

function redirect(status: number, location: string): Answer {
  return { status, headers: { location }, body: Buffer.alloc(0) }
}

/** The sandbox's other host name, so that it notices a client that follows the redirect. */
function otherOrigin(url: URL): string {
  const other = new URL(url)
  other.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return other.href
}
