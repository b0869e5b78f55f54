import { expect, test } from 'vitest'
import type { CallEvent } from '../../src/api/client.ts'
import { trackWrites } from '../../src/context/write-tracker.ts'
import type { Outcome } from '../../src/errors.ts'

const [one, other] = [Symbol('one'), Symbol('other')]
const path = '/svc/candidates'
const begin = (method: string, call = one): CallEvent => ({ type: 'request', call, method, path })
const end = (method: string, outcome?: Outcome, call = one): CallEvent => ({
  type: 'answer',
  ...{ call, method, path, ms: 1, status: 200, outcome },
})

function stoppedAfter(...events: CallEvent[]) {
  const work = trackWrites()
  for (const event of events) work.onEvent(event)
  const { message, details } = work.describeInterruption()
  return [details.outcome, message]
}

const reading = [undefined, 'Stopped. Nothing was changed.']
const notSent = ['not-sent', 'Stopped.']
const unknown = ['unknown', 'Stopped while the request was under way: it may or may not have been applied.']
const refused = ['refused', 'Stopped.']
const applied = ['applied', 'Stopped. The request had been applied before that.']

test.each<[string, CallEvent[], (string | undefined)[]]>([
  ['before anything', [], notSent],
  ['while it reads', [begin('GET')], reading],
  [
    'while one of two reads is under way',
    [begin('GET'), begin('GET', other), end('GET', undefined, other)],
    reading,
  ],
  ['after it read', [begin('GET'), end('GET')], reading],
  ['while it writes', [begin('GET'), end('GET'), begin('POST', other)], unknown],
  ['after an answer that says yes', [begin('PUT'), end('PUT', 'applied')], applied],
  ['while it reads what it wrote', [begin('PUT'), end('PUT', 'applied'), begin('GET', other)], applied],
  ['after an answer that says no', [begin('POST'), end('POST', 'refused')], refused],
  ['after an answer that leaves it open', [begin('POST'), end('POST', 'unknown')], unknown],
  ['after a connection that never came about', [begin('POST'), end('POST', 'not-sent')], notSent],
  [
    'of several writes, the one that matters most',
    [begin('POST'), begin('POST', other), end('POST', 'unknown'), end('POST', 'applied', other)],
    unknown,
  ],
  [
    'of a write that was sent again, the last word',
    [begin('DELETE'), end('DELETE', 'unknown'), begin('DELETE'), end('DELETE', 'applied')],
    applied,
  ],
  [
    'while a refused write is being sent again',
    [begin('POST'), end('POST', 'refused'), begin('POST')],
    unknown,
  ],
  [
    'while the second of two writes is under way',
    [begin('POST'), end('POST', 'applied'), begin('POST', other)],
    unknown,
  ],
])('a run that is stopped says of its work %s', (_, events, expected) => {
  expect(stoppedAfter(...events)).toEqual(expected)
})
