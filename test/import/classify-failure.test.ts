import { expect, test } from 'vitest'
import { Failure, type FailureCode, type Outcome } from '../../src/errors.ts'
import { classifyFailure, type FailureClass } from '../../src/import/send.ts'

const failed = (code: FailureCode, outcome?: Outcome, status?: number) =>
  new Failure(code, 'It failed.', { ...(outcome && { outcome }), ...(status !== undefined && { status }) })

test.each<[string, Failure, FailureClass]>([
  ['a 400 that is about the settings', failed('usage', 'refused', 400), { to: 'ready', stop: 'bug' }],
  ['no connection', failed('temporary', 'not-sent'), { to: 'ready', pace: 'unreachable' }],
  ['a key that cannot be read', failed('auth', 'not-sent'), { to: 'ready', stop: 'bug' }],
  ['429', failed('temporary', 'refused', 429), { to: 'ready', pace: 'busy' }],
  ['401', failed('auth', 'refused', 401), { to: 'ready', stop: 'key' }],
  ['403', failed('auth', 'refused', 403), { to: 'ready', stop: 'key' }],
  ['404', failed('refused', 'refused', 404), { to: 'ready', stop: 'route' }],
  ['405', failed('refused', 'refused', 405), { to: 'ready', stop: 'route' }],
  ['404 that leaves open what was done', failed('unknown', 'unknown', 404), { to: 'unclear' }],
  ...[400, 411, 413, 415, 418, 422].map((status): [string, Failure, FailureClass] => [
    `${status}`,
    failed('refused', 'refused', status),
    { to: 'refused' },
  ]),
  ['422 that leaves open what was done', failed('unknown', 'unknown', 422), { to: 'unclear' }],
  ['409', failed('refused', 'unknown', 409), { to: 'unclear' }],
  ['success: false', failed('refused', 'refused', 200), { to: 'unclear' }],
  ['500', failed('unknown', 'unknown', 500), { to: 'unclear' }],
  ['503', failed('unknown', 'unknown', 503), { to: 'unclear', pace: 'busy' }],
  ['a lost answer', failed('unknown', 'unknown'), { to: 'unclear' }],
])('what becomes of a row and its run after %s', (_, error, expected) => {
  expect(classifyFailure(error)).toEqual(expected)
})
