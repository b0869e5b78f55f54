import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { asTyped, payroll } from '../../payroll.ts'
import { answering } from '../../service.ts'
import { type Answer, answeringWith, attempt, type CallName, inTurn, inTurns, rate } from '../http-cases.ts'

const words = 'NI number already used'

/** Bodies that come with a status of 2xx and say that it did not work, but not that nothing was done. */
const contradictions: readonly (readonly [unknown, string])[] = [
  [{ errors: [{ message: words }], success: true }, `with an error: ${words}`],
  [{ data: { errors: { NINumber: ['taken'] } }, success: true }, 'with an error'],
  [{ success: 'true' }, 'but did not say success: true'],
  [{ success: 'false' }, 'but did not say success: true'],
  [{ data: { success: 0 }, success: true }, 'but did not say success: true'],
  [{ error: { status: 500, message: words } }, `with an error: ${words}`],
  [{ status: 408 }, 'with status: 408'],
  [{ id: 'r1', statusCode: 503 }, 'with statusCode: 503'],
  [{ ...rate, status: 500 }, 'with status: 500'],
  [{ success: null, message: words }, `but did not say success: true: ${words}`],
]

const writes = ['createUk', 'createIreland', 'post', 'put', 'delete'] as const

/** Bodies that come with a status of 2xx and plainly say no, and how the message repeats it. */
const refusals: readonly (readonly [unknown, string])[] = [
  [{ success: false }, 'success: false'],
  [{ success: false, data: [] }, 'success: false'],
  [{ success: false, data: [[words]], items: [{}] }, 'success: false'],
  [{ data: { success: false }, success: true }, 'success: false'],
]

/** Bodies that are an error and nothing else: they refuse a write, and a read does not understand them. */
const bareErrors: typeof refusals = [
  [{ error: { message: words } }, `with an error: ${words}`],
  [{ error: words }, `with an error: ${words}`],
  [{ error: words, data: [] }, `with an error: ${words}`],
  [{ error: { code: 'DUPLICATE' }, data: null }, 'with an error'],
  [{ errors: [words] }, `with an error: ${words}`],
  [{ status: 400, message: words }, `with status: 400: ${words}`],
  [{ status: 'FAIL', data: null }, 'with status: FAIL'],
  [{ result: 'failure' }, 'with result: failure'],
  [{ data: { status: 'REJECTED' } }, 'with status: REJECTED'],
]

/** Bodies that say no in words of their own: nobody knows whether a write was applied. */
const otherWords: readonly object[] = [
  { Success: false, Message: words },
  { ok: false },
  { hasErrors: true },
  { Status: 'Failed', message: words },
  { code: 'VALIDATION_ERROR', message: words },
  { id: 'e-17', errorCode: 'E42' },
  { errorCode: 'E42', errorMessage: words },
  { fault: { faultstring: words } },
  { validationErrors: [words] },
]

describe('an answer of 2xx that says no', () => {
  test.each(inTurns([...refusals, ...bareErrors], writes))(
    '%j refuses a write: nothing was applied',
    async ([body, says], call) => {
      const { run, received } = await attempt(call, [200, body])
      expect([call, run.code, run.out, received.length]).toEqual([call, 6, '', 1])
      expect(run.error()).toMatchObject({ code: 'refused', outcome: 'refused', status: 200 })
      expect(run.error().message).toBe(`The service answered ${says}. Nothing was applied.`)
    },
  )

  test.each(inTurns(otherWords, writes))('%j confirms no write: it is in doubt', async (body, call) => {
    const { run, received } = await attempt(call, [200, body])
    expect([call, run.code, run.out, received.length]).toEqual([call, 8, '', 1])
    expect(run.error()).toMatchObject({ code: 'unknown', outcome: 'unknown', retryable: false })
  })

  // Nor is a message and nothing else.
  const messages = [{ message: words }, { data: { message: words } }, { title: 'Invalid', detail: words }]
  test.each([...otherWords.filter((body) => !Object.hasOwn(body, 'id')), ...messages])(
    '%j is no record for a read',
    async (body) => {
      const { run } = await attempt('one', [200, body])
      expect([run.code, run.out]).toEqual([10, ''])
    },
  )

  test.each(refusals)('%j refuses a read', async (body) => {
    const { run } = await attempt('one', [200, body])
    expect([run.code, run.out, run.error().outcome]).toEqual([6, '', null])
  })

  test('is in doubt where it says yes as well, or names the fields that are wrong as a record does', async () => {
    const fail = { status: 'fail', data: { units: 'units is not known' } }
    for (const body of [{ status: 'fail', success: true }, fail, { ...fail, data: rate }]) {
      const { run } = await attempt('post', [201, body])
      expect([run.code, run.error().message]).toEqual([8, expect.stringContaining('201 with status: fail.')])
    }
  })

  test('is no empty list', async () => {
    const { run } = await attempt('list', [200, { status: 500, message: words, data: null, totalDocs: 0 }])
    expect([run.code, run.out]).toEqual([10, ''])
  })

  test('is no refusal where the record itself has such a word: it may be its state', async () => {
    const { run } = await attempt('post', [201, { data: { id: 'r1', units: 'HOURLY', status: 'REJECTED' } }])
    expect([run.code, run.json()]).toMatchObject([0, { id: 'r1', status: 'REJECTED' }])
  })
})

const unclear = [
  ['half a piece of JSON', '{"success":false,"message":"NI numb'],
  ['a comma too many', '{"success":true,}'],
  ['a Python dict', "{'success': True}"],
  ['NaN', '{"success":true,"total":NaN}'],
  ['a NUL', '{"success":true}\0'],
  ['Latin-1', Buffer.from('{"success":true,"name":"José"}', 'latin1')],
  ['65 levels', `{"success":true,"deep":${'['.repeat(65)}${']'.repeat(65)}}`],
  ['two objects', '{"success":true}{"success":true}'],
  ['a word', 'OK'],
  ['a word as JSON', '"Created"'],
  ['a yes that is not documented', '{"ok":true}'],
  ['a message that may mean yes', '{"message":"Candidate stored"}'],
  ['a message that may mean no', `{"message":"${words}"}`],
  ['a message inside', `{"data":{"message":"${words}"}}`],
  ['a record of another kind', '{"data":{"colour":"red"}}'],
  ['a list', '[{"id":"c1"}]'],
] as const

test.each(inTurns(unclear, writes))(
  'an answer of 2xx to a write that neither says no nor confirms it with %j leaves it in doubt',
  async ([, text], call) => {
    const { run } = await attempt(call, [call === 'put' ? 200 : 201, text])
    expect([call, run.code, run.out]).toEqual([call, 8, ''])
    const hint = expect.stringMatching(/payroll .* (list|get)/)
    expect(run.error()).toMatchObject({ outcome: 'unknown', hint })
  },
)

describe('an answer of 2xx that says otherwise', () => {
  test.each(inTurns(contradictions, writes))(
    '%j: no write is told to have worked',
    async ([body, why], call) => {
      const { run, received } = await attempt(call, [200, body])
      expect([call, run.code, run.out, received.length]).toEqual([call, 8, '', 1])
      const { message, ...error } = run.error()
      expect(error).toMatchObject({ code: 'unknown', outcome: 'unknown', retryable: false, status: 200 })
      expect(message).toContain(`The service answered 200 ${why}.`)
      expect(message).toMatch(/ It may or may not have been applied\.$/)
      expect(run.error().hint).toMatch(/(payroll .* (list|get)|look first)/i)
    },
  )

  test.each(inTurns([...contradictions, ...bareErrors], ['one', 'list'] as const))(
    '%j: no read is answered by it',
    async ([body], call) => {
      const { run } = await attempt(call, [200, body])
      expect([call, run.code, run.out]).toEqual([call, 10, ''])
    },
  )

  const yes = { data: rate, success: true }
  const cutOff = (response: ServerResponse) =>
    void response.writeHead(202, { 'content-length': 99 }).write('{"d', () => response.socket?.destroy())
  const doubtful: [string, Answer][] = [
    ['202 Accepted', [202, yes]],
    ['202 Accepted and nothing else', [202]],
    ['202 Accepted and half a piece of JSON', [202, '{"data":']],
    ['202 Accepted and a body that breaks off', cutOff],
    ['206 Partial Content', [206, yes]],
    ['206 Partial Content and nothing else', [206]],
    ['207 Multi-Status', [207, yes]],
    ['207 Multi-Status and nothing else', [207]],
    ['success twice', [200, '{"success":false,"success":true}']],
    ['words', [200, 'Internal error: try again']],
    ['words as JSON', [200, '"Internal error: try again"']],
    ['a bare no', [200, 'false']],
  ]
  test.each(inTurns(doubtful, writes))('of %s leaves a write open', async ([, answer], call) => {
    const { run } = await attempt(call, answer)
    expect([call, run.code, run.error().outcome]).toEqual([call, 8, 'unknown'])
    expect(run.error().status).toBe(Array.isArray(answer) ? answer[0] : 202)
  })

  test.each([202, 207])('is none for a read with %i either', async (status) => {
    const { run } = await attempt('one', [status, { data: rate }])
    expect(run.code).toBe(10)
  })

  test('is not taken for the access token that was asked for', async () => {
    const { env } = await answering(200, { error: 'invalid_grant' })
    const run = await payroll(asTyped`auth token --refresh --json`, { env, input: 'refresh-token-0000' })
    expect([run.code, run.out]).toEqual([6, ''])
    expect(run.error().message).toContain('invalid_grant')
  })
})

describe('a create whose answer the document shows', () => {
  const others = [
    {},
    [],
    null,
    { ok: true },
    { data: null },
    { data: [rate] },
    { data: {} },
    { message: 'Done.' },
  ]
  test.each(inTurns(others, ['createIreland', 'post'] as const))(
    'is in doubt where neither the record nor success: true comes back: %j',
    async (body, call) => {
      const { run } = await attempt(call, [201, body])
      expect([call, run.code]).toEqual([call, 8])
      expect(run.error().message).toContain('without the record')
    },
  )

  test('is in doubt where nothing comes back, and a UK create is not: "201, no body"', async () => {
    for (const [call, code] of Object.entries({ createIreland: 8, post: 8, createUk: 0 })) {
      const { run } = await attempt(call as CallName, [201])
      expect([call, run.code]).toEqual([call, code])
    }
  })

  test.each([
    [201, 8],
    [204, 0],
  ])('of a timesheet ends, where nothing comes back with %i, with exit %i', async (status, code) => {
    const { env } = await answeringWith([status])
    const run = await payroll(['timesheets', 'create', '--set', 'subcontractorRef=A1'], { env })
    expect(run.code).toBe(code)
  })

  test('is done where a record comes back without its envelope', async () => {
    const { run } = await attempt('createIreland', [201, { forename: 'Aoife', surname: 'Example' }])
    expect([run.code, run.json().surname]).toEqual([0, 'Example'])
  })
})

/** The record as an update asks for it: what comes back is held against that. */
const changed = { ...rate, description: 'Nights' }

describe('an answer of 2xx is success', () => {
  test.each([
    ['with a status of its own that is a word', { data: { ...changed, status: 'ACTIVE' } }],
    ['with the code of a rate that is a number', { data: { ...changed, code: '1001' }, success: true }],
    ['with such a code outside of an envelope', { ...changed, code: '1001' }],
    ['with the status of HTTP in it', { data: changed, status: 200, statusCode: '201', success: true }],
    ['with no errors in it', { data: changed, error: null, errors: [], success: true }],
    ...[{}, false, '', 0].map((none): [string, object] => [
      `with ${JSON.stringify(none)} as its error`,
      { data: changed, error: none, errors: none, success: true },
    ]),
    ['with an error that the record keeps', { data: { ...changed, errors: ['not ours'] }, success: true }],
  ])('%s', async (_, body) => {
    for (const call of ['one', 'putApplied'] as const) {
      const { run } = await attempt(call, [200, body])
      expect([call, run.code]).toEqual([call, 0])
    }
  })

  test('with nothing in it, and status 204', async () => {
    for (const call of ['putApplied', 'delete'] as const) {
      const { run } = await attempt(call, [204])
      expect([call, run.code]).toEqual([call, 0])
    }
  })
})

describe('a raw call', () => {
  const raw = async (method: 'GET' | 'POST', answer: unknown) => {
    const { env } = await answeringWith([200, answer])
    const file = method === 'POST' ? ['--file', '-'] : []
    return payroll(['--json', 'api', method, '/svc/odd', ...file], { env, input: '{}' })
  }

  test.each([
    [6, 'refused', { error: words }],
    [8, 'unknown', { success: 'true' }],
    [8, 'unknown', '"words"'],
  ])('that writes is judged as every other: exit %i, %s after %j', async (code, outcome, body) => {
    const run = await raw('POST', body)
    expect([run.code, run.error().outcome]).toEqual([code, outcome])
  })

  test('shows what came: of a read whatever it is, of a write where it is no refusal', async () => {
    expect((await raw('GET', { error: words })).json()).toEqual({ error: words })
    expect((await raw('POST', { ok: true })).json()).toEqual({ ok: true })
    expect((await raw('GET', { success: false })).code).toBe(6)
  })

  test.each(['{"data":', 'words', '', '<html>'])('that reads %j has read nothing: exit 10', async (text) => {
    const run = await raw('GET', text)
    expect([run.code, run.out]).toEqual([10, ''])
  })
})

describe('a read that is answered 500 and then 404', () => {
  test.each([
    [5, ['candidates', 'get', 'c1']],
    [6, ['candidates', 'list']],
    [5, ['api', 'GET', '/svc/odd']],
  ])('ends with %i, as one that is answered 404: %j', async (code, argv) => {
    const { env, received } = await answeringWith(inTurn([500, {}], [404, {}]))
    const run = await payroll([...argv, '--json'], { env })
    const same = received.filter(({ url }) => url === received[0]?.url)
    expect([run.code, run.out, same.length]).toEqual([code, '', 2])
  })

  test('does not make a key look accepted', async () => {
    const { env } = await answeringWith(inTurn([500, {}], [404, {}]))
    const run = await payroll(['auth', 'status', '--json'], { env })
    expect([run.code, run.json().accepted]).toEqual([6, null])
  })
})
