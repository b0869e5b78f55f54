import { describe, expect, test } from 'vitest'
import { countries } from '../../src/api/contract/countries/countries.ts'
import { employerCosts, minimumWageOn, minimumWages, rateAtAge } from '../../src/check/minimum-pay.ts'
import type { Payroll, Person, Timesheet } from '../../src/check/payroll.ts'
import { personByReference } from '../../src/check/read-payroll.ts'
import { type RuleId, ruleIds, ruleOf, rules, weekEnding } from '../../src/check/rules.ts'
import { keyOf, nameKey } from '../../src/import/natural-key.ts'
import type { Json } from '../../src/json/path.ts'

/** The day of every example, and the week that ends then. */
const day = '2026-05-10'
const week = { first: '2026-05-04', last: day }

/** A person without a fault, who is paid in the UK; `place: 'ireland'` in Ireland. */
interface Example {
  readonly place?: 'uk' | 'ireland'
  readonly reference?: string
  readonly forename?: string
  readonly surname?: string
  readonly DOB?: string
  readonly number?: string
  /** By the last name of the field; `null` empties it. */
  readonly fields?: Readonly<Record<string, Json>>
}

const sections = {
  bankSetting: { sortCode: '601613', accountNumber: '31926819', IBANReference: null, SWIFTNo: null },
  payrollSetting: {
    paymentModel: 'PAYEE',
    taxCode: '1257L',
    niCategory: 'A',
    starterDeclaration: null,
    margin: null,
    isApprentice: null,
    holidayPayRate: 12.07,
    ppsNumber: '0000001TA',
    prsiEeClasses: 'A1',
  },
  generalSetting: {
    payMethod: 'BACS',
    rateHour: 20,
    annualSalary: null,
    hours: 37.5,
    payFrequency: 'WEEKLY',
    dateOfJoining: '2026-04-06',
    documentExpiryDate: null,
    documentType: null,
    nationality: 'British',
    rightToWorkStatus: null,
    NINumber: 'QQ123401B',
    workingTimeRegulation: 'OPT_IN',
  },
} as const

function person({ place = 'uk', fields = {}, ...who }: Example): Person {
  const { reference = 'UK-1', forename = 'Ann', surname = 'Sample', DOB = '1990-01-01', number } = who
  const values = new Map<string, Json>()
  const put = (path: string, value: Json) => void (value === null || values.set(path, value))
  for (const [section, own] of Object.entries(sections))
    for (const [name, value] of Object.entries({ ...own }))
      put(`${section}.${name}`, name in fields ? fields[name] : value)
  put('generalSetting.pensionSetting.postponementEndDate', fields.postponementEndDate ?? null)
  for (const name of ['dateLeft', 'status']) put(name, fields[name] ?? null)
  put('generalSetting.DOB', DOB === '' ? null : DOB)
  const country = countries.find(({ id }) => id === place)
  if (!country) throw new Error('no such country')
  return {
    country,
    id: `id-${reference}`,
    reference,
    forename,
    surname,
    name: `${forename} ${surname}`,
    birthday: DOB === '' ? undefined : DOB,
    number: number ?? `${reference}12345`,
    values,
  }
}

function sheet({
  of = 'UK-1',
  hourly = 20,
  hours = 37.5,
  ...days
}: Partial<Timesheet> & { of?: string; hourly?: number; hours?: number } = {}): Timesheet {
  return { id: 'sheet', reference: of, ...week, lines: [{ hourly, hours }], ...days }
}

function payrollOf(
  people: readonly Person[],
  sheets: readonly Timesheet[],
  paid: readonly string[],
): Payroll {
  const timesheets = new Map<string, Timesheet[]>()
  for (const each of sheets)
    timesheets.set(keyOf(each.reference), [...(timesheets.get(keyOf(each.reference)) ?? []), each])
  const paths = Object.entries(sections).flatMap(([section, own]) =>
    Object.keys(own).map((name) => `${section}.${name}`),
  )
  const besides = ['dateLeft', 'generalSetting.DOB', 'generalSetting.pensionSetting.postponementEndDate']
  const shown = new Set([...paths, ...besides])
  return {
    day,
    today: day,
    week: weekEnding(day),
    people,
    byReference: personByReference(people),
    countries: new Set(['uk', 'ireland']),
    shown: { uk: shown, ireland: shown },
    timesheets,
    paid: new Set(paid),
  }
}

interface Case {
  readonly people: readonly Example[]
  readonly sheets?: readonly Timesheet[]
  readonly paid?: readonly string[]
}

/** What is seen of a case, nothing where it is fine; and how severe it is, where that is no matter of the rule alone. */
type Row = readonly [of: Case, sees?: string, severity?: 'likely-wrong' | 'look']

/** One person with these fields. */
const one = (
  fields: Readonly<Record<string, Json>> = {},
  more: Example = {},
  sheets: Case['sheets'] = [],
): Case => ({
  people: [{ ...more, fields }],
  sheets,
})
const irish = (fields: Readonly<Record<string, Json>>, more: Example = {}) =>
  one(fields, { place: 'ireland', ...more })
const two = (first: Example, second: Example): Case => ({ people: [first, second] })
const noAccount = { sortCode: null, accountNumber: null }
const theIban = 'GB29NWBK60161331926819'
const theWeek = 'timesheet from 2026-05-04 to 2026-05-10'
const optedIn = `${theWeek}; Working Time Regulations: OPT_IN`
const lasting = "employer's NI £65.72 + levy £2.67 + pension £12.42 + margin £25.00) ÷ 37.5 hours = £17.07"

/**
 * A rule without its examples does not compile: first what is fine, then what is wrong, then what looks wrong and is right,
 * or looks right and is wrong.
 */
const examples: Readonly<Record<RuleId, readonly [Row, Row, Row, ...(readonly Row[])]>> = {
  'no-bank': [
    [one()],
    [one(noAccount), 'paid by BACS, and no sort code, account number or IBAN'],
    [one({ ...noAccount, payMethod: 'CHEQUE' })],
    [one({ ...noAccount, IBANReference: theIban })],
    [one({ accountNumber: null }), 'paid by BACS, and no account number'],
    [one({ ...noAccount, dateLeft: '2026-05-01' })],
  ],
  'no-tax-basis': [
    [one()],
    [one({ taxCode: null, niCategory: null }), 'no tax code and no starter statement; no NI category'],
    [one({ taxCode: null, starterDeclaration: 'A' })],
    [one({ taxCode: null, niCategory: null, paymentModel: 'CIS' })],
    [
      irish({ ppsNumber: null, prsiEeClasses: null }),
      'no PPS number, which means emergency tax; no PRSI class',
    ],
    [irish({ taxCode: null, niCategory: null })],
  ],
  'no-rate': [
    [one({ rateHour: null, annualSalary: 30_000 })],
    [one({ rateHour: 0 }), 'no hourly rate, no salary, and no timesheet'],
    [one({ rateHour: null }, {}, [sheet()])],
    [
      one({ rateHour: null }, {}, [sheet({ hourly: 0 })]),
      'no hourly rate, no salary, and no rate on the timesheet',
    ],
  ],
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
  'no-ni-number': [
    [one()],
    [one({ NINumber: null }), 'no National Insurance number'],
    [irish({ NINumber: null })],
  ],
  'bank-number': [
    [one({ IBANReference: theIban, SWIFTNo: 'NWBKGB2L' })],
    [
      one({ accountNumber: '3192681' }),
      'account number: one digit is missing: there are 7, and an account number has 8',
    ],
    [one({ accountNumber: '****6819' })],
    [
      irish({ IBANReference: 'IE29AIBK93115212345679', ...noAccount }),
      'IBAN: the check digits do not fit: a character is wrong, or two have changed places',
    ],
    [one({ sortCode: '60-16-13', accountNumber: '3192 6819' })],
  ],
  'same-number': [
    [two({ number: 'QQ123401' }, { reference: 'UK-2', forename: 'Bea', number: 'QQ123402' })],
    [
      two({ number: 'QQ123401' }, { reference: 'UK-2', forename: 'Bea', number: 'QQ123401' }),
      'the same National Insurance number as Ann Sample (UK-1)',
    ],
    [two({ number: 'QQ123401' }, { reference: 'IE-1', place: 'ireland', number: 'QQ123401' })],
  ],
  'same-person': [
    [two({}, { reference: 'UK-2', DOB: '1991-01-01' })],
    [two({}, { reference: 'UK-2' }), 'the name and the date of birth of UK-1'],
    [two({}, { reference: 'IE-1', place: 'ireland' })],
    [two({}, { reference: 'UK-2', forename: 'ANN' }), 'the name and the date of birth of UK-1'],
  ],
  'after-leaving': [
    [one({ dateLeft: '2026-05-31' }, {}, [sheet()])],
    [one({ dateLeft: '2026-05-03' }, {}, [sheet()]), `left on 2026-05-03; ${theWeek}`],
    [one({ dateLeft: '2026-05-04' }, {}, [sheet()])],
  ],
  'before-start': [
    [one({}, {}, [sheet()])],
    [one({ dateOfJoining: '2026-05-11' }, {}, [sheet()]), `starts on 2026-05-11; ${theWeek}`],
    [one({ dateOfJoining: '2026-05-10' }, {}, [sheet()])],
  ],
  'too-many-hours': [
    [one({}, {}, [sheet({ hours: 60 })])],
    [one({}, {}, [sheet({ hours: 85 })]), `85 hours; ${optedIn}`, 'likely-wrong'],
    [one({}, {}, [sheet({ hours: 40 }), sheet({ hours: 21 })]), `61 hours; ${optedIn}`, 'look'],
    [one({}, {}, [sheet({ hours: 160, first: '2026-04-13' })])],
  ],
  'below-minimum': [
    [one({ rateHour: 12.71 })],
    [one({ rateHour: 12.7 }), 'hourly rate: £12.70 is below the minimum of £12.71 at 36', 'likely-wrong'],
    [one({ rateHour: 10.85 }, { DOB: '2006-05-10' })],
    // Euros are held against the Irish table alone.
    [irish({ rateHour: 12.71 }), 'hourly rate: €12.71 is below the minimum of €14.15 at 36', 'likely-wrong'],
    [irish({ rateHour: 12.74 }, { DOB: '2006-05-11' })],
    [
      one({ rateHour: 12 }, { DOB: '' }),
      'hourly rate: £12.00 is below the minimum of £12.71 of an adult: the date of birth is not known',
      'look',
    ],
    [one({ rateHour: 8, isApprentice: true }, { DOB: '2008-06-01' })],
    [
      one({ rateHour: 8, isApprentice: true }, { DOB: '2006-05-10' }),
      'hourly rate: £8.00 is below the minimum of £10.85: right for an apprentice in the first year alone, or under 19',
      'look',
    ],
    [
      one({ rateHour: 17.06, margin: 25 }),
      `hourly rate: £17.06 is less than an assignment has to bring for £12.71: (pay with 12.07% holiday £534.15 + ${lasting}`,
      'look',
    ],
    [one({ rateHour: 17.07, margin: 25 })],
    [one({ rateHour: 9, paymentModel: 'CIS' })],
  ],
  'document-expired': [
    [one({ documentExpiryDate: '2027-01-01' })],
    [one({ documentExpiryDate: '2026-05-09' }), 'expired on 2026-05-09'],
    [one({ documentExpiryDate: day })],
  ],
  'document-expires': [
    [one({ documentExpiryDate: '2026-06-10' })],
    [one({ documentExpiryDate: '2026-06-09' }), 'expires on 2026-06-09'],
    [one({ documentExpiryDate: '2026-05-09' })],
  ],
  'no-document-date': [
    [one({ nationality: 'Indian', documentExpiryDate: '2027-01-01' })],
    [one({ nationality: 'Indian' }), 'no document (Indian)'],
    [one({ nationality: null, rightToWorkStatus: 'IRISH_CITIZEN' })],
    [
      one({ nationality: null, documentType: 'BIOMETRIC_RESIDENCE_PERMIT' }),
      'BIOMETRIC_RESIDENCE_PERMIT without a day on which it expires',
    ],
  ],
  'shared-account': [
    [two({}, { reference: 'UK-2', surname: 'Other', fields: { accountNumber: '12345678' } })],
    [two({}, { reference: 'UK-2', surname: 'Other' }), 'one account with Ann Other (UK-2)'],
    [two({}, { reference: 'UK-2', forename: 'Bea' })],
    [
      two({}, { reference: 'UK-2', surname: 'Other', fields: { ...noAccount, IBANReference: theIban } }),
      'one account with Ann Other (UK-2)',
    ],
  ],
  'postponement-ends': [
    [one({ postponementEndDate: '2026-05-25' })],
    [one({ postponementEndDate: '2026-05-24T00:00:00.000Z' }), 'postponed until 2026-05-24'],
    [one({ postponementEndDate: '2026-05-09' })],
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
    [one(), 'started on 2026-04-06, and has no payslip'],
    [one({ payFrequency: 'MONTHLY' })],
    [{ people: [{ forename: 'Áine', surname: "O'Sample" }], paid: ['aine o’sample'] }],
  ],
}

describe.each(ruleIds)('the rule %s', (id) => {
  const cases = examples[id].map(([of, sees = 'nothing', severity]) => ({ ...of, sees, severity }))

  test.each(cases)(
    'sees $sees of $people and $sheets',
    ({ people, sheets = [], paid = [], sees, severity }) => {
      const payroll = payrollOf(people.map(person), sheets, paid.map(nameKey))
      const seen = [...ruleOf(id).find(payroll, (text) => expect(text).toBe('no remark'))]
      expect(seen.map((each) => each.seen)).toEqual(sees === 'nothing' ? [] : [sees])
      if (severity) expect(seen[0]?.severity ?? ruleOf(id).severity).toBe(severity)
    },
  )

  test('has a sentence and a source', () => {
    const { sentence, source } = rules[id]
    expect(sentence).toMatch(/^[A-Z].*\.$/s)
    expect(source.length).toBeGreaterThan(10)
  })
})

test('A minimum wage that is not known for a day is said, and no older one is used', () => {
  const payroll = { ...payrollOf([person({ fields: { rateHour: 5 } })], [], []), day: '2027-04-01' }
  const remarks: string[] = []
  expect([...rules['below-minimum'].find(payroll, (text) => remarks.push(text))]).toEqual([])
  expect(remarks).toEqual(['no minimum wage is known for 2027-04-01 in the UK: pay was not held against it'])
})

test('check does not report a field as missing that the service shows for no person', () => {
  const whole = payrollOf([person({ fields: { ...noAccount, taxCode: null, niCategory: null } })], [], [])
  const payroll = { ...whole, shown: { uk: new Set<string>(), ireland: new Set<string>() } }
  for (const id of ['no-bank', 'no-tax-basis', 'no-ni-number'] as const)
    expect([...ruleOf(id).find(payroll, () => {})]).toEqual([])
})

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
    // Of these days nothing is known.
    ['uk', '2024-03-31', 40, undefined],
    ['uk', '2027-04-01', 40, undefined],
    ['ireland', '2023-12-31', 40, undefined],
    ['ireland', '2027-01-01', 40, undefined],
  ] as const)('in %s on %s at %s is %s', (country, day, age, rate) => {
    const wage = minimumWageOn(country, day)
    expect(wage && rateAtAge(wage, age)).toBe(rate)
  })
})

test('The costs of an employer have a last day each, and do not overlap', () => {
  for (const [at, { from, until }] of employerCosts.entries()) {
    expect(from < until).toBe(true)
    expect(from > (employerCosts[at - 1]?.until ?? '')).toBe(true)
  }
})
