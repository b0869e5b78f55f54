import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { endedWith, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'

const person = (agencyRef: string, more: object = {}) => ({
  ...{ id: `id-${agencyRef}`, agencyRef, forename: 'Ann', surname: agencyRef },
  ...{ dateOfJoining: '2026-01-05', dateLeft: null, rateHour: 20, mobile: '07700 900101', ...more },
})

const sheet = (subcontractorRef: string, startDate: string, endDate: string) => ({
  id: `${subcontractorRef} ${startDate}`,
  subcontractorRef,
  startDate,
  endDate,
  rates: [{ rateId: 'STD', rate: '20.00', units: '30' }],
})

/** A service with these people and timesheets; `isShort`: of whose timesheets one is never listed. */
async function missing(people: readonly object[], sheets: readonly object[], words: string, isShort = false) {
  const { env, received } = await service(({ url }, response) => {
    const lists: Record<string, readonly object[]> = {
      '/svc/candidates': people,
      '/svc/time-sheets': sheets,
      '/svc/payment-rate': [{ id: 'rate-1', code: 'STD', units: 'HOURLY' }],
    }
    const items = lists[new URL(url, 'http://127.0.0.1').pathname] ?? []
    answerJson(response, 200, { data: items, totalDocs: items.length + Number(isShort && items === sheets) })
  })
  const run = await payroll(`timesheets missing${words}`.split(' '), { env })
  return { ...run, received }
}

const week = ' --week-ending 2026-05-10'

describe('timesheets missing', () => {
  test('lists who has no timesheet in the week, with the last one before and how to reach them', async () => {
    const people = [person('UK-1'), person('UK-2'), person('UK-3')]
    const sheets = [
      sheet('UK-1', '2026-05-04', '2026-05-10'),
      sheet('UK-2', '2026-04-20', '2026-04-26'),
      sheet('UK-2', '2026-04-13', '2026-04-19'),
      sheet('UK-2', '2026-05-11', '2026-05-17'),
    ]
    const run = await missing(people, sheets, week)
    expect(run.code).toBe(0)
    expect(run.json()).toMatchObject([
      { reference: 'UK-2', lastWorked: '2026-04-26', hours: 30, mobile: '07700 900101', country: 'uk' },
      { reference: 'UK-3', lastWorked: null, hours: null },
    ])
    expect(run.err).toBe('2 people have no timesheet from 4 May 2026 to 10 May 2026.\n')
  })

  test.each([
    ['last sunday', '4 May 2026 to 10 May 2026'],
    ['Last Wednesday', '30 April 2026 to 6 May 2026'],
    ['yesterday', '6 May 2026 to 12 May 2026'],
    ['today', '7 May 2026 to 13 May 2026'],
  ])('takes the week whose last day is %s', async (day, week) => {
    const { env } = await service(({ url }, response) => {
      const data = url.startsWith('/svc/candidates') ? [person('UK-1')] : []
      answerJson(response, 200, { data, totalDocs: data.length })
    })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-05-13T09:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    const { err } = await payroll(['timesheets', 'missing', '--uk', '--week-ending', day], { env })
    expect(err).toContain(`1 person has no timesheet from ${week}.`)
    expect(err.includes('The week is not over yet')).toBe(day === 'today')
  })

  test.each(['nonsense', '31/02/2026', 'next sunday'])(
    'a week called %s is exit 2, with what can be typed',
    async (day) => {
      const run = await payroll(['timesheets', 'missing', '--week-ending', day])
      expect(run).toMatchObject(
        endedWith(2, 'A word is read too: today, yesterday, tomorrow, or "last sunday" (any weekday).'),
      )
      expect(run.err).toMatch(/such as 4\/11\/2026 or 4 Nov 2026|the month has no such day/)
    },
  )

  test('names the country to a person as it is called', async () => {
    const run = await missing([person('UK-1')], [], `${week} -o table`)
    expect(run.out).toMatch(/^Person\s+Name\s+Country.*\nUK-1\s+Ann UK-1\s+UK\s/)
  })

  test.each([
    ['left before it', { dateLeft: '2026-05-03' }],
    ['starts after it', { dateOfJoining: '2026-05-11' }],
    ['has a salary, and worked none of the four weeks before', { rateHour: null, annualSalary: 30_000 }],
  ])('leaves out whoever %s', async (_, more) => {
    const run = await missing([person('UK-1', more)], [], week)
    expect(run.json()).toEqual([])
    expect(run.err).toBe('Nobody is missing from 4 May 2026 to 10 May 2026.\n')
  })

  test('lists somebody with a salary who worked in the four weeks before', async () => {
    const salaried = person('UK-1', { rateHour: null, annualSalary: 30_000 })
    const run = await missing([salaried], [sheet('UK-1', '2026-04-27', '2026-05-03')], week)
    expect(run.json()).toMatchObject([{ reference: 'UK-1' }])
  })

  test('without a week is exit 2, and asks nothing', async () => {
    const { code, err, received } = await missing([], [], '')
    expect([code, err, received]).toEqual([2, expect.stringContaining('Which week?'), []])
  })

  test('of a list that is short names nobody and ends with 10', async () => {
    expect(await missing([person('UK-1')], [], week, true)).toMatchObject({ code: 10, out: '' })
  })
})
