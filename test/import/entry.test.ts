import { expect, test } from 'vitest'
import { Failure, type FailureCode, type Outcome } from '../../src/errors.ts'
import { claimOutcomeOf } from '../../src/import/adopt-claims.ts'
import {
  assertMove,
  isUnclear,
  mostRequestsOfRow,
  requestsAfter,
  type Standing,
  type State,
  stateAfterSearch,
  states,
} from '../../src/import/entry.ts'
import { type Consequence, classifyFailure } from '../../src/import/pump.ts'

/** What can happen to a row that creates a record. */
type Change = State | { readonly count: number; readonly same: boolean }

const found: readonly Change[] = [0, 1, 2].flatMap((count) => [true, false].map((same) => ({ count, same })))

/** The state after it; undefined where it cannot happen. */
function after(from: Standing, change: Change): Standing | undefined {
  const isFound = typeof change === 'object'
  // A row that waits is looked for only after a request, and taken out of the queue only by a record.
  const mayBeFound = isUnclear(from) || (from.state === 'ready' && from.requests > 0)
  if (isFound && (!mayBeFound || (from.state === 'ready' && change.count === 0))) return undefined
  const to = isFound ? stateAfterSearch(from, change) : change
  try {
    assertMove({ state: from.state, writes: 'create' }, to)
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return undefined
  }
  return { state: to, requests: requestsAfter(from, to) }
}

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** What a row that creates a record meets while it is sent, and when it is looked for. */
const answers: readonly Change[] = ['sending', 'done', 'refused', 'ready', 'unclear', 'unresolved', ...found]
const fresh: Standing = { state: 'ready', requests: 0 }
/** The first of the walks; another one is asked for with the variable SEED. */
const seed = Number(process.env.SEED ?? 42)

test.each(Array.from({ length: 20 }, (_, at) => seed + at))(
  'no walk of a row sends it a third time by itself (seed %i)',
  (from) => {
    const random = randomFrom(from)
    let [standing, lost] = [fresh, 0]
    for (let steps = 0; steps < 1000; steps++) {
      const change = answers[Math.floor(random() * answers.length)] ?? 'unclear'
      // Only an answer puts a row off, and only a list sends one again.
      if (change === 'ready' && standing.state !== 'sending') continue
      const to = after(standing, change)
      if (!to) continue
      if (to.state === 'sending') {
        expect(standing.state).toBe('ready')
        expect(lost).toBeLessThan(mostRequestsOfRow)
      }
      if (to.state === 'unclear' && standing.state === 'sending') lost += 1
      expect([0, 1, 2]).toContain(to.requests)
      standing = to
      if (to.state !== 'done' && to.state !== 'refused') continue
      ;[standing, lost] = [fresh, 0]
    }
  },
)

test('what was created is created for good, and nothing is sent that is refused, held or equal', () => {
  for (const state of ['done', 'refused', 'held', 'equal'] as const)
    for (const to of states.filter((each) => each !== state && each !== 'ready'))
      expect(after({ state, requests: 1 }, to)).toBeUndefined()
})

/** What becomes of a row that a list shows so often, by its state and how often it was sent: with the same record, or with another. */
test.each<[State, number, number, boolean, string | undefined]>([
  // Lost.
  ['unclear', 1, 1, true, 'done 1'],
  ['unclear', 1, 1, false, 'conflict 1'],
  ['unclear', 1, 2, true, 'duplicate 1'],
  ['unclear', 1, 0, true, 'ready 1'],
  // Lost twice: it stays for a person.
  ['unclear', 2, 0, true, 'unresolved 2'],
  // Waiting for its second request: taken out of the queue only by a record that arrived after all.
  ['ready', 1, 0, true, undefined],
  ['ready', 1, 1, true, 'done 1'],
  ['ready', 1, 1, false, 'conflict 1'],
  ['ready', 1, 2, true, 'duplicate 1'],
  // Not sent again when it is gone.
  ['conflict', 1, 0, true, 'unresolved 1'],
  ['duplicate', 1, 0, true, 'unresolved 1'],
])(
  'a row that is %s, sent %i times, and found %i times (the same: %s) is %s',
  (state, requests, count, same, expected) => {
    const to = after({ state, requests }, { count, same })
    expect(to && `${to.state} ${to.requests}`).toBe(expected)
  },
)

const failed = (code: FailureCode, outcome?: Outcome, status?: number) =>
  new Failure(code, 'It failed.', { ...(outcome && { outcome }), ...(status !== undefined && { status }) })

test.each<[string, Failure, Consequence]>([
  ['a 400 that is about the settings', failed('usage', 'refused', 400), { state: 'ready', stop: 'bug' }],
  ['no connection', failed('temporary', 'not-sent'), { state: 'ready', pace: 'unreachable' }],
  ['a key that cannot be read', failed('auth', 'not-sent'), { state: 'ready', stop: 'bug' }],
  ['429', failed('temporary', 'refused', 429), { state: 'ready', pace: 'busy' }],
  ['401', failed('auth', 'refused', 401), { state: 'ready', stop: 'key' }],
  ['403', failed('auth', 'refused', 403), { state: 'ready', stop: 'key' }],
  ['404', failed('refused', 'refused', 404), { state: 'ready', stop: 'route' }],
  ['405', failed('refused', 'refused', 405), { state: 'ready', stop: 'route' }],
  ['404 that leaves open what was done', failed('unknown', 'unknown', 404), { state: 'unclear' }],
  ...[400, 411, 413, 415, 418, 422].map((status): [string, Failure, Consequence] => [
    `${status}`,
    failed('refused', 'refused', status),
    { state: 'refused' },
  ]),
  ['422 that leaves open what was done', failed('unknown', 'unknown', 422), { state: 'unclear' }],
  ['409', failed('refused', 'unknown', 409), { state: 'unclear' }],
  ['success: false', failed('refused', 'refused', 200), { state: 'unclear' }],
  ['500', failed('unknown', 'unknown', 500), { state: 'unclear' }],
  ['503', failed('unknown', 'unknown', 503), { state: 'unclear', pace: 'busy' }],
  ['a lost answer', failed('unknown', 'unknown'), { state: 'unclear' }],
])('what becomes of a row and its run after %s', (_, error, expected) => {
  expect(classifyFailure(error)).toEqual(expected)
})

test.each([
  ['done', 1, { state: 'created', attempt: 1, id: undefined }],
  ['refused', 1, { state: 'refused', attempt: 0 }],
  ['ready', 1, { state: 'refused', attempt: 1 }],
  ['unclear', 1, { state: 'doubt', attempt: 1 }],
  ['unresolved', 2, { state: 'doubt', attempt: 2 }],
  // No computer may send it again.
  ['conflict', 1, { state: 'doubt', attempt: mostRequestsOfRow }],
  ['duplicate', 1, { state: 'doubt', attempt: mostRequestsOfRow }],
] as const)(
  'the shared journal is told of a row that is %s after %i requests',
  (state, requests, outcome) => {
    expect(claimOutcomeOf({ state, requests })).toEqual(outcome)
  },
)
