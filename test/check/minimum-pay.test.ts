import { describe, expect, test } from 'vitest'
import { employerCosts, minimumWageOn, minimumWages, rateAtAge } from '../../src/check/minimum-pay.ts'

describe('the minimum wages', () => {
  test('of a country do not overlap, and each has a last day and a source', () => {
    for (const country of ['uk', 'ireland'] as const) {
      const periods = minimumWages.filter((each) => each.country === country)
      for (const [at, { from, until, source }] of periods.entries()) {
        expect(from < until).toBe(true)
        expect(until).toMatch(/^\d{4}-\d\d-\d\d$/)
        expect(source).not.toBe('')
        expect(from > (periods[at - 1]?.until ?? '')).toBe(true)
      }
    }
  })

  test.each([
    ['uk', '2026-03-31', 40, 12.21],
    ['uk', '2026-04-01', 40, 12.71],
    ['uk', '2026-04-01', 21, 12.71],
    ['uk', '2026-04-01', 20, 10.85],
    ['uk', '2026-04-01', 17, 8],
    ['ireland', '2025-12-31', 20, 13.5],
    ['ireland', '2026-01-01', 20, 14.15],
    ['ireland', '2026-01-01', 19, 12.74],
    ['ireland', '2026-01-01', 18, 11.32],
    ['ireland', '2026-01-01', 17, 9.91],
    ['uk', '2026-04-01', undefined, 12.71],
  ] as const)('in %s on %s at %s is %s', (country, day, age, rate) => {
    const wage = minimumWageOn(country, day)
    expect(wage && rateAtAge(wage, age)).toBe(rate)
  })

  test.each([
    ['uk', '2024-03-31'],
    ['uk', '2027-04-01'],
    ['ireland', '2023-12-31'],
    ['ireland', '2027-01-01'],
  ] as const)('in %s on %s is not known', (country, day) => {
    expect(minimumWageOn(country, day)).toBeUndefined()
  })
})

test('The costs of an employer have a last day each, and do not overlap', () => {
  for (const [at, { from, until }] of employerCosts.entries()) {
    expect(from < until).toBe(true)
    expect(from > (employerCosts[at - 1]?.until ?? '')).toBe(true)
  }
})
