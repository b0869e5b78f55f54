import { describe, expect, test } from 'vitest'
import { countries } from '../../src/api/contract/countries/countries.ts'
import type { Payroll, Person, Timesheet } from '../../src/check/payroll.ts'
import { personByReference } from '../../src/check/read-payroll.ts'
import { nameKey, type RuleId, ruleIds, ruleOf, rules, weekEnding } from '../../src/check/rules.ts'
import { keyOf } from '../../src/import/natural-key.ts'
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
  const shown = new Set([
    ...paths,
    'dateLeft',
    'generalSetting.DOB',
    'generalSetting.pensionSetting.postponementEndDate',
  ])
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
  readonly people?: readonly Example[]
  readonly sheets?: readonly Timesheet[]
  readonly paid?: readonly string[]
  /** What is seen; nothing where it is fine. */
  readonly sees?: string
  readonly severity?: string
}

const withFields = (fields: Readonly<Record<string, Json>>, more: Example = {}): Case => ({
  people: [{ ...more, fields }],
})
const noAccount = { sortCode: null, accountNumber: null }

/** A rule without its examples does not compile. `nearly`: what looks wrong and is right, or looks right and is wrong. */
const examples: Readonly<Record<RuleId, { fine: Case; wrong: Case; nearly: Case; more?: readonly Case[] }>> =
  {
    'no-bank': {
      fine: withFields({}),
      wrong: { ...withFields(noAccount), sees: 'paid by BACS, and no sort code, account number or IBAN' },
      nearly: withFields({ ...noAccount, payMethod: 'CHEQUE' }),
      more: [
        withFields({ ...noAccount, IBANReference: 'GB29NWBK60161331926819' }),
        { ...withFields({ accountNumber: null }), sees: 'paid by BACS, and no account number' },
        withFields({ ...noAccount, dateLeft: '2026-05-01' }),
      ],
    },
    'no-tax-basis': {
      fine: withFields({}),
      wrong: {
        ...withFields({ taxCode: null, niCategory: null }),
        sees: 'no tax code and no starter statement; no NI category',
      },
      nearly: withFields({ taxCode: null, starterDeclaration: 'A' }),
      more: [
        withFields({ taxCode: null, niCategory: null, paymentModel: 'CIS' }),
        {
          ...withFields({ ppsNumber: null, prsiEeClasses: null }, { place: 'ireland' }),
          sees: 'no PPS number, which means emergency tax; no PRSI class',
        },
        withFields({ taxCode: null, niCategory: null }, { place: 'ireland' }),
      ],
    },
    'no-rate': {
      fine: withFields({ rateHour: null, annualSalary: 30_000 }),
      wrong: { ...withFields({ rateHour: 0 }), sees: 'no hourly rate, no salary, and no timesheet' },
      nearly: { ...withFields({ rateHour: null }), sheets: [sheet()] },
      more: [
        {
          ...withFields({ rateHour: null }),
          sheets: [sheet({ hourly: 0 })],
          sees: 'no hourly rate, no salary, and no rate on the timesheet',
        },
      ],
    },
    'unknown-person': {
      fine: { people: [{}], sheets: [sheet()] },
      wrong: {
        people: [{}],
        sheets: [sheet({ of: 'UK-9' })],
        sees: 'timesheet from 2026-05-04 to 2026-05-10 is for UK-9, which is the reference of no person',
      },
      nearly: { people: [{}], sheets: [sheet({ of: 'uk-1' })] },
    },
    'same-reference': {
      fine: { people: [{}, { reference: 'UK-2' }] },
      wrong: { people: [{}, { forename: 'Bea' }], sees: 'Ann Sample has the reference UK-1 too' },
      nearly: {
        people: [{}, { reference: 'uk-1', forename: 'Bea' }],
        sees: 'Ann Sample has the reference UK-1 too',
      },
    },
    'no-ni-number': {
      fine: withFields({}),
      wrong: { ...withFields({ NINumber: null }), sees: 'no National Insurance number' },
      nearly: withFields({ NINumber: null }, { place: 'ireland' }),
    },
    'bank-number': {
      fine: withFields({ IBANReference: 'GB29NWBK60161331926819', SWIFTNo: 'NWBKGB2L' }),
      wrong: {
        ...withFields({ accountNumber: '3192681' }),
        sees: 'account number: one digit is missing: there are 7, and an account number has 8',
      },
      nearly: withFields({ accountNumber: '****6819' }),
      more: [
        {
          ...withFields({ IBANReference: 'IE29AIBK93115212345679', ...noAccount }, { place: 'ireland' }),
          sees: 'IBAN: the check digits do not fit: a character is wrong, or two have changed places',
        },
        withFields({ sortCode: '60-16-13', accountNumber: '3192 6819' }),
      ],
    },
    'same-number': {
      fine: { people: [{ number: 'QQ123401' }, { reference: 'UK-2', forename: 'Bea', number: 'QQ123402' }] },
      wrong: {
        people: [{ number: 'QQ123401' }, { reference: 'UK-2', forename: 'Bea', number: 'QQ123401' }],
        sees: 'the same National Insurance number as Ann Sample (UK-1)',
      },
      nearly: {
        people: [{ number: 'QQ123401' }, { reference: 'IE-1', place: 'ireland', number: 'QQ123401' }],
      },
    },
    'same-person': {
      fine: { people: [{}, { reference: 'UK-2', DOB: '1991-01-01' }] },
      wrong: { people: [{}, { reference: 'UK-2' }], sees: 'the name and the date of birth of UK-1' },
      nearly: { people: [{}, { reference: 'IE-1', place: 'ireland' }] },
      more: [
        {
          people: [{}, { reference: 'UK-2', forename: 'ANN' }],
          sees: 'the name and the date of birth of UK-1',
        },
      ],
    },
    'after-leaving': {
      fine: { ...withFields({ dateLeft: '2026-05-31' }), sheets: [sheet()] },
      wrong: {
        ...withFields({ dateLeft: '2026-05-03' }),
        sheets: [sheet()],
        sees: 'left on 2026-05-03; timesheet from 2026-05-04 to 2026-05-10',
      },
      nearly: { ...withFields({ dateLeft: '2026-05-04' }), sheets: [sheet()] },
    },
    'before-start': {
      fine: { people: [{}], sheets: [sheet()] },
      wrong: {
        ...withFields({ dateOfJoining: '2026-05-11' }),
        sheets: [sheet()],
        sees: 'starts on 2026-05-11; timesheet from 2026-05-04 to 2026-05-10',
      },
      nearly: { ...withFields({ dateOfJoining: '2026-05-10' }), sheets: [sheet()] },
    },
    'too-many-hours': {
      fine: { people: [{}], sheets: [sheet({ hours: 60 })] },
      wrong: {
        people: [{}],
        sheets: [sheet({ hours: 85 })],
        sees: '85 hours; timesheet from 2026-05-04 to 2026-05-10; Working Time Regulations: OPT_IN',
        severity: 'likely-wrong',
      },
      nearly: {
        people: [{}],
        sheets: [sheet({ hours: 40 }), sheet({ hours: 21 })],
        sees: '61 hours; timesheet from 2026-05-04 to 2026-05-10; Working Time Regulations: OPT_IN',
        severity: 'look',
      },
      more: [{ people: [{}], sheets: [sheet({ hours: 160, first: '2026-04-13' })] }],
    },
    'below-minimum': {
      fine: withFields({ rateHour: 12.71 }),
      wrong: {
        ...withFields({ rateHour: 12.7 }),
        sees: 'hourly rate: £12.70 is below the minimum of £12.71 at 36',
        severity: 'likely-wrong',
      },
      nearly: withFields({ rateHour: 10.85 }, { DOB: '2006-05-10' }),
      more: [
        // Euros are held against the Irish table alone.
        {
          ...withFields({ rateHour: 12.71 }, { place: 'ireland' }),
          sees: 'hourly rate: €12.71 is below the minimum of €14.15 at 36',
          severity: 'likely-wrong',
        },
        withFields({ rateHour: 12.74 }, { place: 'ireland', DOB: '2006-05-11' }),
        {
          ...withFields({ rateHour: 12 }, { DOB: '' }),
          sees: 'hourly rate: £12.00 is below the minimum of £12.71 of an adult: the date of birth is not known',
          severity: 'look',
        },
        withFields({ rateHour: 8, isApprentice: true }, { DOB: '2008-06-01' }),
        {
          ...withFields({ rateHour: 8, isApprentice: true }, { DOB: '2006-05-10' }),
          sees: 'hourly rate: £8.00 is below the minimum of £10.85: right for an apprentice in the first year alone, or under 19',
          severity: 'look',
        },
        {
          ...withFields({ rateHour: 17.06, margin: 25 }),
          sees: "hourly rate: £17.06 is less than an assignment has to bring for £12.71: (pay with 12.07% holiday £534.15 + employer's NI £65.72 + levy £2.67 + pension £12.42 + margin £25.00) ÷ 37.5 hours = £17.07",
          severity: 'look',
        },
        withFields({ rateHour: 17.07, margin: 25 }),
        withFields({ rateHour: 9, paymentModel: 'CIS' }),
      ],
    },
    'document-expired': {
      fine: withFields({ documentExpiryDate: '2027-01-01' }),
      wrong: { ...withFields({ documentExpiryDate: '2026-05-09' }), sees: 'expired on 2026-05-09' },
      nearly: withFields({ documentExpiryDate: day }),
    },
    'document-expires': {
      fine: withFields({ documentExpiryDate: '2026-06-10' }),
      wrong: { ...withFields({ documentExpiryDate: '2026-06-09' }), sees: 'expires on 2026-06-09' },
      nearly: withFields({ documentExpiryDate: '2026-05-09' }),
    },
    'no-document-date': {
      fine: withFields({ nationality: 'Indian', documentExpiryDate: '2027-01-01' }),
      wrong: { ...withFields({ nationality: 'Indian' }), sees: 'no document (Indian)' },
      nearly: withFields({ nationality: null, rightToWorkStatus: 'IRISH_CITIZEN' }),
      more: [
        {
          ...withFields({ nationality: null, documentType: 'BIOMETRIC_RESIDENCE_PERMIT' }),
          sees: 'BIOMETRIC_RESIDENCE_PERMIT without a day on which it expires',
        },
      ],
    },
    'shared-account': {
      fine: { people: [{}, { reference: 'UK-2', surname: 'Other', fields: { accountNumber: '12345678' } }] },
      wrong: {
        people: [{}, { reference: 'UK-2', surname: 'Other' }],
        sees: 'one account with Ann Other (UK-2)',
      },
      nearly: { people: [{}, { reference: 'UK-2', forename: 'Bea' }] },
      more: [
        {
          people: [
            {},
            {
              reference: 'UK-2',
              surname: 'Other',
              fields: { ...noAccount, IBANReference: 'GB29NWBK60161331926819' },
            },
          ],
          sees: 'one account with Ann Other (UK-2)',
        },
      ],
    },
    'postponement-ends': {
      fine: withFields({ postponementEndDate: '2026-05-25' }),
      wrong: {
        ...withFields({ postponementEndDate: '2026-05-24T00:00:00.000Z' }),
        sees: 'postponed until 2026-05-24',
      },
      nearly: withFields({ postponementEndDate: '2026-05-09' }),
    },
    'no-timesheet': {
      fine: { people: [{}], sheets: [sheet()] },
      wrong: { people: [{}], sees: 'no timesheet from 2026-05-04 to 2026-05-10' },
      nearly: withFields({ rateHour: null, annualSalary: 30_000 }),
      more: [withFields({ dateLeft: '2026-05-03' }), withFields({ dateOfJoining: '2026-05-11' })],
    },
    'never-paid': {
      fine: { people: [{}], paid: ['Ann Sample'] },
      wrong: { people: [{}], sees: 'started on 2026-04-06, and has no payslip' },
      nearly: withFields({ payFrequency: 'MONTHLY' }),
      more: [{ people: [{ forename: 'Áine', surname: "O'Sample" }], paid: ['aine o’sample'] }],
    },
  }

describe.each(ruleIds)('the rule %s', (id) => {
  const { fine, wrong, nearly, more = [] } = examples[id]
  const cases = [fine, wrong, nearly, ...more].map((each) => ({ ...each, sees: each.sees ?? 'nothing' }))

  test.each(cases)(
    'sees $sees of $people and $sheets',
    ({ people = [], sheets = [], paid = [], sees, severity }) => {
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
