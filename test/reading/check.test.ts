import { afterEach, describe, expect, test, vi } from 'vitest'
import { atTerminal, endedWith, freshHome, payroll } from '../payroll.ts'
import { hostile, person, type Shown, sheet } from './hostile.ts'

const noBank = { sortCode: null, accountNumber: null, IBANReference: null }
const { bank: _, ...withoutBank } = person(1)

const check = async (shown: Shown, words = '', env: Readonly<Record<string, string>> = {}) =>
  (await hostile(shown)).run(`check --json ${words}`.trim(), env)

const rulesIn = (run: { json: () => { rule: string; reference: string }[] }) =>
  run.json().map(({ rule, reference }) => `${rule} ${reference}`)

describe('check decides for each record', () => {
  test('asks for a margin where most people have one, and not where half of them do', async () => {
    const having = (count: number) =>
      [1, 2, 3, 4].map((each) => person(each, {}, {}, { margin: each <= count ? 20 : null }))
    expect(rulesIn(await check({ uk: having(2) }, '--only margin'))).toEqual([])
    const most = await check({ uk: having(3) }, '--only margin')
    expect(rulesIn(most)).toEqual(['margin UK-4'])
  })

  test('two people of one reference are not judged by the payslips of each other, which have names', async () => {
    const uk = [1, 2].map((of) => person(of, { agencyRef: 'UK-1', forename: of === 1 ? 'Ann' : 'Bob' }))
    const slip = (name: string, gross: number) => ({
      ...{ id: name, taxYear: '2026/27', taxPeriod: 3, gross },
      ...{ subcontractorRef: 'UK-1', subcontractorName: name },
    })
    const payslips = [slip('Ann Sample1', 500), slip('Bob Sample2', -20)]
    const run = await check({ uk, payslips }, '--only payslip-amount --only payslip-twice')
    expect(run.json()).toMatchObject([{ rule: 'payslip-amount', name: 'Bob Sample2' }])
    expect(run.json()).toHaveLength(1)
  })

  test('somebody is not judged by payslips that may be those of a person in the other country', async () => {
    const [uk, ireland] = [1, 2].map((of) => [person(of, { agencyRef: 'UK-1' })])
    const slip = { taxYear: '2026/27', taxPeriod: 'Week 33', gross: 500, subcontractorRef: 'UK-1' }
    const payslips = ['s1', 's2'].map((id) => ({ id, ...slip }))
    // Hours are held against the people of both countries.
    const words = '--ireland --only payslip-twice --only unknown-person'
    const run = await check({ uk: uk ?? [], ireland: ireland ?? [], payslips }, words)
    expect(run).toMatchObject(endedWith(10, 'does not show for certain which payslips are theirs'))
    expect(rulesIn(run)).toEqual([])
  })

  test('where both lists have everybody, each is of the country whose tax details the record has', async () => {
    const irish = { taxCode: null, niCategory: null, ppsNumber: '1234567T', prsiEeClasses: 'A1' }
    const everybody = [person(1), person(2, { NINumber: null }, {}, irish)]
    const of = { uk: everybody, ireland: everybody }
    const found = await check({ ...of, timesheets: [sheet('UK-2', '2026-01-05', '2026-01-11')] })
    const rules = rulesIn(found).filter((each) => /tax-details|no-bank|same-/.test(each))
    expect([rules, found.json().map(({ country }: { country: string }) => country)]).toEqual([[], []])
    const named = await (await hostile(of)).run('candidates find Sample2 --json')
    expect(named.json()).toMatchObject([{ agencyRef: 'UK-2' }])
  })

  test('somebody whom each list shows with the tax details of the other country falls out of neither', async () => {
    const irish = { taxCode: null, niCategory: null, ppsNumber: '1234567T', prsiEeClasses: 'A1' }
    const of = { uk: [person(1, { NINumber: null }, {}, irish)], ireland: [person(1)] }
    const found = await check({ ...of, timesheets: [sheet('UK-1', '2026-01-05', '2026-01-11')] })
    const countries = found.json().map(({ country }: { country: string }) => country)
    expect(new Set(countries)).toEqual(new Set(['uk', 'ireland']))
  })

  test('a postponement that is over is not fine because no membership is shown', async () => {
    const over = { postponementEndDate: '2024-08-01T00:00:00.000Z', optState: 'ignition' }
    const shown = (more: object) => ({
      uk: [person(1, { dateOfJoining: '2024-06-03', pensionSetting: { ...over, ...more } })],
    })
    const hidden = await check(shown({}), '--only pension')
    const says = 'pension was not checked where a postponement is over: the service shows no membership'
    expect([hidden, rulesIn(hidden)]).toEqual([expect.objectContaining(endedWith(10, says)), []])
    const none = { membershipStartDate: null, optOutDate: null }
    expect(rulesIn(await check(shown(none), '--only pension'))).toEqual(['pension UK-1'])
    const since = { membershipStartDate: '2024-08-02' }
    expect(await check(shown(since), '--only pension')).toMatchObject({ code: 0 })
  })

  test('looks from one end of a list to the other for a field that it does not show', async () => {
    const starters = Array.from({ length: 29 }, (_, at) => {
      const { NINumber, ...starter } = person(at + 1)
      return starter
    })
    const run = await check({ uk: [...starters, person(30)], listLacks: ['NINumber'] }, '--uk')
    expect(rulesIn(run)).toHaveLength(29)
    expect(run.err).not.toContain('does not return National Insurance number')
  })

  test('keeps what the list shows of somebody whose record shows less', async () => {
    const run = await check({ uk: [person(1)], listLacks: ['bank'], recordLacks: ['NINumber'] })
    expect(rulesIn(run)).toEqual([])
  })

  test.each([0, 1, 2, 29])(
    'where the list shows no bank, and the person at place %i has none',
    async (place) => {
      const uk = Array.from({ length: 30 }, (_, at) =>
        at === place
          ? { ...withoutBank, id: `id-${at}`, agencyRef: `UK-${at}` }
          : person(at, {}, at === 20 ? noBank : {}),
      )
      const run = await check({ uk, listLacks: ['bank'] }, '--only no-bank')
      expect([run.code, rulesIn(run)]).toEqual([9, ['no-bank UK-20', `no-bank UK-${place}`].sort()])
    },
  )

  test('and reads on to the last record for a field that --only asks for', async () => {
    const uk = Array.from({ length: 60 }, (_, at) =>
      at === 43 ? person(at) : { ...withoutBank, id: `id-${at}`, agencyRef: `UK-${at}` },
    )
    const run = await check({ uk, listLacks: ['bank'] }, '--only no-bank')
    expect([run.code, run.json().length]).toEqual([9, 59])
  })

  test('where a mask stands in place of the account of one person, it is said, and the others are checked', async () => {
    const uk = [person(1, {}, { accountNumber: '******22' }), person(2, {}, { accountNumber: '3192681' })]
    const says =
      'for Ann Sample1 (UK-1) the service shows a mask, or no real value, instead of Account number (bank-number'
    const all = await check({ uk })
    expect([all.code, rulesIn(all)]).toEqual([9, ['bank-number UK-2']])
    expect(all.err).toContain(says)
    const asked = await check({ uk }, '--only bank-number')
    expect(asked).toMatchObject(endedWith(10, says))
    expect(rulesIn(asked)).toEqual(['bank-number UK-2'])
    // That there is an account is seen.
    expect(await check({ uk }, '--only no-bank')).toMatchObject({ code: 0 })
  })

  test('where the record of one person cannot be read', async () => {
    const uk = [person(1), person(2), person(3)]
    const run = await check({ uk, listLacks: ['bank'], refuses: { '/id-2': 404 } }, '--only no-bank')
    expect(run).toMatchObject(
      endedWith(10, 'for Ann Sample2 (UK-2) the service does not return Sort code (no-bank)'),
    )
  })

  test.each(['2010-01-02', '2010-01-02T00:00:00', '2010-01-02T00:00:00+00:00', '2010-01-02T12:00:00Z'])(
    'where the birthday is answered as %s: the age is known',
    async (DOB) => {
      const uk = [person(1, { DOB, rateHour: 5 })]
      const run = await check({ uk }, '--uk --only below-minimum')
      expect([run.code, run.json()[0].seen]).toEqual([9, expect.stringMatching(/ at 1\d$/)])
    },
  )

  test.each([
    '0000-00-00',
    '0001-01-01T00:00:00',
    '1900-01-01',
    '01/12/2027',
    '12/31/2027',
    '1-Dec-2027',
    '-',
    'None',
  ])('where the day of leaving is %s: not left, and said', async (dateLeft) => {
    const run = await check({ uk: [person(1, { dateLeft }, noBank), person(2)] }, '--only no-bank')
    expect([run.code, rulesIn(run)]).toEqual([9, ['no-bank UK-1']])
    expect(run.err).toContain('Date left cannot be read as a date')
  })

  test.each([
    ['£15.00', []],
    ['15,50', []],
    ['1,020.00', []],
    ['0x10', ['10']],
    ['TBC', ['10']],
    ['11.99', ['below-minimum UK-1']],
  ])('where the rate of an hour is %s', async (rateHour, found) => {
    const run = await check({ uk: [person(1, { rateHour }), person(2)] }, '--only below-minimum')
    expect(run.code).toBe(found[0] === '10' ? 10 : found.length > 0 ? 9 : 0)
    expect(rulesIn(run)).toEqual(found.filter((each) => each !== '10'))
  })

  test('and does not take a timesheet for work that was rejected or deleted', async () => {
    const uk = [person(1), person(2), person(3)]
    const timesheets = [
      sheet('UK-1', '2026-05-04', '2026-05-10', { status: 'REJECTED' }),
      sheet('UK-2', '2026-05-04', '2026-05-10', { deletedAt: '2026-05-11T09:00:00.000Z' }),
      sheet('UK-3', '2026-05-11', '2026-05-17'),
    ]
    const run = await check({ uk, timesheets }, '--only no-timesheet --week-ending 2026-05-10')
    expect(rulesIn(run)).toEqual(['no-timesheet UK-1', 'no-timesheet UK-2', 'no-timesheet UK-3'])
  })
})

describe('nobody, and a closed list, are not that all is well', () => {
  test('a service that refuses each list of people ends it as the list would', async () => {
    const run = await check({ refuses: { '/candidates': 403, '/candidates/ireland': 403 } })
    expect([run.code, run.out]).toEqual([4, ''])
  })

  test('a service that shows nobody is exit 10 for a script, and said at a terminal', async () => {
    expect(await check({})).toMatchObject({
      ...endedWith(10, 'The service shows nobody, so nothing was checked.'),
      out: '',
    })
    expect(await check({}, '--quiet')).toMatchObject({ code: 10 })
    const { env } = await hostile({})
    const run = await atTerminal(['check'], { env }).ended
    expect(run).toMatchObject(endedWith(0, 'The service shows nobody, so nothing was checked.'))
    expect(run.err).not.toContain('Nothing was found')
  })

  test.each([403, 404, 405])(
    'a list that is closed with %i is exit 10, but where the command or the profile names another country',
    async (status) => {
      const shown = { ireland: [person(1)], refuses: { '/candidates': status } }
      const says = 'he people in the UK were not checked: the service does not show them'
      expect(await check(shown, '', { PAYROLL_COUNTRY: 'uk' })).toMatchObject({
        err: expect.stringContaining(says),
      })
      expect((await check(shown, '--only same-reference', { PAYROLL_COUNTRY: 'uk' })).code).toBe(10)
      // Where nobody named a country, a service that has no such list is one of another country.
      const code = status === 403 ? 10 : 0
      for (const words of ['--only same-reference', '']) {
        const run = await check({ ...shown, timesheets: [] }, words)
        expect(run.err).toContain(says)
        expect(run.code).toBe(code)
        if (code === 10) expect(run.err).toContain('To do without them, name the country')
      }
      for (const [words, PAYROLL_COUNTRY] of [
        ['--only same-reference', 'ireland'],
        ['--only same-reference --ireland', ''],
      ] as const)
        expect((await check({ ...shown, timesheets: [] }, words, { PAYROLL_COUNTRY })).code).toBe(0)
      const found = await check({ ...shown, ireland: [person(1, {}, noBank)] }, '--only no-bank')
      expect([found.code, rulesIn(found)]).toEqual([code === 10 ? 10 : 9, ['no-bank UK-1']])
      expect(await check({ refuses: { '/candidates': status } })).toMatchObject({ code: 10 })
    },
  )

  test('the country of PAYROLL_COUNTRY comes before that of the default profile', async () => {
    const { env } = await hostile({ ireland: [person(1)], refuses: { '/candidates': 403 } })
    const home = freshHome()
    const run = (words: string, PAYROLL_COUNTRY = '') =>
      payroll(words.split(' '), { home, input: 'CANARYkey0000', env: { PAYROLL_COUNTRY } })
    await run(`profiles set acme --country uk --base-url ${env.PAYROLL_BASE_URL}`)
    await run('auth login --profile acme')
    const words = 'check --only same-reference'
    expect([(await run(words)).code, (await run(words, 'ireland')).code]).toEqual([10, 0])
  })

  test.each([403, 404, 405])(
    'the other rules are checked where the timesheets are closed with %i: exit 9, or 10 where nothing is found',
    async (status) => {
      const refuses = { '/time-sheets': status }
      const says =
        /no-hours.* were not checked: .*\/svc\/time-sheets|no-hours.* were not checked: .*\(40[35]\)/
      const found = await check({ uk: [person(1, {}, noBank)], refuses })
      expect([found.code, rulesIn(found)[0], found.err]).toEqual([
        9,
        'no-bank UK-1',
        expect.stringMatching(says),
      ])
      expect(await check({ uk: [person(1)], refuses }, '--only no-bank')).toMatchObject({ code: 0 })
      const only = await check({ uk: [person(1)], refuses }, '--only no-hours')
      expect([only.code, only.json(), only.err]).toEqual([
        10,
        [],
        expect.stringContaining('no-hours was not'),
      ])
    },
  )

  test('unknown-person is not asked of people of whom some could not be read', async () => {
    const shown = {
      ireland: [person(1)],
      timesheets: [sheet('UK-9', '2099-05-04', '2099-05-10')],
      refuses: { '/candidates': 403 },
    }
    const run = await check(shown, '--only unknown-person')
    expect(run).toMatchObject(endedWith(10, 'unknown-person was not checked: not all people could be read'))
    expect(run.json()).toEqual([])
  })

  test('who left up to a pay period before the seven days of the check is still to be paid', async () => {
    const left = (number: number, dateLeft: string) =>
      person(number, { dateLeft, payFrequency: 'WEEKLY' }, noBank)
    const uk = [left(1, '2026-04-27'), left(2, '2026-04-26')]
    const run = await check({ uk }, '--only no-bank --week-ending 2026-05-10')
    expect(rulesIn(run)).toEqual(['no-bank UK-1'])
  })
})

describe('without a week check looks at 28 days, and at 35 of a starter:', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test.each([
    ['2026-05-27', ['doubtful-value UK-1']],
    ['2026-05-26', []],
  ])('the declaration of who started on %s as %s', async (dateOfJoining, found) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-30T12:00:00Z') })
    const starter = person(1, { dateOfJoining }, {}, { starterDeclaration: 'C' })
    expect(rulesIn(await check({ uk: [starter] }))).toEqual(found)
  })

  test.each([
    ['2026-06-03', ['no-hours UK-1']],
    ['2026-06-02', []],
  ])('a timesheet that ends on %s is seen as %s', async (last, found) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-30T12:00:00Z') })
    const timesheets = [sheet('UK-1', last, last, { rates: [{ rate: '20', units: '-1' }] })]
    expect(rulesIn(await check({ uk: [person(1)], timesheets }))).toEqual(found)
  })
})
