import { describe, expect, test } from 'vitest'
import { applyClaim, claimOutcomeOf } from '../../../src/import/adopt-claims.ts'
import { type Entry, mostRequests } from '../../../src/import/entry.ts'
import type { Claim } from '../../../src/import/shared-journal/claim.ts'

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
      expect(claimOutcomeOf({ state, requests: 1 })).toEqual({ state: 'doubt', attempt: mostRequests })
    },
  )
})

test('a row that another run sent once and gave up has its second and last request left', () => {
  const row: Entry = {
    ...{
      key: 'a-1',
      reference: 'A-1',
      row: 1,
      writes: 'create',
      state: 'ready',
      requests: 0,
      hash: '',
      editedHash: undefined,
    },
    ...{ id: undefined, existing: 0, tries: [], isEarlier: false, issues: [] },
  }
  const claim: Claim = {
    ...{ key: 'A-1', owner: 'ann@office 1 0', by: 'ann@office (process 1)', alive: false, state: 'refused' },
    ...{ attempt: 1, settleMs: 0, id: undefined, at: 0 },
  }
  expect(applyClaim(claim, row)).toBe(true)
  expect(row.requests).toBe(mostRequests - 1)
})
