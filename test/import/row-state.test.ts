import { expect, test } from 'vitest'
import {
  type Change,
  isDoubtful,
  next,
  type RowState,
  stateAfterReplay,
  states,
} from '../../src/import/row-state.ts'

const fresh: RowState = { state: 'pending', attempt: 1 }

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const changes: readonly Change[] = [
  { type: 'intend' },
  { type: 'created' },
  { type: 'refused' },
  { type: 'held' },
  { type: 'doubted' },
  { type: 'unsure' },
  { type: 'renewed' },
  ...[0, 1, 2].flatMap((count) => [true, false].map((same): Change => ({ type: 'found', count, same }))),
]

const tried = (from: RowState, change: Change): RowState | undefined => {
  try {
    return next(from, change)
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return undefined
  }
}

/** Walks at random, crashes included, and hands every step to the test. */
function walk(seed: number, step: (from: RowState, change: Change | 'crash', to: RowState) => void): void {
  const random = randomFrom(seed)
  let standing = fresh
  for (let steps = 0; steps < 1000; steps++) {
    const at = Math.floor(random() * (changes.length + 1))
    const change = changes[at] ?? 'crash'
    const to = change === 'crash' ? stateAfterReplay(standing) : tried(standing, change)
    if (!to) continue
    step(standing, change, to)
    standing = to
    if (standing.state === 'created' && random() < 0.5) standing = fresh
  }
}

const seed = Date.now() % 1_000_000

test.each(Array.from({ length: 20 }, (_, at) => seed + at))(
  'no walk of a row sends it a third time by itself, or again once it may be there (seed %i)',
  (from) => {
    let lost = 0
    walk(from, (before, change, after) => {
      const type = change === 'crash' ? change : change.type
      if (type === 'intend') {
        expect(before.state).toBe('pending')
        // Every POST that was lost before is one that two lists did not show.
        expect(lost).toBeLessThan(2)
      }
      if (after.state === 'ambiguous' && before.state !== 'ambiguous') lost += 1
      // A person looked at the file, or the service answered: it begins anew.
      if (type === 'renewed' || after.state === 'created' || after.state === 'refused') lost = 0
      expect(states).toContain(after.state)
      expect([1, 2]).toContain(after.attempt)
    })
  },
)

test.each(Array.from({ length: 20 }, (_, at) => seed + at))(
  'a row is created only by an answer, or by one record that is the same (seed %i)',
  (from) => {
    walk(from, (before, change, { state }) => {
      if (state !== 'created' || before.state === 'created') return
      expect(change).toBeTypeOf('object')
      const { type, ...found } = change as Change
      if (type === 'created') expect(before.state).toBe('intent')
      else expect({ type, ...found }).toEqual({ type: 'found', count: 1, same: true })
    })
  },
)

test('what was about to be sent when a run died may be there', () => {
  for (const state of states) {
    const expected = state === 'intent' ? 'ambiguous' : state
    expect(stateAfterReplay({ state, attempt: 1 })).toEqual({ state: expected, attempt: 1 })
  }
})

test('what was created is created for good, by the first POST or by the second', () => {
  for (const attempt of [1, 2]) {
    for (const change of changes) expect(tried({ state: 'created', attempt }, change)).toBeUndefined()
  }
})

test('a list says nothing of a row that was never sent, was refused, or is on its way', () => {
  const found = changes.filter(({ type }) => type === 'found')
  for (const change of found) {
    expect(tried({ state: 'pending', attempt: 1 }, change)).toBeUndefined()
    for (const attempt of [1, 2]) {
      expect(tried({ state: 'refused', attempt }, change)).toBeUndefined()
      expect(tried({ state: 'intent', attempt }, change)).toBeUndefined()
    }
  }
})

test('a row that waits for its second POST is taken out of the queue only by a record that arrived after all', () => {
  const waiting: RowState = { state: 'pending', attempt: 2 }
  const found = (count: number, same = true) => tried(waiting, { type: 'found', count, same })
  expect(found(0)).toBeUndefined()
  expect(found(1)).toEqual({ state: 'created', attempt: 2 })
  expect(found(1, false)).toEqual({ state: 'conflict', attempt: 2 })
  expect(found(2)).toEqual({ state: 'duplicate', attempt: 2 })
})

test.each([
  ['once, and the same', { count: 1, same: true }, { state: 'created', attempt: 1 }],
  ['once, and it is another', { count: 1, same: false }, { state: 'conflict', attempt: 1 }],
  ['twice', { count: 2, same: true }, { state: 'duplicate', attempt: 1 }],
  ['not at all', { count: 0, same: true }, { state: 'pending', attempt: 2 }],
])('a lost row that is found %s', (_, found, expected) => {
  expect(next({ state: 'ambiguous', attempt: 1 }, { type: 'found', ...found })).toEqual(expected)
})

test('a row that was lost twice and is not found stays for a person', () => {
  const lost: RowState = { state: 'ambiguous', attempt: 2 }
  expect(next(lost, { type: 'found', count: 0, same: true })).toEqual({ state: 'unresolved', attempt: 2 })
})

test('what is a conflict or a duplicate is not sent again when it is gone', () => {
  for (const state of ['conflict', 'duplicate'] as const) {
    const after = next({ state, attempt: 1 }, { type: 'found', count: 0, same: true })
    expect(after.state).toBe('unresolved')
    expect(isDoubtful(after)).toBe(true)
  }
})
