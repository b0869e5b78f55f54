import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type RuleId, ruleIds } from '../../../src/commands/check/rules.ts'
import type { Json } from '../../../src/files/json/path.ts'
import type { CountryId } from '../../../src/model/countries/countries.ts'
import { facts } from '../../../src/model/facts/facts.ts'
import { dayAfter } from '../../../src/text/day.ts'
import { endedWith, payroll } from '../../payroll.ts'
import { listedPeople } from '../../people-service.ts'
import { empty, withNeeds } from '../../reading/hostile.ts'
import { answerJson, service } from '../../service.ts'
import { cases } from './cases.ts'

/** The day of every example, and the week that ends then. */
const day = '2026-05-10'
const week = { startDate: '2026-05-04', endDate: day }

/** A person without a fault, who is paid in the UK; `place: 'ireland'` in Ireland. */
interface Example {
  readonly place?: CountryId
  readonly reference?: string
  readonly forename?: string
  readonly surname?: string
  readonly DOB?: string
  readonly number?: string
  /** By the last name of the field; `null` empties it. */
  readonly fields?: Readonly<Record<string, Json>>
}

const bank = {
  ...empty('buildingSocietyNumber IBANReference SWIFTNo'),
  sortCode: '601613',
  accountNumber: '31926819',
}
const setting = {
  ...empty('taxBasis starterDeclaration margin isApprentice'),
  paymentModel: 'PAYEE',
  taxCode: '1257L',
  niCategory: 'A',
  holidayPayRate: 12.07,
  ppsNumber: '0000001TA',
  prsiEeClasses: 'A1',
}
const general = {
  ...empty('dateLeft status annualSalary documentExpiryDate documentType rightToWorkStatus'),
  payMethod: 'BACS',
  rateHour: 20,
  hours: 37.5,
  payFrequency: 'WEEKLY',
  dateOfJoining: '2026-04-06',
  nationality: 'British',
  NINumber: 'QQ123401B',
  workingTimeRegulation: 'OPT_OUT',
}

/** As a list answers it. */
function person({ place = 'uk', fields = {}, ...who }: Example) {
  const { reference = 'UK-1', forename = 'Ann', surname = 'Sample', DOB = '1990-01-01', number } = who
  const own = number ?? `QQ12340${reference.at(-1)}B`
  const given = { ...(place === 'uk' ? { NINumber: own } : { ppsNumber: own }), ...fields }
  const filled = <Section extends object>(section: Section) =>
    Object.fromEntries(
      Object.entries(section).map(([name, value]) => [
        name,
        name in given ? given[name as keyof typeof given] : value,
      ]),
    )
  const item = {
    id: `id-${place}-${reference}-${forename}`,
    agencyRef: reference,
    forename,
    surname,
    DOB: DOB === '' ? null : DOB,
    ...filled(general),
    pensionSetting: {
      postponementEndDate: fields.postponementEndDate ?? null,
      isSalarySacrifice: fields.isSalarySacrifice ?? null,
    },
    bank: filled(bank),
    setting: filled(setting),
  }
  return withNeeds(item, place, fields)
}

interface Sheet {
  readonly of?: string
  readonly hourly?: number
  readonly hours?: number
  readonly startDate?: string
  readonly [more: string]: Json
}

const sheet = ({ of = 'UK-1', hourly = 20, hours = 37.5, ...more }: Sheet = {}) => ({
  subcontractorRef: of,
  ...week,
  rates: [{ rate: String(hourly), units: String(hours) }],
  ...more,
})

interface Case {
  readonly people: readonly Example[]
  /** Null: the key may not read them. */
  readonly sheets?: readonly object[] | null
  /** Payslips, or the names on them. */
  readonly paid?: readonly (string | object)[]
  /** Payment rates. */
  readonly rates?: readonly object[]
}

/** check of a service with these people, by one rule. */
async function checked(
  { people, sheets = [], paid = ['Nobody Else'], rates = [] }: Case,
  ...words: string[]
) {
  const peopleOf = (country: CountryId) => people.filter(({ place = 'uk' }) => place === country).map(person)
  const lists: Record<string, readonly object[] | undefined> = {
    '/svc/time-sheets': sheets?.map((each, at) => ({ id: `sheet-${at}`, ...each })),
    '/svc/payment-rate': rates,
    '/svc/v2/payslips': paid.map((slip, at) => ({
      id: `slip-${at}`,
      ...(typeof slip === 'string' ? { subcontractorName: slip } : slip),
    })),
  }
  const { env } = await service(({ url }, response) => {
    const data = listedPeople(url, peopleOf) ?? lists[new URL(url, 'http://127.0.0.1').pathname]
    answerJson(response, data ? 200 : 404, { data, totalDocs: data?.length })
  })
  return payroll(['check', '--json', '--week-ending', day, ...words], { env })
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`${day}T12:00:00Z`) })
})
afterEach(() => {
  vi.useRealTimers()
})

/** What is seen of a case, nothing where it is fine; and how severe it is, where that is no matter of the rule alone. */
type Row = readonly [of: Case, sees?: unknown, severity?: 'likely-wrong' | 'look']

/** One person with these fields. */
const one = (
  fields: Readonly<Record<string, Json>> = {},
  more: Example = {},
  sheets: readonly object[] = [],
): Case => ({ people: [{ ...more, fields }], sheets })
const irish = (fields: Readonly<Record<string, Json>>, more: Example = {}) =>
  one(fields, { place: 'ireland', ...more })
const two = (first: Example, second: Example): Case => ({ people: [first, second] })
const paidEach = (...rates: readonly number[]): Case => ({
  people: rates.map((rateHour, index) => ({
    ...{ reference: `UK-${index + 1}`, forename: 'Ann', surname: `Sample${index}` },
    fields: { rateHour, accountNumber: `3192681${index}` },
  })),
})
const linesOf = (...lines: readonly (readonly [rate: number, units: number])[]) => ({
  rates: lines.map(([rate, units]) => ({ rate: String(rate), units: String(units) })),
})
const noAccount = { sortCode: null, accountNumber: null }
const theIban = 'GB29NWBK60161331926819'
const theWeek = 'timesheet from 4 May 2026 to 10 May 2026'

/**
 * What is seen where it takes two people, a list of rates, a payslip of a namesake or a week to see it: of one person, `cases.ts` has
 * it.
 */
const examples: Readonly<Partial<Record<RuleId, readonly Row[]>>> = {
  'unknown-person': [
    [one({}, {}, [sheet()])],
    [one({}, {}, [sheet({ of: 'UK-9' })]), `${theWeek} is for UK-9, which is the reference of no person`],
    [one({}, {}, [sheet({ of: 'uk-1' })])],
  ],
  'same-reference': [
    [two({}, { reference: 'UK-2' })],
    [two({}, { forename: 'Bea' }), 'Ann Sample has the reference UK-1 too'],
    [two({}, { reference: 'uk-1', forename: 'Bea' }), 'Ann Sample has the reference UK-1 too'],
  ],
  'same-number': [
    [two({ number: 'QQ123401' }, { reference: 'UK-2', forename: 'Bea', number: 'QQ123402' })],
    [
      two({ number: 'QQ123401' }, { reference: 'UK-2', forename: 'Bea', number: 'QQ123401' }),
      'the same National Insurance number as Ann Sample (UK-1)',
    ],
    [two({ number: 'QQ123401' }, { reference: 'IE-1', place: 'ireland', number: 'QQ123401' })],
    [
      two({ number: 'QQ123401' }, { reference: 'UK-2', surname: 'Married', number: 'QQ123401' }),
      'the same National Insurance number as Ann Sample (UK-1), forename and date of birth too: is this one person?',
      'look',
    ],
  ],
  'same-person': [
    [two({}, { reference: 'UK-2', DOB: '1991-01-01', fields: noAccount })],
    [two({}, { reference: 'UK-2', fields: noAccount }), 'the name and the date of birth of UK-1'],
    [two({}, { reference: 'IE-1', place: 'ireland' })],
    [
      two({}, { reference: 'UK-2', forename: 'ANN' }),
      'the name, the date of birth and the bank account of UK-1',
    ],
    [two({}, { reference: 'UK-2', DOB: '1991-01-01' }), 'the name and the bank account of UK-1', 'look'],
    [
      two({ fields: { NINumber: null } }, { reference: 'UK-2', DOB: '1991-01-01' }),
      'the name and the bank account of UK-1',
      'likely-wrong',
    ],
    [
      two({}, { reference: 'UK-2', DOB: '1991-01-01', fields: { ...noAccount, IBANReference: theIban } }),
      'the name and the bank account of UK-1',
    ],
    [two({}, { reference: 'UK-2', forename: 'Bea', fields: noAccount })],
  ],
  'unusual-pay': [
    [
      one({ rateHour: 1250 }),
      'hourly rate: more than 150 an hour: is it what a day is paid, or is the decimal point missing?',
      'likely-wrong',
    ],
    [paidEach(12.5, 13, 14, 15, 112), 'hourly rate of £112.00, where £14.00 is usual', 'look'],
    [paidEach(12.5, 13, 14, 15, 111)],
    // Of four nobody can tell what is usual.
    [paidEach(13, 14, 15, 140)],
    [
      { ...paidEach(13), sheets: [sheet({ hourly: 104 })] },
      `${theWeek}: £104.00 an hour, where £13.00 is usual`,
    ],
    [{ ...paidEach(13), sheets: [sheet({ hourly: 103 })] }],
    // Nothing is paid by a line without hours.
    [
      {
        ...paidEach(13),
        sheets: [
          sheet({
            rates: [
              { rate: '104', units: '0' },
              { rate: '13', units: '37.5' },
            ],
          }),
        ],
      },
    ],
    // The rate of an assignment is often far above that of the record, and then it is so for most.
    [
      {
        ...paidEach(13, 13, 13, 13, 13),
        sheets: [1, 2, 3, 4, 5].map((number) => sheet({ of: `UK-${number}`, hourly: 105 })),
      },
    ],
  ],
  'shared-account': [
    [two({}, { reference: 'UK-2', surname: 'Other', fields: { accountNumber: '12345678' } })],
    [two({}, { reference: 'UK-2', surname: 'Other' }), 'one account with Ann Sample (UK-1)'],
    // A building society has one account for all of its members.
    [
      two(
        { fields: { buildingSocietyNumber: 'D/100' } },
        { reference: 'UK-2', surname: 'Other', fields: { buildingSocietyNumber: 'D/200' } },
      ),
    ],
    [two({}, { reference: 'UK-2', forename: 'Bea' })],
    // A spreadsheet drops the zero at the front.
    [
      two(
        { fields: { accountNumber: '01926819' } },
        { reference: 'UK-2', surname: 'Other', fields: { accountNumber: 1926819 } },
      ),
      'one account with Ann Sample (UK-1)',
    ],
    [
      two({}, { reference: 'UK-2', surname: 'Other', fields: { ...noAccount, IBANReference: theIban } }),
      'one account with Ann Sample (UK-1)',
    ],
  ],
  'no-timesheet': [
    [one({}, {}, [sheet()])],
    [one(), `no ${theWeek}`],
    [one({ rateHour: null, annualSalary: 30_000 })],
    [one({ dateLeft: '2026-05-03' })],
    [one({ dateOfJoining: '2026-05-11' })],
  ],
  'never-paid': [
    [{ people: [{}], paid: ['Ann Sample'] }],
    [one(), 'started on 6 April 2026, and has no payslip'],
    [one({ payFrequency: 'MONTHLY' })],
    [{ people: [{ forename: 'Áine', surname: "O'Sample" }], paid: ['aine o’sample'] }],
    // A payslip that has a reference is not that of a namesake.
    [
      { people: [{}], paid: [{ subcontractorName: 'Ann Sample', subcontractorRef: 'UK-2' }] },
      'started on 6 April 2026, and has no payslip',
    ],
  ],
  'no-hours': [
    [one({}, {}, [sheet({ rates: [{ units: '37.5' }, { units: '0' }] })])],
    [one({}, {}, [sheet({ rates: [] })]), `no hours; ${theWeek}`],
    [one({}, {}, [sheet({ hours: 0, deletedAt: '2026-05-11T00:00:00.000Z' })])],
  ],
  // The lines of a pay period count together.
  'below-minimum': [
    [
      one({}, {}, [sheet(linesOf([13, 37.5], [12, 2]))]),
      `${theWeek}: £12.00 is below the minimum of £12.71 at 36; on average its lines are not`,
      'look',
    ],
    [
      one({}, {}, [sheet(linesOf([12.8, 10], [12, 30]))]),
      `${theWeek}: £12.20 is below the minimum of £12.71 at 36, on average of its lines`,
      'likely-wrong',
    ],
    [one({}, {}, [sheet(linesOf([20, 37.5], [0, 2]))])],
    // The weekend bears the margin of the week too.
    [one({ margin: 20 }, {}, [sheet(linesOf([15, 20], [30, 8]))])],
    [
      one({ margin: 20 }, {}, [sheet(linesOf([15, 20], [15.5, 8]))]),
      expect.stringContaining('£15.14 is less than an assignment has to bring'),
    ],
  ],
}

describe.each(ruleIds.filter((id) => examples[id]))('the rule %s', (id) => {
  const cases = (examples[id] ?? []).map(([of, sees = 'nothing', severity]) => ({ ...of, sees, severity }))

  test.each(cases)('sees $sees of $people and $sheets', async ({ sees, severity, ...of }) => {
    const { code, json, err } = await checked(of, '--only', id)
    const found: { seen: string; severity: string }[] = json()
    expect([found.map(({ seen }) => seen), err]).toEqual(
      sees === 'nothing' ? [[], expect.not.stringContaining('Note')] : [[sees], expect.anything()],
    )
    expect(code).toBe(sees === 'nothing' ? 0 : 9)
    if (severity) expect(found[0]?.severity).toBe(severity)
  })
})

test('An account that many share is seen of each with the first of them by reference, whoever was read first', async () => {
  const people = [5, 4, 3, 2, 1].map((at) => ({ reference: `UK-${at}`, surname: `Other-${at}` }))
  const { json } = await checked({ people }, '--only', 'shared-account')
  const seen: readonly string[] = json().map((finding: any) => finding.seen)
  expect(seen).toHaveLength(4)
  for (const each of seen) expect(each).toMatch(/^one account with Ann Other-1 \(UK-1\), .* and 1 more$/)
})

test('An account that two people share, and a third, is seen of the second and of the third', async () => {
  const people = ['Sample', 'Other', 'Third'].map((surname, at) => ({ reference: `UK-${at + 1}`, surname }))
  const { json } = await checked({ people }, '--only', 'shared-account')
  expect(json()).toMatchObject([
    { reference: 'UK-2', seen: 'one account with Ann Sample (UK-1) and Ann Third (UK-3)' },
    { reference: 'UK-3', seen: 'one account with Ann Sample (UK-1) and Ann Other (UK-2)' },
  ])
})

test('week 1/month 1 ends with the tax year in which somebody is paid', async () => {
  const started = { dateOfJoining: '2026-03-02', taxBasis: 'W1M1' }
  const of = { people: [{ fields: started }] }
  const before = ['--only', 'week-one', '--week-ending', '2026-04-05', '--pay-date']
  expect((await checked(of, ...before, '2026-04-03')).json()).toEqual([])
  expect((await checked(of, ...before, '2026-04-10')).json()).toMatchObject([{ reference: 'UK-1' }])
})

describe('a tax period', () => {
  const inPeriod = (more: (at: number) => object) => ({
    ...paidEach(20, 20, 20, 20, 20, 20),
    sheets: [1, 2, 3, 4, 5, 6].map((at) => sheet({ of: `UK-${at}`, taxYear: '2026/27', ...more(at) })),
  })
  const seenIn = async (of: Case, ...words: string[]) => {
    const { code, err, json } = await checked(of, '--only', 'tax-period', ...words)
    return { code, err, references: json().map(({ reference }: { reference: string }) => reference) }
  }

  test('that most timesheets have in the same other way is said once, and accuses nobody', async () => {
    const byCalendar = inPeriod((at) => ({ taxPeriodConfig: at === 6 ? 'Week 5' : 'Week 19' }))
    const only = await seenIn(byCalendar)
    expect(only).toMatchObject({ code: 10, references: [] })
    expect(only.err).toContain(
      'tax-period was not checked for 5 timesheets: most are far from their days, so the service may count in a way of its own',
    )
    expect((await checked(byCalendar, '--ireland')).err).not.toContain('tax-period')
  })

  test('that no other timesheet has is judged by those that have one', async () => {
    const half = inPeriod((at) => (at > 3 ? {} : { taxPeriodConfig: 'Week 19' }))
    const few = { ...half, sheets: [...half.sheets, ...half.sheets.slice(0, 2)] }
    expect(await seenIn(few)).toMatchObject({ code: 10, references: [] })
  })

  test('that is far from its days is found, and a year', async () => {
    const few = inPeriod((at) => ({ taxPeriodConfig: at < 4 ? 'Week 19' : 'Week 5' }))
    expect(await seenIn(few)).toMatchObject({ code: 9, references: ['UK-1', 'UK-2', 'UK-3'] })
    const withIrish = { ...few, people: [...few.people, { place: 'ireland', reference: 'IE-1' } as const] }
    expect((await seenIn(withIrish, '--ireland')).references).toEqual([])
    expect((await seenIn(inPeriod(() => ({ taxYear: '2024/25' })))).references).toHaveLength(6)
  })

  test('of a person is one of the country in which the person is paid', async () => {
    const irish = { place: 'ireland', reference: 'IE-1' } as const
    const of = (taxPeriodConfig: string) => ({
      people: [irish],
      sheets: [sheet({ of: 'IE-1', taxYear: '2026', taxPeriodConfig })],
    })
    // The week of the first days of May: the 19th of the calendar year, and the 5th of the British tax year.
    expect(await seenIn(of('Week 19'))).toMatchObject({ code: 0, references: [] })
    expect(await seenIn(of('Week 5'))).toMatchObject({ code: 9, references: ['IE-1'] })
  })

  test('and a year that are ids are not judged', async () => {
    const ids = inPeriod(() => ({ taxYear: 12, taxPeriodConfig: 61 }))
    expect(await seenIn(ids)).toMatchObject({ code: 0, references: [] })
  })
})

test('Each rule has examples here, or cases in cases.ts that it finds', () => {
  const inCases = new Set(cases.flatMap(({ finds }) => finds.map((found) => found.replace(/=.*/, ''))))
  const untried = ruleIds.filter((id) => !examples[id] && !inCases.has(id))
  expect(untried).toEqual([])
})

describe('a payment rate', () => {
  const ratesOf = (rate: object) => ({ rates: [{ id: 'R-1', code: 'DAY', ...rate }] })
  const days = (rate: number) => [
    sheet({ rates: [{ rateId: 'R-1', rate: String(rate), units: '5' }] } as never),
  ]

  test('of days that does not say their hours is pay, and is said to be judged by nobody', async () => {
    const of = {
      ...one({ rateHour: null }, {}, days(60)),
      ...ratesOf({ units: 'DAILY', hoursPerUnit: null }),
    }
    const { json, err } = await checked(of)
    expect(json().map(({ rule }: { rule: string }) => rule)).not.toContain('no-rate')
    expect(err).toContain('below-minimum was not checked for 1 timesheet: it is not certain')
  })

  test('of days is judged by the hours that it says', async () => {
    const of = {
      ...one({ rateHour: null }, {}, days(95.32)),
      ...ratesOf({ units: 'DAILY', hoursPerUnit: 7.5 }),
    }
    const { json } = await checked(of, '--only', 'below-minimum')
    expect(json()).toMatchObject([{ seen: `${theWeek}: £12.7093 is below the minimum of £12.71 at 36` }])
  })

  test('of leave pays no hours that were worked: after the last day they are to be reviewed', async () => {
    const leave = sheet({ rates: [{ rateId: 'R-1', rate: '20', units: '210' }] } as never)
    const of = {
      ...one({ dateLeft: '2026-05-01' }, {}, [leave]),
      ...ratesOf({ units: 'HOURLY', description: 'Holiday' }),
    }
    const { json } = await checked(of)
    const found = json().map(({ rule, severity }: Record<string, string>) => `${rule} ${severity}`)
    expect(found).toContain('after-leaving look')
    expect(found.filter((each: string) => each.startsWith('too-many-hours'))).toEqual([])
  })
})

describe('whose a timesheet or a payslip is', () => {
  const inBoth = [{}, { place: 'ireland' as const }]

  test('is not guessed where two countries have the reference: the one is not judged by the law of the other', async () => {
    const { json, err } = await checked({ people: inBoth, sheets: [sheet({ hourly: 13, hours: 50 })] })
    const found = json().map(({ rule, severity }: Record<string, string>) => `${rule} ${severity}`)
    expect(found).toContain('same-reference look')
    expect(found.filter((each: string) => /^(below-minimum|too-many)/.test(each))).toEqual([])
    expect(err).toContain('below-minimum was not checked for 1 timesheet: it is not certain whose they are')
  })

  test('is told by who was there, where somebody came back under the same reference', async () => {
    const old = { forename: 'Bea', fields: { dateOfJoining: '2024-01-08', dateLeft: '2025-10-31' } }
    const { json } = await checked({ people: [old, {}], sheets: [sheet({ hourly: 12 })] })
    const found = json().map(({ rule, name }: Record<string, string>) => `${rule} ${name}`)
    expect(json()).toContainEqual(expect.objectContaining({ rule: 'same-reference', severity: 'look' }))
    expect(found).toContain('below-minimum Ann Sample')
    expect(found).not.toContain('after-leaving Bea Sample')
  })

  test('is not known of a name that two people have: never-paid says so, and accuses nobody', async () => {
    const people = [{}, { reference: 'UK-2', DOB: '1991-01-01' }]
    const run = await checked({ people, paid: ['Ann Sample'] }, '--only', 'never-paid')
    expect([run.code, run.json()]).toEqual([10, []])
    expect(run.err).toContain(
      'never-paid was not checked for Ann Sample (UK-1) and Ann Sample (UK-2): the service does not show for certain',
    )
  })

  const slip = (of: string, week: number, more: object = {}) => ({
    subcontractorRef: `UK-${of}`,
    taxYear: '2026/27',
    taxPeriod: `Week ${week}`,
    gross: 500,
    ...more,
  })
  const people = ['1', '2', '3'].map((of) => ({ reference: `UK-${of}`, forename: `Ann${of}` }))
  const paid = [slip('1', 5), slip('2', 5), slip('3', 5)]
  const seenIn = (run: { json: () => unknown[] }) =>
    run.json().map((found) => (found as Record<string, string>).seen)

  test('Payslips without a gross amount are not judged by it, and it is said of whom', async () => {
    const none = (each: object) => ({ ...each, gross: undefined, grossPay: -20 })
    const ofOne = await checked({ people, paid: [...paid.slice(0, 2), none(slip('3', 5))] })
    expect(ofOne.err).toContain('gross pay was not checked for Ann3 Sample (UK-3): the last payslip does not')
    expect((await checked({ people, paid }, '--only', 'payslip-amount')).err).not.toContain('gross pay')
  })

  test('Payslips without a tax year or a tax period are not judged, and it is said of whom', async () => {
    const none = [slip('2', 5, { taxYear: undefined }), slip('3', 5, { taxPeriod: 'to 21/11/2026' })]
    const run = await checked({ people, paid: [...paid.slice(0, 1), ...none] }, '--only', 'payslip-twice')
    expect(run).toMatchObject(
      endedWith(10, 'for Ann2 Sample (UK-2) and Ann3 Sample (UK-3): no tax year or no tax period is shown'),
    )
  })

  test('Old payslips of somebody who has left are no news', async () => {
    const gone = { reference: 'UK-5', forename: 'Bea', fields: { dateLeft: '2026-04-10' } }
    const of = { people: [...people, gone], paid: [...paid, slip('5', 1, { gross: -20 })] }
    const run = await checked(of, '--only', 'payslip-twice', '--only', 'payslip-amount')
    expect(seenIn(run)).toEqual([])
    expect(run.err).not.toContain('Bea')
  })

  test('What was paid under the reference of somebody who came back is paid once', async () => {
    const old = {
      reference: 'UK-1',
      forename: 'Bea',
      fields: { dateLeft: '2025-03-01', dateOfJoining: '2024-01-08' },
    }
    const of = { people: [old, ...people], paid: [slip('1', 5, { gross: -20 }), ...paid.slice(1)] }
    const run = await checked(of, '--only', 'payslip-amount', '--only', 'paid-after-leaving')
    expect(run.json()).toMatchObject([{ rule: 'payslip-amount', name: 'Ann1 Sample' }])
  })

  test('A number alone is the tax month of somebody who is paid by the month', async () => {
    const march = sheet({ startDate: '2026-03-02', endDate: '2026-03-08' })
    const checkedOf = async (taxPeriod: string, payFrequency: string) => {
      const of = {
        people: [{ fields: { payFrequency, dateOfJoining: '2025-04-06' } }],
        sheets: [march],
        paid: [slip('1', 1, { taxPeriod, taxYear: '2025/26' })],
      }
      return seenIn(await checked(of, '--week-ending', '2026-03-08', '--only', 'unpaid-work'))
    }
    expect(await checkedOf('12', 'MONTHLY')).toEqual([])
    expect(await checkedOf('10', 'MONTHLY')).toHaveLength(1)
    expect(await checkedOf('12', 'WEEKLY')).toHaveLength(1)
    expect(await checkedOf('47', 'MONTHLY')).toHaveLength(1)
  })

  test('A rejected timesheet of nobody stops no pay', async () => {
    const sheets = [sheet({ of: 'UK-9', status: 'REJECTED' })]
    expect((await checked({ people, sheets }, '--only', 'unknown-person')).json()).toEqual([])
  })

  test('A pay date before the week, or long after it, is refused: its year was mistyped', async () => {
    for (const [date, says] of [
      ['2025-05-15', 'The pay date 15 May 2025 is before the first day of the work: is its year right?'],
      ['2027-05-15', 'The pay date 15 May 2027 is more than three months after the work'],
    ] as const)
      expect(await checked({ people }, '--pay-date', date)).toMatchObject(endedWith(2, says))
  })

  test.each(['SAMPLE, Ann1', 'Mrs Ann1 Sample', 'Sample Ann1'])(
    'A payslip without a reference is that of the person whom it calls %s',
    async (subcontractorName) => {
      const own = slip('1', 5, { subcontractorRef: undefined, subcontractorName, gross: -20 })
      const of = { people, paid: [own, ...paid.slice(1)] }
      const run = await checked(of, '--only', 'payslip-amount', '--only', 'never-paid')
      expect(run.json()).toMatchObject([{ rule: 'payslip-amount', reference: 'UK-1' }])
    },
  )

  test('Of people in a country that is not asked for nothing is said', async () => {
    const irish = { reference: 'IE-1', place: 'ireland' as const, forename: 'Una' }
    const of = {
      people: [...people, irish],
      sheets: [sheet({ of: 'UK-2', rates: [{ rateId: 'none', units: '1' }] } as never)],
      paid: [
        ...[slip('1', 5, { gross: undefined }), slip('2', 5), slip('3', 1), slip('9', 5)],
        slip('1', 20, { subcontractorRef: 'IE-1', taxYear: '2026' }),
      ],
    }
    const notes = async (flag: string) => (await checked(of, flag)).err.match(/^Note: .*/gm)
    expect(await notes('--ireland')).toEqual(null)
    expect(await notes('--uk')).toHaveLength(4)
  })

  test('Payslips of nobody who is in the list are said not to be judged', async () => {
    const of = { people, paid: [...paid, slip('9', 5, { subcontractorName: 'Gus Ghost' }), slip('8', 1)] }
    const { err } = await checked(of)
    expect(err).toContain(
      'the last payslips of Gus Ghost (UK-9) were not checked: no person has that reference or name.',
    )
  })

  test('Payslips of nobody in the list are said not to be judged where there are no others', async () => {
    const of = { people, paid: [slip('9', 5, { subcontractorName: 'Gus Ghost' })] }
    const { err } = await checked(of, '--only', 'payslip-twice')
    expect(err).toContain('the last payslips of Gus Ghost (UK-9) were not checked')
    expect((await checked(of, '--ireland')).err).not.toContain('Gus Ghost')
  })

  test('The last payslip of somebody who left is judged, and one of months before those of others is none', async () => {
    const left = { reference: 'UK-5', fields: { dateLeft: '2026-04-10' } }
    const of = {
      people: [...people, left, { reference: 'UK-4' }],
      paid: [...paid, slip('5', 5), slip('5', 5), slip('4', 40, { taxYear: '2025/26', gross: 0 })],
    }
    const run = await checked(of, '--only', 'payslip-twice', '--only', 'payslip-amount')
    expect(run.json()).toMatchObject([{ rule: 'payslip-twice', reference: 'UK-5' }])
  })

  test('Payslips of somebody who moved to another country are none of the new job', async () => {
    const irish = slip('3', 5, { taxYear: '2026', gross: -20 })
    const run = await checked({ people, paid: [...paid.slice(0, 2), irish] })
    const found = run.json().map(({ rule, reference }: Record<string, string>) => `${rule} ${reference}`)
    expect(found).toContain('never-paid UK-3')
    expect(found).not.toContain('payslip-amount UK-3')
  })
})

test('People who left are named as not checked where the timesheets cannot be read that say whether they are paid', async () => {
  const left = { reference: 'UK-2', fields: { ...noAccount, dateLeft: '2026-04-10' } }
  const run = await checked({ people: [{}, left], sheets: null }, '--only', 'no-bank')
  expect(run.err).toContain('1 person who left was not checked: ')
  const all = await checked({ people: [{}, left], sheets: null })
  expect(all.err).toMatch(/no-rate,.* were not checked: [\s\S]*1 person who left was not checked: /)
})

test('Each rule has a sentence and a source', async () => {
  for (const { sentence, source } of (await payroll(['check', 'rules', '--json'])).json()) {
    expect(sentence).toMatch(/^[A-Z].*\.$/s)
    expect(source.length).toBeGreaterThan(10)
  }
})

test('A rule names the fields that it needs in any country, where countries differ in them', async () => {
  const [taxDetails] = (await payroll(['check', 'rules', '--only', 'tax-details', '--json'])).json()
  const needed = ['taxCode', 'niCategory', 'ppsNumber', 'prsiEeClasses']
  expect(taxDetails.needs).toEqual(needed.map((name) => `payrollSetting.${name}`))
})

test('A rule whose facts have run out says nothing of anybody, which is said, and is exit 10 where it was asked for', async () => {
  vi.setSystemTime(Date.parse('2031-05-10T12:00:00Z'))
  const people = [{ fields: { nationality: 'British', documentExpiryDate: '2030-01-01' } }]
  const words = ['--week-ending', '2031-05-10']
  const says = 'payroll has no fact free-to-work for 10 May 2031 in the UK'
  const all = await checked({ people }, ...words)
  expect([all.err, all.json().map(({ rule }: { rule: string }) => rule)]).toEqual([
    expect.stringContaining(says),
    expect.not.arrayContaining(['document-expired']),
  ])
  expect(await checked({ people }, ...words, '--only', 'document-expired')).toMatchObject(endedWith(10, says))
})

test('says that My Future Fund is not checked, where somebody is paid in Ireland', async () => {
  const says = 'My Future Fund (Ireland) was not checked'
  expect((await checked(irish({}))).err).toContain(says)
  expect((await checked(one())).err).not.toContain(says)
})

test.each([
  [
    'the wage of a day',
    one({ rateHour: 5 }),
    '2027-04-07',
    'below-minimum was not checked in full: payroll has no fact minimum-wage for 1 April 2027 in the UK (to add it: payroll help facts import)',
  ],
  [
    'the last days of an Irish week',
    {
      people: [{ place: 'ireland' as const }],
      sheets: [sheet({ hourly: 14.15, startDate: '2026-12-28', endDate: '2027-01-03' })],
    },
    '2027-01-03',
    'below-minimum was not checked in full: payroll has no fact minimum-wage for 3 January 2027 in Ireland',
  ],
  [
    'the relief of a letter',
    one({ niCategory: 'V' }),
    '2027-04-25',
    'ni-letter was not checked in full: payroll has no fact employer-costs for 25 April 2027 in the UK',
  ],
  [
    'the pay of class J',
    irish({ prsiEeClasses: 'J0' }),
    '2027-01-31',
    'prsi-class was not checked in full: payroll has no fact prsi-bands for 31 January 2027 in Ireland',
  ],
])('says where a fact is not known for %s, and uses no older one', async (_, of, on, says) => {
  vi.setSystemTime(Date.parse(`${on}T12:00:00Z`))
  const { json, err } = await checked(of, '--week-ending', on)
  expect(err).toContain(says)
  expect(json().map(({ rule }: { rule: string }) => rule)).not.toContain(says.split(' ')[0])
  // What is not asked is not missing.
  const other = await checked(one(), '--week-ending', '2026-05-10')
  expect(other.err).not.toContain('payroll has no fact')
})

test('A rule names each fact that it asks for', async () => {
  vi.setSystemTime(Date.parse('2046-05-10T12:00:00Z'))
  const fields = {
    ...{ nationality: 'Indian', documentExpiryDate: '2040-01-01', postponementEndDate: '2040-01-01' },
    ...{ niCategory: 'V', paymentModel: 'PAYEE', margin: 20, holidayPayMethod: 'ROLLED_UP', taxCode: 'BR' },
    ...{ prsiEeClasses: 'J0', yearlyRateCutOff: '4400.00', starterDeclaration: 'A' },
  }
  const on = { startDate: '2046-05-04', endDate: '2046-05-10' }
  const of = {
    people: [{ fields }, { place: 'ireland' as const, reference: 'IE-1', fields }],
    sheets: [sheet(on), sheet({ of: 'IE-1', ...on })],
  }
  const named: { rule: string; facts: string[] }[] = (await payroll(['check', 'rules', '--json'])).json()
  const { err } = await checked(of, '--week-ending', '2046-05-10')
  const lacked = [
    ...err.matchAll(/^Note: (.*) (?:was|were) not checked in full: payroll has no fact (\S+)/gm),
  ]
  expect(lacked.length).toBeGreaterThan(6)
  for (const [, rules = '', fact] of lacked)
    for (const rule of rules.split(/, | and /))
      expect([rule, named.find((each) => each.rule === rule)?.facts]).toEqual([
        rule,
        expect.arrayContaining([fact]),
      ])
})

describe('the facts of the law', () => {
  test('of one name and country do not overlap, and each has a last day, a source, and a day on which it was read', () => {
    for (const [at, fact] of facts.entries()) {
      const days = [fact.from, fact.until, fact.looked]
      expect(days).toEqual(days.map(() => expect.stringMatching(/^\d{4}-\d\d-\d\d$/)))
      expect([fact.from < fact.until, fact.source.length > 5]).toEqual([true, true])
      const others = facts
        .slice(0, at)
        .filter(({ name, country }) => name === fact.name && country === fact.country)
      for (const other of others) expect(other.until < fact.from).toBe(true)
    }
  })

  test.each([
    ['uk', '2024-03-31'],
    ['uk', '2027-04-01'],
    ['ireland', '2023-12-31'],
    ['ireland', '2027-01-01'],
  ] as const)('have no minimum wage in %s on %s', async (place, on) => {
    const { code } = await checked(
      { people: [{ place, fields: { dateOfJoining: '2020-01-06' } }] },
      '--week-ending',
      dayAfter(on, 6),
      '--only',
      'below-minimum',
    )
    expect(code).toBe(10)
  })
})
