import { describe, expect, test } from 'vitest'
import { claimOutcomeOf } from '../../../src/import/adopt-claims.ts'
import { mostRequestsOfRow } from '../../../src/import/entry.ts'

describe('what a run tells the shared journal of a row', () => {
  test.each([
    ['done', 1, { state: 'created', attempt: 1, id: undefined }],
    ['refused', 1, { state: 'refused', attempt: 0 }],
    ['ready', 1, { state: 'refused', attempt: 1 }],
    ['unclear', 1, { state: 'doubt', attempt: 1 }],
    ['unresolved', 2, { state: 'doubt', attempt: 2 }],
  ] as const)('that is %s after %i requests', (state, requests, outcome) => {
    expect(claimOutcomeOf({ state, requests })).toEqual(outcome)
  })

  test.each(['conflict', 'duplicate'] as const)(
    'that is a %s is that no computer may send it again',
    (state) => {
      expect(claimOutcomeOf({ state, requests: 1 })).toEqual({ state: 'doubt', attempt: mostRequestsOfRow })
    },
  )
})
