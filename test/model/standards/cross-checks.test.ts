import { describe, expect, test } from 'vitest'
import { anything } from '../../../src/model/fields/field.ts'
import { candidate } from '../../../src/model/resources/uk-candidate.ts'
import { warnings } from '../../../src/model/standards/warnings.ts'

/** Declares no field, so that only the checks that hold fields against each other have a remark. */
const undeclared = { ...candidate, fields: { payrollSetting: anything('Payroll') } }

type Part = Record<string, unknown>

const today = '2026-06-15'
const bornIn = (year: number) => ({ DOB: `${year}-01-31` })
const general = (generalSetting: Part, payrollSetting: Part = {}) => ({ generalSetting, payrollSetting })
const payroll = (payrollSetting: Part) => ({ payrollSetting })
const at = (day: string) => `${day}T00:00:00.000Z`
const paths = (body: Record<string, unknown>) => warnings(undeclared, body, today).map(({ path }) => path)

const gb = 'GB29NWBK60161331926819'
const ie = 'IE29AIBK93115212345678'
const de = 'DE89370400440532013000'

const ukBank = { sortCode: '60-16-13', accountNumber: '31926819', IBANReference: gb, SWIFTNo: 'NWBKGB2L' }
const ukPayroll = { niCategory: 'A', taxCode: '1257L', starterDeclaration: 'A', isApprentice: false }
const irishBank = { IBANReference: ie, SWIFTNo: 'AIBKIE2D', isInternationalAccount: false }
const irishPayroll = {
  prsiEeClasses: 'A1',
  prsiExemption: '',
  annual_zeroPointFive: '12012',
  annual_two: '28700',
}
const woman = { ...bornIn(2003), gender: 'FEMALE', payrollCalculationStart: '2026-01-01' }

test.each([
  ['in the UK', { generalSetting: woman, bankSetting: ukBank, payrollSetting: ukPayroll }],
  ['in Ireland', { generalSetting: bornIn(1990), bankSetting: irishBank, payrollSetting: irishPayroll }],
  ['and are empty', {}],
  [
    'and something else is where a part belongs',
    { generalSetting: null, bankSetting: [], payrollSetting: 'x' },
  ],
  ['and something else is where a value belongs', payroll({ niCategory: 7, taxCode: null, annual_two: [] })],
])('a candidate whose fields fit together draws no remark, %s', (_, body) => {
  expect(warnings(undeclared, body, today)).toEqual([])
})

describe('the NI category letter', () => {
  test.each([...'FISLNEKD'])('%s asks for the workplace postcode', (niCategory) => {
    const of = (workplacePostcode: string) =>
      paths(general({ gender: 'FEMALE' }, { niCategory, workplacePostcode }))
    expect(of('')).toEqual(['payrollSetting.workplacePostcode'])
    expect(of('SW1A 1AA')).toEqual([])
  })

  test.each([...'ABCHJMVXZ'])('%s asks for no workplace postcode', (niCategory) => {
    expect(paths(payroll({ niCategory, isApprentice: true }))).toEqual([])
  })

  test.each(['B', 'I', 'E'])('%s is for married women', (niCategory) => {
    const of = (gender: string) => paths(general({ gender }, { niCategory, workplacePostcode: 'SW1A 1AA' }))
    expect(of('MALE')).toEqual(['payrollSetting.niCategory'])
    expect(of('FEMALE')).toEqual([])
    expect(of('')).toEqual([])
  })

  test('H asks whether it is an apprentice', () => {
    expect(paths(payroll({ niCategory: 'H' }))).toEqual(['payrollSetting.niCategory'])
    expect(paths(payroll({ niCategory: 'H', isApprentice: true }))).toEqual([])
  })
})

describe('the starter declaration', () => {
  const code = ['payrollSetting.taxCode']
  const basis = ['payrollSetting.taxBasis']

  test.each([
    ['A', '1257L', 'CUMULATIVE', []],
    ['A', 'S1257L', '', []],
    ['A', '1257L', 'W1M1', basis],
    ['A', 'BR', '', code],
    ['B', '1257L', 'W1M1', []],
    ['B', '1257L', 'CUMULATIVE', basis],
    ['B', 'CBR', 'W1M1', code],
    ['C', 'BR', '', []],
    ['C', 'SD0', '', []],
    ['C', '0T', '', []],
    ['C', '1257L', '', code],
    ['C', '', '', []],
    ['', '1257L', 'W1M1', []],
  ])(
    '%s with the tax code %j and the basis %j is remarked on at %j',
    (starterDeclaration, taxCode, taxBasis, expected) => {
      expect(paths(payroll({ starterDeclaration, taxCode, taxBasis }))).toEqual(expected)
    },
  )

  test('gives way to a P45', () => {
    expect(paths(payroll({ starterDeclaration: 'C', taxCode: '1257L', p45GrossToDate: 4000 }))).toEqual([])
    expect(paths(payroll({ starterDeclaration: 'C', taxCode: '1257L', p45GrossToDate: 0 }))).toEqual(code)
  })
})

describe('names', () => {
  const swapped = 'the account name has forename and surname the other way round'
  test.each([
    ['Jo Example', 'Example', 'generalSetting.forename', 'it has the surname in it too'],
    ['Jo', 'Jo Éxample', 'generalSetting.surname', 'it has the forename in it too'],
    ['Example', 'Jo', 'generalSetting.forename', swapped],
  ])(
    'that stand in the wrong field are doubted: forename %s, surname %s',
    (forename, surname, path, message) => {
      const body = { generalSetting: { forename, surname }, bankSetting: { accountName: 'JO EXAMPLE' } }
      expect(warnings(undeclared, body, today)).toEqual([{ path, message }])
    },
  )

  test('that only begin alike are fine', () => {
    expect(paths(general({ forename: 'Jo', surname: 'Joans' }))).toEqual([])
  })
})

describe('dates', () => {
  test('say who would start as a child', () => {
    expect(paths(general({ DOB: '2000-04-03', dateOfJoining: '2016-04-02' }))).toEqual([
      'generalSetting.dateOfJoining',
    ])
    expect(paths(general({ DOB: '2000-04-03', dateOfJoining: '2016-04-03' }))).toEqual([])
  })

  test('end after they start', () => {
    const of = (start: string, end: string) =>
      paths(general({ payrollCalculationStart: start, payrollCalculationEnd: end }))
    expect(of('2026-04-06', '2026-04-05')).toEqual(['generalSetting.payrollCalculationEnd'])
    expect(of('2026-04-06', '2026-04-06')).toEqual([])
    const [studentLoanPostGraStartDate, studentLoanPostGraEndDate] = [at('2026-04-06'), at('2026-04-05')]
    const loan = { studentLoanPostGraStartDate, studentLoanPostGraEndDate }
    expect(paths(payroll(loan))).toEqual(['payrollSetting.studentLoanPostGraEndDate'])
  })

  test('of two undergraduate loans do not overlap', () => {
    const loans = { studentLoanPlan1StartDate: at('2024-04-06'), studentLoanPlan5StartDate: at('2026-04-06') }
    expect(warnings(undeclared, payroll(loans), today)).toEqual([
      {
        path: 'payrollSetting.studentLoanPlan5StartDate',
        message: 'overlaps plan 1: one undergraduate loan is deducted at a time',
      },
    ])
    expect(paths(payroll({ ...loans, studentLoanPlan1EndDate: at('2026-04-06') }))).toEqual([])
    expect(paths(payroll({ ...loans, studentLoanPlan1EndDate: at('2026-04-07') }))).toHaveLength(1)
  })

  test('of a student loan that a person does not have contradict it, unless they are over', () => {
    const loans = { haveStudentLoan: false, studentLoanPlan2StartDate: at('2026-05-11') }
    expect(warnings(undeclared, payroll(loans), today)).toEqual([
      {
        path: 'payrollSetting.haveStudentLoan',
        message: 'it says no, but Plan 2 has a start, and is deducted',
      },
    ])
    expect(paths(payroll({ ...loans, haveStudentLoan: true }))).toEqual([])
    expect(paths(payroll({ ...loans, studentLoanPlan2EndDate: at('2026-06-01') }))).toEqual([])
  })

  test('of a loan that ends and does not start name both fields', () => {
    expect(warnings(undeclared, payroll({ studentLoanPostGraEndDate: at('2030-04-06') }), today)).toEqual([
      {
        path: 'payrollSetting.studentLoanPostGraEndDate',
        message: 'it has an end date and no start date: studentLoanPostGraStartDate is empty',
      },
    ])
  })

  test('of a postgraduate loan may run beside an undergraduate one', () => {
    const start = at('2024-04-06')
    const loans = { studentLoanPlan2StartDate: start, studentLoanPostGraStartDate: start }
    expect(paths(payroll(loans))).toEqual([])
  })
})

test.each([
  ['4400.00', 1],
  ['44000.00', 0],
  ['8800', 0],
  ['0', 0],
  ['', 0],
])('a yearly cut-off point of %j, beside the 44,000 of 2026, draws %i remark', (yearlyRateCutOff, count) => {
  expect(paths(payroll({ yearlyRateCutOff }))).toHaveLength(count)
})

describe('an Irish payroll setting', () => {
  test.each([
    ['M', 1990, 1],
    ['M', 2011, 0],
    ['M', 1959, 0],
    ['J1', 1990, 1],
    ['J0', 1959, 1],
    ['J0', 1957, 0],
    ['A1', 1957, 1],
    ['A1', 1959, 0],
    ['S1', 1955, 1],
    ['S1', 1990, 0],
    ['S1', 2010, 0],
    ['S1', 2011, 1],
    ['A1', 1990, 0],
  ])('with PRSI class %s for somebody born in %i draws %i remark', (prsiEeClasses, year, count) => {
    const expected = Array.from({ length: count }, () => 'payrollSetting.prsiEeClasses')
    expect(paths(general(bornIn(year), { prsiEeClasses }))).toEqual(expected)
  })

  test('has no exemption from PRSI and class A at once', () => {
    const of = (prsiEeClasses: string, prsiExemption: string) =>
      paths(payroll({ prsiEeClasses, prsiExemption }))
    expect(of('A1', 'POSTED_WORKER_OTHER_NOTIFICATION')).toEqual(['payrollSetting.prsiExemption'])
    expect(of('A1', 'NONE')).toEqual([])
    expect(of('M', 'UNDER_16')).toEqual([])
  })

  test.each([
    ['231.00', '551.92', '1347.00', []],
    ['231.00', '1347.00', '551.92', ['frequency_fourPointFive']],
    ['231.00', '231.00', '1347.00', ['frequency_two']],
    ['1347.00', '', '551.92', ['frequency_fourPointFive']],
    ['0.00', '0.00', '0.00', []],
  ])(
    'has USC bands that rise: %s, %s, %s',
    (frequency_zeroPointFive, frequency_two, frequency_fourPointFive, names) => {
      const bands = { frequency_zeroPointFive, frequency_two, frequency_fourPointFive }
      expect(paths(payroll(bands))).toEqual(names.map((name) => `payrollSetting.${name}`))
    },
  )

  test('has USC bands of the year that rise too', () => {
    const bands = { annual_zeroPointFive: '70044.00', annual_two: '28700' }
    expect(paths(payroll(bands))).toEqual(['payrollSetting.annual_two'])
  })
})

describe('the bank details', () => {
  test('are compared with the account inside a UK or an Irish IBAN, however it is spaced', () => {
    const of = (IBANReference: string, sortCode: string, accountNumber: string) =>
      paths({ bankSetting: { IBANReference, sortCode, accountNumber } })
    const spaced = 'GB29 NWBK 6016 1331 9268 19'
    expect(of(spaced, '601614', '31926818')).toEqual(['bankSetting.sortCode', 'bankSetting.accountNumber'])
    expect(of(ie, '931153', '12345678')).toEqual(['bankSetting.sortCode'])
    expect(of(ie, '93 11 52', '12345678')).toEqual([])
    // Not with an IBAN that is itself wrong, or has no sort code.
    expect(of('GB28NWBK60161331926819', '000000', '')).toEqual([])
    expect(of(de, '000000', '')).toEqual([])
  })

  test('never show an account in what is said about it', () => {
    const bankSetting = { IBANReference: gb, sortCode: '601614', accountNumber: '31926818' }
    const issues = warnings(undeclared, { bankSetting }, today)
    expect(issues).toHaveLength(2)
    expect(JSON.stringify(issues)).not.toMatch(/\d{4}/)
  })

  test('name one country in the BIC and in the IBAN', () => {
    expect(warnings(undeclared, { bankSetting: { IBANReference: ie, SWIFTNo: 'NWBKGB2L' } }, today)).toEqual([
      { path: 'bankSetting.SWIFTNo', message: 'the BIC is of a bank in GB, the IBAN of one in IE' },
    ])
    // Jersey's banks have British IBANs.
    expect(paths({ bankSetting: { IBANReference: gb, SWIFTNo: 'NWBKJESX' } })).toEqual([])
  })

  test.each([
    [{ isInternationalAccount: true, IBANReference: de }, 0],
    [{ isInternationalAccount: true, SWIFTNo: 'COBADEFF' }, 1],
    [{ isInternationalAccount: true, IBANReference: de, SWIFTNo: 'COBADEFF' }, 0],
    [{ isInternationalAccount: false }, 1],
    [{ isInternationalAccount: false, sortCode: '931152' }, 1],
    [{ isInternationalAccount: false, IBANReference: de }, 0],
    [{ isInternationalAccount: false, sortCode: '931152', accountNumber: '12345678' }, 0],
    [{ isInternationalAccount: false, IBANReference: ie }, 0],
    [{}, 0],
  ])('of %j leave %i thing to ask for', (bankSetting, count) => {
    const expected = Array.from({ length: count }, () => 'bankSetting.isInternationalAccount')
    expect(paths({ bankSetting })).toEqual(expected)
  })
})
