import { STATUS_CODES } from 'node:http'
import { isWrite } from '../../../../src/model/operations/operation.ts'
import {
  type Exchange,
  type Fault,
  type FaultAnswer,
  replaceResponse,
  send,
  withBody,
} from '../../../../src/sandbox/faults/fault.ts'
import { refusingAnswer } from '../../../../src/sandbox/faults/usual-faults.ts'

const unexpected = [200, 202]

interface Waiting {
  readonly suffix: string
  readonly says: string
  readonly headers: (now: number) => FaultAnswer['headers']
}

/** Retry-After in seconds, as a date of RFC 9110, and in ways that a client should ignore. */
const retryAfters: readonly Waiting[] = [
  { suffix: 'seconds', says: 'of one second', headers: () => after('1') },
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

/** Further faults with a wrong status. */
export const statusFaults: readonly Fault[] = [
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
    act: ({ outgoing, now }: Exchange) => send(outgoing, refusingAnswer(status, headers(now()))),
  }
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

function redirect(status: number, location: string): FaultAnswer {
  return { status, headers: { location }, body: Buffer.alloc(0) }
}

/** The sandbox's other host name, so that it notices a client that follows the redirect. */
function otherOrigin(url: URL): string {
  const other = new URL(url)
  other.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return other.href
}
