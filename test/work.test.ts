import { describe, expect, test } from 'vitest'
import type { CallEvent } from '../src/api/client.ts'
import { createWork } from '../src/work.ts'

const route = { path: '/svc/candidates', ms: 1 }
const begin = (method: string): CallEvent => ({ type: 'request', method, path: route.path })
const answer = (method: string, status: number): CallEvent => ({ type: 'answer', method, status, ...route })
const lost = (method: string, why: string): CallEvent => ({ type: 'lost', method, why, ...route })

function stoppedAfter(...events: CallEvent[]) {
  const work = createWork('payroll candidates list')
  for (const event of events) work.heard(event)
  const { message, details } = work.whenStopped()
  return [details.outcome, message]
}

const unknown = ['unknown', 'Stopped while the request was under way: it may or may not have been applied.']
const refused = ['refused', 'Stopped. Nothing was applied.']
const applied = ['applied', 'Stopped. The request had been applied before that.']

describe('a run that is stopped says of its work', () => {
  test.each<[string, CallEvent[], (string | undefined)[]]>([
    ['before anything', [], ['not-sent', 'Stopped. Nothing was sent.']],
    ['while it reads', [begin('GET')], [undefined, 'Reading was stopped; nothing was changed.']],
    [
      'while one of two reads is under way',
      [begin('GET'), begin('GET'), answer('GET', 200)],
      [undefined, 'Reading was stopped; nothing was changed.'],
    ],
    ['after it read', [begin('GET'), lost('GET', 'reset')], [undefined, 'Stopped. Nothing was changed.']],
    ['while it writes', [begin('GET'), answer('GET', 200), begin('POST')], unknown],
    ['after an answer that says yes', [begin('PUT'), answer('PUT', 204)], applied],
    ['while it reads what it wrote', [begin('PUT'), answer('PUT', 200), begin('GET')], applied],
    ...[400, 401, 404, 422, 429].map(
      (status) =>
        [`after ${status}`, [begin('POST'), answer('POST', status)], refused] as [
          string,
          CallEvent[],
          string[],
        ],
    ),
    ...[302, 408, 409, 500, 503].map(
      (status) =>
        [`after ${status}`, [begin('POST'), answer('POST', status)], unknown] as [
          string,
          CallEvent[],
          string[],
        ],
    ),
    ['after a connection that broke', [begin('POST'), lost('POST', 'reset')], unknown],
    [
      'after a connection that never came about',
      [begin('POST'), lost('POST', 'connect')],
      ['not-sent', 'Stopped. Nothing was sent.'],
    ],
    [
      'of several writes, the one that matters most',
      [begin('POST'), begin('POST'), lost('POST', 'reset'), answer('POST', 201)],
      unknown,
    ],
    [
      'while the second of two writes is under way',
      [begin('POST'), answer('POST', 201), begin('POST')],
      unknown,
    ],
  ])('%s', (_, events, expected) => {
    expect(stoppedAfter(...events)).toEqual(expected)
  })
})
