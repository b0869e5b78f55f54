import { describe, expect, test } from 'vitest'
import { hostile, person, sheet } from './hostile.ts'

const week = ['2026-11-16', '2026-11-22'] as const
const day = { id: 7, code: 'DAY', hoursPerUnit: '7.5' }

/** Check of a week of 5 units at 60.00 under this rate id, with these payment rates on the service. */
async function checked(rateId: unknown, rates: readonly object[], units = '5') {
  const timesheets = [sheet('UK-1', ...week, { rates: [{ rateId, rate: '60.00', units }] })]
  const { run } = await hostile({ uk: [person(1)], timesheets, rates: rates as never })
  const only = '--only below-minimum --only too-many-hours'
  return {
    check: await run(`check --json --week-ending 2026-11-22 ${only}`),
    missing: await run('timesheets missing --json --week-ending 2026-11-29'),
  }
}

describe('the payment rate of a line', () => {
  test.each<[string, unknown]>([
    ['a number', 7],
    ['text', '7'],
    ['its code in small letters', 'day'],
    ['a record', { id: 7, code: 'DAY' }],
  ])('is found where its id is %s', async (_, rateId) => {
    const { check, missing } = await checked(rateId, [day])
    expect(check.json()).toMatchObject([
      { rule: 'below-minimum', seen: expect.stringContaining('£8.00 is below the minimum of £12.71') },
    ])
    expect(missing.json()).toMatchObject([{ reference: 'UK-1', hours: 37.5 }])
    const many = await checked(rateId, [day], '12')
    expect(many.check.json()).toMatchObject([{ rule: 'too-many-hours' }, { rule: 'below-minimum' }])
  })

  test.each<[string, readonly object[]]>([
    ['is not on the service', [{ id: 8, code: 'NIGHT', hoursPerUnit: '10' }]],
    ['has a code that two have', [{ id: 8, code: 'day', hoursPerUnit: '1' }, day]],
    ['has a code that two have, in the other order', [day, { id: 8, code: 'day', hoursPerUnit: '1' }]],
  ])('that %s leaves the hours unknown, and check says so', async (_, rates) => {
    const { check, missing } = await checked('DAY', rates)
    expect(check.code).toBe(10)
    for (const rule of ['below-minimum', 'too-many-hours'])
      expect(check.err).toContain(
        `${rule} was not checked for 1 timesheet: it is not certain whose they are, or how many hours`,
      )
    expect(missing.json()).toMatchObject([{ reference: 'UK-1', lastWorked: '2026-11-22', hours: null }])
  })

  test('of a line that names none is by the hour', async () => {
    const { check, missing } = await checked(null, [day])
    expect([check.code, check.json(), missing.json()]).toMatchObject([0, [], [{ hours: 5 }]])
  })
})
