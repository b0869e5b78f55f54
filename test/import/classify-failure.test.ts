import { expect, test } from 'vitest'
import { Failure, type FailureCode, type Outcome } from '../../src/errors.ts'
import { classifyFailure, type FailureClass, retryAfterOf } from '../../src/import/send-rows.ts'

const failed = (code: FailureCode, outcome?: Outcome, status?: number) =>
  new Failure(code, 'It failed.', { ...(outcome && { outcome }), ...(status !== undefined && { status }) })

const held = { type: 'held' } as const
const doubted = { type: 'doubted' } as const

test.each<[string, unknown, FailureClass]>([
  ['a bug of ours after it was sent', new TypeError('no such thing'), { change: doubted, stop: 'bug' }],
  ['a 400 that is about the settings', failed('usage', 'refused', 400), { change: held, stop: 'bug' }],
  ['no connection', failed('temporary', 'not-sent'), { change: held, pace: 'unreachable' }],
  ['a key that cannot be read', failed('auth', 'not-sent'), { change: held, stop: 'bug' }],
  ['429', failed('temporary', 'refused', 429), { change: held, pace: 'busy' }],
  ['401', failed('auth', 'refused', 401), { change: held, stop: 'key' }],
  ['403', failed('auth', 'refused', 403), { change: held, stop: 'key' }],
  ['404', failed('refused', 'refused', 404), { change: held, stop: 'route' }],
  ['405', failed('refused', 'refused', 405), { change: held, stop: 'route' }],
  ['404 that leaves open what was done', failed('unknown', 'unknown', 404), { change: doubted }],
  ...[400, 411, 413, 415, 422].map((status): [string, unknown, FailureClass] => [
    `${status}`,
    failed('refused', 'refused', status),
    { change: { type: 'refused' } },
  ]),
  ['422 that leaves open what was done', failed('unknown', 'unknown', 422), { change: doubted }],
  ['409', failed('refused', 'unknown', 409), { change: doubted }],
  ['a status that was never agreed on', failed('refused', 'refused', 418), { change: doubted }],
  ['a refusal without a status', failed('refused', 'refused'), { change: doubted }],
  ['success: false', failed('refused', 'refused', 200), { change: doubted }],
  ['500', failed('unknown', 'unknown', 500), { change: doubted }],
  ['503', failed('unknown', 'unknown', 503), { change: doubted, pace: 'busy' }],
  ['a lost answer', failed('unknown', 'unknown'), { change: doubted }],
])('what becomes of a row and its run after %s', (_, error, expected) => {
  expect(classifyFailure(error)).toEqual(expected)
})

test('the pause that the service asks for is read from a failure, and from nothing else', () => {
  expect(retryAfterOf(new Failure('temporary', 'Busy.', { retryAfterMs: 2000 }))).toBe(2000)
  expect(retryAfterOf(failed('temporary', 'refused', 429))).toBeUndefined()
  expect(retryAfterOf(Object.assign(new Error('Busy.'), { retryAfterMs: 2000 }))).toBeUndefined()
})
