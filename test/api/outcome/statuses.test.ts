import { describe, expect, test } from 'vitest'
import { type Answer, attempt, type CallName, reads, type writes } from '../http-cases.ts'

type Ends = Readonly<Record<(typeof reads)[number] | (typeof writes)[number], number>>

const all = (code: number): Ends => ({ one: code, list: code, post: code, put: code, delete: code })
const split = (read: number, write: number): Ends => ({ ...all(write), one: read, list: read })

/** Status by status, the exit code of each call. 8: a write may have been applied. */
const exits: Readonly<Record<number, Ends>> = {
  300: split(10, 8),
  304: split(10, 8),
  400: all(6),
  401: all(4),
  402: split(10, 8),
  403: all(4),
  404: { one: 5, list: 6, post: 6, put: 5, delete: 5 },
  405: all(6),
  406: split(10, 8),
  407: split(10, 8),
  408: split(7, 8),
  // Whether it is deleted cannot be seen here, because nothing lists it.
  409: { ...all(6), delete: 8 },
  410: split(10, 8),
  411: all(6),
  413: all(6),
  415: all(6),
  418: split(10, 8),
  422: all(6),
  429: all(7),
  500: split(7, 8),
  501: split(7, 8),
  502: split(7, 8),
  503: split(7, 8),
  504: split(7, 8),
  505: split(7, 8),
  520: split(7, 8),
  599: split(7, 8),
}

/** Asked for three times where it is read, and a deletion too; a write only where it was refused for the moment. */
const askedAgain: Readonly<Record<string, readonly CallName[]>> = {
  429: ['one', 'list', 'post', 'put', 'delete'],
  ...Object.fromEntries(
    [408, 500, 502, 503, 504, 520, 599].map((status) => [status, ['one', 'list', 'delete']]),
  ),
}

/** A page is asked for in half of its size; a deletion may meet what an earlier attempt left. */
const askedTwice: Readonly<Record<string, CallName>> = { 409: 'delete', 413: 'list' }

/** The word for each exit code. */
const codes: Readonly<Record<number, string>> = {
  ...{ 4: 'auth', 5: 'not-found', 6: 'refused', 7: 'temporary', 8: 'unknown', 10: 'invalid-response' },
}

const answeredNo = ['400', '401', '403', '404', '405', '409', '411', '413', '415', '422', '429']

const table = Object.entries(exits).flatMap(([status, ends]) =>
  Object.entries(ends).map(([call, code]) => ({ status, call: call as CallName, code })),
)

describe('a status other than 2xx', () => {
  test.each(table)('$status for $call exits $code', async ({ status, call, code }) => {
    const { run, received } = await attempt(call, [Number(status)])
    const isRead = reads.some((each) => each === call)
    expect([run.code, run.out]).toEqual([code, ''])
    expect(received).toHaveLength(
      askedTwice[status] === call
        ? 2
        : askedAgain[status]?.includes(call)
          ? isRead
            ? received.length
            : 3
          : 1,
    )
    if (isRead && askedAgain[status]?.includes(call)) expect(received.length).toBeGreaterThan(2)
    const refused = answeredNo.includes(status) && !isRead ? 'refused' : null
    expect(run.error()).toMatchObject({
      code: codes[code],
      exitCode: code,
      outcome: code === 8 ? 'unknown' : refused,
      retryable: code === 7,
      status: Number(status),
      method: received[0]?.method,
      path: received[0]?.url.split('?')[0],
    })
    expect(run.error().message).toContain(status)
  })

  test('names the remedy when the key is refused', async () => {
    const { run } = await attempt('one', [401])
    expect(run.error().hint).toContain('PAYROLL_API_KEY')
  })

  test('of a path that is a guess gives the line that corrects it, and of a documented one does not', async () => {
    for (const status of [404, 405]) {
      const guessed = await attempt('list', [status])
      expect(guessed.run.error().hint).toContain('{"routes":{"vatCodes.list":"GET ')
      const documented = await attempt('post', [status])
      expect(documented.run.error().hint).not.toContain('assumption')
    }
  })

  test.each<[string, Answer]>([
    ...[101, 199, 600, 999].map((status): [string, Answer] => [
      String(status),
      ({ socket }) => void socket?.end(`HTTP/1.1 ${status} Odd\r\nContent-Length: 2\r\n\r\n{}`),
    ]),
    [
      '101 with another protocol',
      ({ socket }) =>
        void socket?.write('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n'),
    ],
  ])('that HTTP does not have, %s, is not understood', async (_, answer) => {
    const [read, write] = [await attempt('one', answer), await attempt('post', answer)]
    expect([read.run.code, write.run.code]).toEqual([10, 8])
  })
})

test('a 409 for a creation that was sent once speaks of no earlier attempt', async () => {
  const { run, received } = await attempt('post', [409, { message: 'conflict' }])
  expect(received).toHaveLength(1)
  expect(run.error().hint).toMatch(/^It may be there already.*check that record/)
  expect(run.error().hint).not.toContain('attempt')
})

test('a 409 for an update says to look at the record, and speaks of no creation', async () => {
  const { run } = await attempt('put', [409, { message: 'conflict' }])
  expect(run.error().hint).toContain('Look at the record as it is now')
})
