import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { importFixture, person } from '../import/import-fixture.ts'
import { asTyped, atTerminal, endedWith, keys, payroll } from '../payroll.ts'
import { loopback } from './targets.ts'

const one = 'an account number has eight digits: where the paper has fewer or more, ask the person'
const short = `Account number: ${one}`

/** A service on loopback with one UK candidate, and two commands that each write a doubtful account number. */
async function withCandidate() {
  const at = await loopback()
  await at.call('POST', '/svc/candidates', {
    generalSetting: { agencyRef: 'A-0', forename: 'Bo', surname: 'Example' },
    bankSetting: { sortCode: '601613', accountNumber: '31926819' },
  })
  const verbs = {
    create: ['candidates', 'create', '--set', 'forename=Ann', '--set', 'surname=Example'],
    update: ['candidates', 'update', 'A-0'],
  }
  const write = (verb: 'create' | 'update', ...more: string[]) => [
    ...verbs[verb],
    ...['--set', 'account number=1234567', ...more],
  ]
  return { ...at, verbs, write, sent: () => at.writes().length }
}

describe.each(['create', 'update'] as const)('candidates %s with a doubtful value', (verb) => {
  test.each([
    ['y', 0, 1],
    ['n', 2, 0],
    ['', 2, 0],
  ])('asks at a terminal, though nothing is protected: %j is exit %i', async (typed, code, count) => {
    const { write, sent, home, env } = await withCandidate()
    const terminal = atTerminal(write(verb), { home, env })
    await terminal.type(/eight digits[\s\S]*\? (?:Create|Update) .+ on .+\? \(y\/N\)/, typed + keys.enter)
    const ended = await terminal.ended
    expect([ended.code, sent()]).toEqual([code, count])
    if (code === 2) expect(ended.err).toContain('Not confirmed. Nothing was sent.')
  })

  test('says below the record what was written and what is doubtful of it', async () => {
    const { write, home, env } = await withCandidate()
    const terminal = atTerminal(write(verb), { home, env, columns: 200 })
    await terminal.type('(y/N)', `y${keys.enter}`)
    await terminal.ended
    const last = terminal.screen().trimEnd().split('\n').slice(-4)
    expect(last.join('\n')).toMatch(/^(?:Created|Updated) /m)
    expect(last.at(-1)).toBe(`! ${short}`)
  })

  test('asks before a date is sent whose century or order was guessed', async () => {
    const { verbs, sent, home, env } = await withCandidate()
    const bornOn = [...verbs[verb], '--set', 'date of birth=3/4/80']
    const terminal = atTerminal(bornOn, { home, env, columns: 200 })
    await terminal.type(
      /! Date of birth: the year of two digits is read as 1980; [^\n]*day first\n(?:.*\n)*\? .*\(y\/N\)/,
      keys.enter,
    )
    expect([(await terminal.ended).code, sent()]).toEqual([2, 0])
  })

  test.each(['--yes', '--no-input'])('is sent at a terminal without a question with %s', async (flag) => {
    const { write, sent, home, env } = await withCandidate()
    const ended = await atTerminal(write(verb, flag), { home, env, columns: 200 }).ended
    expect(ended).toMatchObject(endedWith(0, short))
    expect(sent()).toBe(1)
  })
})

test('candidates update shows a number whole that was typed at the terminal, and masks the old one', async () => {
  const { write, run, home, env } = await withCandidate()
  const terminal = atTerminal(write('update'), { home, env })
  await terminal.type(/Account number: \*{6}819 → 1234567\n(?:.*\n)*.*\(y\/N\)/, keys.enter)
  await terminal.ended
  expect((await run(write('update', '--dry-run'))).err).not.toContain('1234567')
})

test('candidates update --dry-run doubts what the update doubts: what it adds, not what the record had', async () => {
  const at = await loopback()
  await at.call('POST', '/svc/candidates', {
    generalSetting: { agencyRef: 'A-0', forename: 'Bo', surname: 'Example' },
    bankSetting: { sortCode: '601613', accountNumber: '1234567' },
  })
  const words = ['candidates', 'update', 'A-0', '--set', 'NI number=QQ', '--yes', '--json']
  const dry = (await at.run([...words, '--dry-run'])).json()
  expect(dry.warnings.map(({ path }: { path: string }) => path)).toEqual(['generalSetting.NINumber'])
  expect((await at.run(words)).json().warnings).toEqual(dry.warnings)
})

describe('--strict', () => {
  test.each([
    ['create', []],
    ['update', []],
    ['create', ['--yes', '--dry-run']],
    ['update', ['--yes', '--dry-run']],
  ] as const)('makes a doubt of candidates %s exit 3, with %j, and sends nothing', async (verb, more) => {
    const { write, run, sent } = await withCandidate()
    const refused = await run(write(verb, '--strict', '--json', ...more))
    expect([refused.code, refused.out, sent()]).toEqual([3, '', 0])
    expect(refused.error()).toMatchObject({
      message: expect.stringMatching(/doubtful. Nothing was sent.$/),
      outcome: 'not-sent',
      issues: [{ path: 'bankSetting.accountNumber', message: one }],
    })
  })

  test('of candidates update does not speak of what the record had before', async () => {
    const { write, verbs, run, sent } = await withCandidate()
    await run(write('update'))
    const { code } = await run([...verbs.update, '--set', 'city=York', '--strict'])
    expect([code, sent()]).toEqual([0, 2])
  })

  test('of candidates update refuses another value that is doubtful for the reason for which the old one was', async () => {
    const { write, verbs, run, sent } = await withCandidate()
    await run(write('update'))
    const { code, error } = await run([
      ...verbs.update,
      '--set',
      'accountNumber=7654321',
      '--strict',
      '--json',
    ])
    expect([code, error().issues, sent()]).toEqual([
      3,
      [{ path: 'bankSetting.accountNumber', message: one }],
      1,
    ])
  })

  test('of candidates import holds a doubtful row back as a wrong one, and the sound one goes with --ready-only', async () => {
    const at = await importFixture()
    const refused = await at.importRows([person('A-1'), person('A-2', { email: 'reception' })], '--strict')
    const message = expect.stringContaining('not an e-mail address')
    const issues = [{ path: 'row 2, generalSetting.email', message }]
    expect([refused.code, at.posted(), refused.error().issues]).toEqual([3, [], issues])
    const run = await at.import('--strict', '--ready-only')
    expect([run.code, run.json()]).toMatchObject([9, { created: 1, invalid: 1 }])
    expect((await at.import('--ready-only')).json()).toMatchObject({ created: 1, createdEarlier: 1 })
    expect((await at.import('--strict')).code).toBe(0)
  })

  test.each(['candidates list', 'candidates get 4f1c', 'documents create --employee 4f1c', 'vat-codes list'])(
    'is exit 2 where it has no effect: %s',
    async (words) => {
      expect((await payroll([...words.split(' '), '--strict'])).code).toBe(2)
    },
  )

  test('is exit 2 where the form opens, which asks about every doubt', async () => {
    const ended = await atTerminal(['candidates', 'create', '--strict']).ended
    expect(ended).toMatchObject(endedWith(2, '--strict has no effect in the form'))
  })
})

test.each([
  [{ startDate: '16/11/2026' }, 'startDate: expected a date that exists, as YYYY-MM-DD'],
  [{ endDate: '2026-11-31' }, 'endDate: expected a date that exists, as YYYY-MM-DD'],
  [{ endDate: '2026-11-15' }, 'endDate: the end is before the start'],
  [{ endDate: '2027-11-22' }, 'endDate: the timesheet covers 372 days; a year or a month may be wrong'],
  [{ rates: 'x' }, 'rates: expected a list in [ ]'],
  [{ rates: [{ units: '3 days' }] }, 'rates[0].units: expected a decimal number in quotes, as "4000.00"'],
  [{ rates: [{ units: 37.5, rate: 21.4 }], assignmentRef: null, endDate: '2026-11-22' }, undefined],
  [{ rates: [{ rateId: 3, vatID: 1, units: '8' }], assignmentRef: 12 }, undefined],
])('timesheets create doubts a value that no timesheet has: %j', async (part, said) => {
  const words = 'timesheets create --dry-run --json --profile sandbox'.split(' ')
  const input = JSON.stringify({ subcontractorRef: 'SANDBOX-UK-01', startDate: '2026-11-16', ...part })
  const run = await payroll(words, { input })
  const [path, message] = said?.split(': ') ?? []
  expect([run.code, run.json().warnings]).toEqual([0, said ? [{ path, message }] : []])
  expect((await payroll([...words, '--strict'], { input })).code).toBe(said ? 3 : 0)
})

test.each([
  ['2026-11-16', '2026-11-22', '400', ['a week has 168 hours']],
  ['2026-11-01', '2026-11-30', '176', []],
  ['2026-11-01', '2026-11-30', '721', ['30 days have 720 hours']],
])('timesheets create doubts more units than hours from %s to %s: %s', async (from, to, units, said) => {
  const sets = `--set startDate=${from} --set endDate=${to} --set rates[0].units=${units}`
  const words = `timesheets create ${sets} --dry-run --json --profile sandbox`
  const { warnings } = (await payroll(words.split(' '))).json()
  expect(warnings).toEqual(said.map((message) => ({ path: 'rates[0].units', message })))
})

test.each([
  [{ taxPeriodConfig: 'Week 60' }, 'taxPeriodConfig: there is no tax week 60'],
  [{ taxPeriodConfig: 'Month 13' }, 'taxPeriodConfig: there is no tax month 13'],
  [
    { taxYear: '2019/20', taxPeriodConfig: 'Week 34' },
    'taxYear: 2019/20 is not the tax year of 22 November 2026, the last day: that is 2026/27 in the UK and 2026 in Ireland',
  ],
  [
    { taxYear: '2026/27', taxPeriodConfig: 'Week 3' },
    'taxPeriodConfig: week 3 of 2026/27 is far from tax week 33, which has 22 November 2026, the last day',
  ],
  [
    { taxYear: '2026', taxPeriodConfig: 'Month 2' },
    'taxPeriodConfig: month 2 of 2026 is far from tax month 11, which has 22 November 2026, the last day',
  ],
  // Each is one year off.
  [
    { endDate: '2026-04-05', taxYear: '2025/26', taxPeriodConfig: 'Week 1' },
    'taxPeriodConfig: week 1 of 2025/26 is far from tax week 53, which has 5 April 2026, the last day',
  ],
  [
    { endDate: '2027-04-04', taxYear: '2027/28', taxPeriodConfig: 'Month 12' },
    'taxPeriodConfig: month 12 of 2027/28 is far from tax month 1, which has 11 April 2027',
  ],
  [
    { endDate: '2026-12-27', taxYear: '2026', taxPeriodConfig: 'Week 1' },
    'taxPeriodConfig: week 1 of 2026 is far from tax week 52, which has 27 December 2026, the last day',
  ],
  [{ taxYear: '2026/27', taxPeriodConfig: 'Week 34' }, undefined],
  // Pay of four weeks, and pay that is some weeks late.
  [{ taxYear: '2026/27', taxPeriodConfig: 'Week 36' }, undefined],
  [{ taxYear: '2026', taxPeriodConfig: 'Week 48' }, undefined],
  [{ taxYear: '26/27', taxPeriodConfig: 'M9' }, undefined],
  [{ taxYear: '2026/27', taxPeriodConfig: 'PERIOD_A' }, undefined],
  [{ endDate: '2026-08-23', taxYear: '2026/27', taxPeriodConfig: 'Week 34' }, undefined],
  [{ endDate: '2027-04-04', taxYear: '2027/28', taxPeriodConfig: 'Week 1' }, undefined],
  [{ endDate: '2026-12-27', taxYear: '2027', taxPeriodConfig: 'Week 1' }, undefined],
  // Pay before the last day, and a service that numbers its periods.
  [
    { startDate: '2026-12-28', endDate: '2027-01-03', taxYear: '2026', taxPeriodConfig: 'Week 52' },
    undefined,
  ],
  [{ taxPeriodConfig: 71 }, undefined],
])('timesheets create doubts a tax period that no day of pay has: %j', async (part, said) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-24T12:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const words = 'timesheets create --dry-run --json --profile sandbox'.split(' ')
  const sheet = { subcontractorRef: 'SANDBOX-UK-01', endDate: '2026-11-22', ...part }
  const { warnings } = (await payroll(words, { input: JSON.stringify(sheet) })).json()
  const [path, message] = said?.split(/: (.*)/) ?? []
  expect(warnings).toEqual(said === undefined ? [] : [{ path, message }])
})

test('candidates create says where the minimum wage of the first day is not known', async () => {
  const sets = 'forename=Jo surname=Example DOB=1990-01-01 dateOfJoining=2027-04-12'.split(' ')
  const creating = (...more: string[]) => [
    ...'candidates create --dry-run --json --profile sandbox'.split(' '),
    ...[...sets, ...more].flatMap((each) => ['--set', each]),
  ]
  expect((await payroll(creating('rateHour=5'))).err).toContain('payroll has none for 12 April 2027')
  expect((await payroll(creating())).err).not.toContain('minimum wage')
})

test.each(['2', '15 people', '2nd'])(
  'candidates create doubts a forename that begins with a digit: %s',
  async (forename) => {
    const words = asTyped`--profile sandbox candidates create --set forename=${forename} --set surname=Example`
    const { warnings } = (await payroll([...words, '--dry-run', '--json'])).json()
    expect(warnings).toEqual([{ path: 'generalSetting.forename', message: 'it has a digit in it' }])
  },
)

test('candidates create doubts an upper USC band without the one below it', async () => {
  const sets = ['annual_two=28700', 'annual_fourPointFive=70044'].flatMap((each) => ['--set', each])
  const words = ['candidates', 'create', '--ireland', ...sets, '--incomplete', '--dry-run', '--json']
  const { warnings } = (await payroll([...words, '--profile', 'sandbox'])).json()
  const message = 'there is no cut-off point of USC rate 1, below it'
  expect(warnings).toEqual([{ path: 'payrollSetting.annual_two', message }])
})
