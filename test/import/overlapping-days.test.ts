import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { completeForm } from '../commands/drafts/draft-fixture.ts'
import { loopback } from '../commands/targets.ts'
import { atTerminal, endedWith, freshHome } from '../payroll.ts'
import { answerJson, service } from '../service.ts'
import { importFixture } from './import-fixture.ts'

const week = (startDate: string, endDate: string, more: Readonly<Record<string, string>> = {}) => ({
  ...{ subcontractorRef: 'A-1', assignmentRef: 'JOB-1', startDate, endDate },
  rates: [{ rate: '15.00', units: '8' }],
  ...{ taxYear: '2026/27', taxPeriodConfig: 'Week 3' },
  ...more,
})

const open = async () => {
  const at = await importFixture('timesheets')
  await at.call('POST', '/svc/time-sheets', week('2026-04-06', '2026-04-12'))
  return at
}

/** What a preview says that accepts overlaps. */
async function importWeek(...rows: readonly Readonly<Record<string, unknown>>[]) {
  const at = await open()
  const run = await at.importRows([...rows], '--dry-run', '--overlapping')
  const { ready, warnings } = run.json() as { ready: number; warnings: { message: string }[] }
  return { ready, warnings: warnings.filter(({ message }) => message.includes('overlaps')) }
}

describe('an import of a timesheet', () => {
  const there =
    /^A-1, assignment JOB-1, .+ overlaps the one from 6 April 2026 to 12 April 2026 that is on the service \(.+\)$/
  const inRow = /overlaps the one from 4 May 2026 to 10 May 2026 in row 1$/

  test.each([
    ['that begins within the days of one on the service', [week('2026-04-12', '2026-04-18')], there],
    ['that ends within the days of one on the service', [week('2026-03-31', '2026-04-06')], there],
    ['that lies within the days of one on the service', [week('2026-04-07', '2026-04-08')], there],
    ['that holds the days of one on the service', [week('2026-04-01', '2026-04-30')], there],
    [
      'and of another that overlaps it',
      [week('2026-05-04', '2026-05-10'), week('2026-05-09', '2026-05-15')],
      inRow,
    ],
  ])(
    'an import --overlapping of a timesheet %s is a doubt of the last row that names the other',
    async (_, rows, says) => {
      const { ready, warnings } = await importWeek(...rows)
      const message = expect.stringMatching(says)
      expect([ready, warnings]).toMatchObject([
        rows.length,
        [{ row: rows.length, path: 'startDate', message }],
      ])
    },
  )

  test.each([
    ['with an assignment', { assignmentRef: 'SITE / 2' }, { assignmentRef: 'SITE / 2' }],
    ['without one', { assignmentRef: '' }, { assignmentRef: '' }],
    ['whose other days name an assignment', { assignmentRef: '' }, { assignmentRef: 'SITE / 2' }],
    ['whose other days name none', { assignmentRef: 'SITE / 2' }, { assignmentRef: '' }],
  ])(
    'is a doubt too of a person %s whose reference holds what divides the parts of a key',
    async (_, one, other) => {
      const of = { subcontractorRef: 'ACME / 01' }
      const { warnings } = await importWeek(
        week('2026-05-04', '2026-05-10', { ...of, ...one }),
        week('2026-05-09', '2026-05-15', { ...of, ...other }),
      )
      const message = expect.stringMatching(
        /^ACME \/ 01.*, week ending .* overlaps the one from 4 May 2026 to 10 May 2026/,
      )
      expect(warnings).toMatchObject([{ row: 2, path: 'startDate', message }])
    },
  )

  test('says of a row without an assignment that the other timesheet has one', async () => {
    const { warnings } = await importWeek(week('2026-04-06', '2026-04-12', { assignmentRef: '' }))
    const says = /that is on the service \(.+\), for an assignment that this one does not name$/
    expect(warnings).toMatchObject([{ row: 1, message: expect.stringMatching(says) }])
  })

  test('of two people whose references and assignments read alike when they are joined are two, and each is named', async () => {
    const at = await importFixture('timesheets')
    const [mine, theirs] = [
      { subcontractorRef: 'ACME', assignmentRef: '01 / JOB' },
      { subcontractorRef: 'ACME / 01', assignmentRef: 'JOB' },
    ].map((of) => week('2026-05-04', '2026-05-10', of))
    const run = await at.importRows([mine, theirs])
    expect([run.code, run.json()]).toMatchObject([0, { rows: 2, created: 2 }])
    const late = await at.importRows([{ ...theirs, startDate: '2026-05-09', endDate: '2026-05-15' }])
    expect(late.err).toContain('ACME / 01, assignment JOB, week ending 15 May 2026 overlaps')
  })

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['begins on the next day', week('2026-04-13', '2026-04-19')],
    ['is of another person', week('2026-04-08', '2026-04-14', { subcontractorRef: 'A-2' })],
    ['is for another assignment', week('2026-04-08', '2026-04-14', { assignmentRef: 'JOB-2' })],
  ])('that %s is no doubt of that kind', async (_, row) => {
    const { ready, warnings } = await importWeek(row)
    expect([ready, warnings]).toEqual([1, []])
  })

  const overlapping = [week('2026-04-08', '2026-04-14'), week('2026-05-04', '2026-05-10')]

  test('an import in a script of a timesheet whose days overlap those of one on the service sends nothing, and names --overlapping', async () => {
    const at = await open()
    const run = await at.importRows(overlapping)
    expect([run.code, at.posted()]).toMatchObject([3, []])
    const { issues, hint, next } = run.error()
    expect(issues).toMatchObject([{ message: expect.stringContaining('overlaps the one from 6 April 2026') }])
    expect(hint).toContain('Send the timesheets whose days overlap those of another one')
    expect(String(next)).toMatch(/timesheets import \S+ .*--overlapping/)
  })

  test('an import --ready-only in a script sends the others, and holds back the timesheet whose days overlap', async () => {
    const at = await open()
    const run = await at.importRows(overlapping, '--ready-only')
    expect([run.code, run.json()]).toMatchObject([9, { rows: 2, created: 1, invalid: 1 }])
  })

  test.each([[[]], [['--strict']]])(
    'an import --overlapping %j sends a timesheet whose days overlap',
    async (more) => {
      const at = await open()
      const run = await at.importRows(overlapping, '--overlapping', ...more)
      expect([run.code, run.json()]).toMatchObject([0, { rows: 2, created: 2 }])
    },
  )
})

describe('timesheets create', () => {
  const create = async (body: object, ...more: string[]) => {
    const { call, run, writes } = await loopback()
    await call('POST', '/svc/time-sheets', week('2026-04-06', '2026-04-12'))
    const input = JSON.stringify(body)
    return { run: await run(['timesheets', 'create', '--json', ...more], { input }), writes }
  }
  const doubt =
    /startDate: A-1, assignment JOB-1, week ending \d+ April 2026 overlaps the one from 6 April 2026 to 12 April 2026 that is on the service/

  test('of a week that overlaps one on the service names the other, and sends it', async () => {
    const { run, writes } = await create(week('2026-04-12', '2026-04-18'))
    expect([run.code, writes().length]).toEqual([0, 1])
    expect(run.err).toMatch(doubt)
  })

  test('--strict of such a week is exit 3, and sends nothing', async () => {
    const { run, writes } = await create(week('2026-04-06', '2026-04-12'), '--strict')
    expect([run.code, writes()]).toEqual([3, []])
    expect(`startDate: ${run.error().issues[0].message}`).toMatch(doubt)
  })

  test('of the next week says nothing of the week before', async () => {
    const { run } = await create(week('2026-04-13', '2026-04-19'))
    expect([run.code, run.err]).toEqual([0, expect.not.stringContaining('overlaps')])
  })

  test.each([
    ['stops', 'Stop', 2, 0],
    ['sends it', 'Send it', 0, 1],
  ])(
    'asks in the form too about such a week, and %s when the person says so',
    async (_, choice, code, count) => {
      const { call, env, home, writes } = await loopback()
      await call('POST', '/svc/time-sheets', week('2026-04-06', '2026-04-12'))
      const sheet = join(home, 'week.json')
      writeFileSync(sheet, JSON.stringify(week('2026-04-12', '2026-04-18')))
      const terminal = atTerminal(['timesheets', 'create', '--from', sheet], { home, env })
      const run = await completeForm(terminal, { 'What next?': 'Send', 'Send it?': choice })
      expect([run.code, writes().length]).toEqual([code, count])
      expect(terminal.screen().replace(/\s+/g, ' ')).toContain(
        'overlaps the one from 6 April 2026 to 12 April 2026 that is on the service',
      )
    },
  )
})

test('a form asks once where the list of timesheets cannot be read just now', async () => {
  const { env } = await service(({ url }, response) =>
    url?.includes('/time-sheets')
      ? answerJson(response, 503, { message: 'later' })
      : answerJson(response, 200, { data: [], totalDocs: 0 }),
  )
  const home = freshHome()
  const sheet = join(home, 'week.json')
  writeFileSync(sheet, JSON.stringify(week('2026-04-12', '2026-04-18')))
  const terminal = atTerminal(['timesheets', 'create', '--from', sheet], { home, env })
  await completeForm(terminal, { 'What next?': 'Send', 'Send it?': 'Send it anyway' })
  expect(terminal.screen().split('! The service answered 503')).toHaveLength(2)
})

describe('timesheets update', () => {
  const moved = async (...sets: string[]) => {
    const { call, run, writes } = await loopback()
    await call('POST', '/svc/time-sheets', week('2026-04-06', '2026-04-12'))
    await call('POST', '/svc/time-sheets', week('2026-04-20', '2026-04-26'))
    const listed = (await run(['timesheets', 'list', '--where', 'startDate=2026-04-20', '--json'])).json()
    const words = sets.flatMap((each) => ['--set', each])
    const ended = await run(['timesheets', 'update', listed[0].id, '--id', '--strict', '--json', ...words])
    return { ended, writes }
  }

  test.each([
    [['startDate=2026-04-06', 'endDate=2026-04-12', 'taxPeriodConfig=Week 1']],
    [['startDate=2026-04-12']],
  ])('by %j onto days of another one of the same work is doubted', async (sets) => {
    const { ended, writes } = await moved(...sets)
    expect([ended.code, writes()]).toEqual([3, []])
    expect(ended.error().issues).toMatchObject([
      { path: 'startDate', message: expect.stringContaining('overlaps the one from 6 April 2026') },
    ])
  })

  test.each([['startDate=2026-04-21'], ['assignmentRef=JOB-2'], ['rates[0].units=9']])(
    'by %s, onto days that are its own or free, is sent',
    async (set) => {
      const { ended, writes } = await moved(set)
      expect([ended.code, writes().length]).toEqual([0, 1])
    },
  )
})

describe('an import of a timesheet, and one on the service that was rejected', () => {
  const rejected = async () => {
    const at = await importFixture('timesheets')
    await at.call('POST', '/svc/time-sheets', { ...week('2026-04-06', '2026-04-12'), status: 'REJECTED' })
    return at
  }

  test('of the same days is held back: nobody is paid for it, and nothing is sent', async () => {
    const at = await rejected()
    for (const more of [['--dry-run'], []]) {
      const run = await at.importRows([week('2026-04-06', '2026-04-12')], ...more)
      expect([run.code, at.posted()]).toEqual([more.length > 0 ? 0 : 9, []])
      expect(run.out + run.err).toMatch(
        /on the service, and rejected: nothing is paid for it, and nothing is sent/,
      )
    }
  })

  test('of the same days beside one that counts is already there', async () => {
    const at = await rejected()
    await at.call('POST', '/svc/time-sheets', week('2026-04-06', '2026-04-12'))
    const run = await at.importRows([week('2026-04-06', '2026-04-12')])
    expect([run.code, run.json(), at.posted()]).toMatchObject([0, { existing: 1 }, []])
  })

  test.each([
    [
      'of the same days is doubted by --update, which changes it',
      week('2026-04-06', '2026-04-12'),
      ['--update'],
      /on the service, and rejected: nothing is paid for it/,
    ],
    [
      'of other days that overlap is sent, with a doubt',
      week('2026-04-08', '2026-04-14'),
      [],
      /overlaps the one from 6 April 2026 to 12 April 2026 .* and is rejected/,
    ],
  ])('%s, and is refused by --strict', async (_, row, more, says) => {
    const at = await rejected()
    expect((await at.importRows([row], ...more, '--strict')).code).toBe(3)
    expect(at.posted()).toEqual([])
    expect(await at.importRows([row], ...more)).toMatchObject(endedWith(0, says))
    expect(at.posted()).toHaveLength(more.length > 0 ? 0 : 1)
  })
})
