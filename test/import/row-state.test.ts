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
  for (const attempt of [1, 2])
    for (const change of changes) expect(tried({ state: 'created', attempt }, change)).toBeUndefined()
})

test('a list says nothing of a row that was never sent, was refused, or is on its way', () => {
  const found = changes.filter(({ type }) => type === 'found')
  for (const state of ['pending', 'refused', 'intent'] as const)
    for (const attempt of state === 'pending' ? [1] : [1, 2])
      for (const change of found) expect(tried({ state, attempt }, change)).toBeUndefined()
})

/** What becomes of a row that a list shows so often, by its state and the POST: with the same record, or with another. */
test.each<[RowState['state'], number, number, boolean, string | undefined]>([
  // Lost.
  ['ambiguous', 1, 1, true, 'created 1'],
  ['ambiguous', 1, 1, false, 'conflict 1'],
  ['ambiguous', 1, 2, true, 'duplicate 1'],
  ['ambiguous', 1, 0, true, 'pending 2'],
  // Lost twice: it stays for a person.
  ['ambiguous', 2, 0, true, 'unresolved 2'],
  // Waiting for its second POST: taken out of the queue only by a record that arrived after all.
  ['pending', 2, 0, true, undefined],
  ['pending', 2, 1, true, 'created 2'],
  ['pending', 2, 1, false, 'conflict 2'],
  ['pending', 2, 2, true, 'duplicate 2'],
  // Not sent again when it is gone.
  ['conflict', 1, 0, true, 'unresolved 1'],
  ['duplicate', 1, 0, true, 'unresolved 1'],
])(
  'a row that is %s, at POST %i, and found %i times (the same: %s) is %s',
  (state, attempt, count, same, after) => {
    const to = tried({ state, attempt }, { type: 'found', count, same })
    expect(to && `${to.state} ${to.attempt}`).toBe(after)
    if (after?.startsWith('unresolved')) expect(isDoubtful(to as RowState)).toBe(true)
  },
)
