import type { Json } from '../../../src/files/json/path.ts'
import type { CountryId } from '../../../src/model/countries/countries.ts'

/** Somebody, or somebody's week, on a day: what check has to find, and nothing else. Written from the sources, before the rules. */
export interface Case {
  /** The day; and behind it the service, where its people have more in common: `2026-11-24 umbrella`. */
  readonly on: string
  readonly place: CountryId
  /** By the last name of a field; `null` empties it. Anything else is that of a person without a fault. */
  readonly fields: Readonly<Record<string, Json>>
  readonly sheets: readonly Sheet[]
  readonly slips: readonly Slip[]
  /** Rules; with the severity behind an equals sign where it matters: `below-minimum=look`. */
  readonly finds: readonly string[]
}

/** A payslip. */
export interface Slip {
  readonly taxYear: string
  readonly taxPeriod: string
  readonly gross: number
  readonly agencyName?: string
  readonly net?: number
}

export interface Sheet {
  readonly startDate: string
  readonly endDate: string
  readonly hours: number
  readonly rate?: number
  readonly assignmentRef?: string
  readonly status?: string
}

type Fields = Case['fields']
type Given = Fields | readonly [Fields, ...(readonly (Sheet | Slip)[])]

export const cases: Case[] = []

/** People of a place on a day, who all have these findings. */
const add = (on: string, place: Case['place'], finds: string, ...people: readonly Given[]) => {
  for (const person of people) {
    const [fields, ...more] = Array.isArray(person)
      ? (person as readonly [Fields, ...(Sheet | Slip)[]])
      : [person as Fields]
    const sheets = more.filter((each) => 'hours' in each)
    const slips = more.filter((each) => 'gross' in each)
    cases.push({ on, place, fields, sheets, slips, finds: finds === '' ? [] : finds.split(' ').sort() })
  }
}
const uk = (on: string, finds: string, ...people: readonly Given[]) => add(on, 'uk', finds, ...people)
const ie = (on: string, finds: string, ...people: readonly Given[]) => add(on, 'ireland', finds, ...people)
const week = (startDate: string, endDate: string, hours = 37.5, more: Partial<Sheet> = {}): Sheet => ({
  startDate,
  endDate,
  hours,
  ...more,
})

const nov = '2026-11-24'

// ── NI category letters against State Pension age (Pensions Act 2014, s. 26) and the letters of gov.uk ──
for (const DOB of [
  '1940-01-01',
  '1956-05-01',
  '1959-11-10',
  '1960-04-05',
  '1960-04-06',
  '1960-05-10',
  '1960-07-20',
])
  uk(nov, 'ni-letter', { DOB, niCategory: 'A' })
for (const DOB of ['1940-01-01', '1956-05-01', '1960-04-05', '1960-07-20'])
  uk(nov, '', { DOB, niCategory: 'C' })
// 66 and 8 months for a birthday of 6 November to 5 December 1960.
uk(
  nov,
  '',
  { DOB: '1960-11-20', niCategory: 'A' },
  { DOB: '1961-03-05', niCategory: 'A' },
  { DOB: '1965-01-01', niCategory: 'A' },
)
uk(
  nov,
  'ni-letter',
  { DOB: '1960-11-20', niCategory: 'C' },
  { DOB: '1961-03-05', niCategory: 'C' },
  { DOB: '1970-01-01', niCategory: 'C' },
)
uk('2027-07-20', '', { DOB: '1960-11-20', niCategory: 'C' })
uk('2027-07-20', 'ni-letter', { DOB: '1960-11-20', niCategory: 'A' })
uk('2027-07-19', 'ni-letter', { DOB: '1960-11-20', niCategory: 'C' })
uk(
  nov,
  'ni-letter',
  { DOB: '1956-01-01', niCategory: 'J' },
  { DOB: '1956-01-01', niCategory: 'B', gender: 'FEMALE' },
)
// X is for those of whom no NI is due: not for an adult.
uk(nov, 'ni-letter', ...['1986-01-01', '2010-01-01', '2009-06-01'].map((DOB) => ({ DOB, niCategory: 'X' })))
// The elections of married women ended on 11 May 1977, and nobody under 16 had one.
uk(
  nov,
  'ni-letter',
  { DOB: '1986-01-01', niCategory: 'B', gender: 'FEMALE' },
  { DOB: '1961-05-12', niCategory: 'B', gender: 'FEMALE' },
)
uk(nov, '', { DOB: '1961-05-11', niCategory: 'B', gender: 'FEMALE' })
uk(nov, 'ni-letter', { DOB: '1961-05-11', niCategory: 'B', gender: 'MALE' })
// M and Z end at 21, H at 25.
uk(
  nov,
  '',
  { DOB: '2005-11-25', niCategory: 'M' },
  { DOB: '2007-01-01', niCategory: 'Z' },
  { DOB: '2001-11-25', niCategory: 'H', isApprentice: true },
)
uk(
  nov,
  'ni-letter',
  { DOB: '2005-11-24', niCategory: 'M' },
  { DOB: '2005-10-10', niCategory: 'M' },
  { DOB: '1990-01-01', niCategory: 'Z' },
)
uk(
  nov,
  'ni-letter',
  { DOB: '2001-11-24', niCategory: 'H', isApprentice: true },
  { DOB: '2003-01-01', niCategory: 'H' },
)
// With A or J the employer pays NI for somebody under 21.
uk(nov, 'ni-letter', { niCategory: 'A', DOB: '2005-11-25' }, { niCategory: 'J', DOB: '2007-01-01' })
uk(
  nov,
  '',
  { niCategory: 'J' },
  { niCategory: 'A', DOB: '2005-11-24' },
  { niCategory: 'H', DOB: '2007-01-01', isApprentice: true },
)
// The relief is for the first 12 months of a veteran's civilian work, and 36 in a Freeport or an Investment Zone.
const zone = { workplacePostcode: 'SW1A 1AA', dateOfJoining: '2023-11-25' }
uk(
  nov,
  '',
  { niCategory: 'V', dateOfJoining: '2025-11-25' },
  { niCategory: 'N', ...zone },
  { niCategory: 'F', ...zone },
)
uk(
  nov,
  'ni-letter',
  { niCategory: 'V', dateOfJoining: '2025-11-24' },
  { niCategory: 'F', ...zone, dateOfJoining: '2023-11-24' },
)
uk(
  nov,
  'doubtful-value',
  { niCategory: 'F', dateOfJoining: '2023-11-25' },
  { niCategory: 'N', dateOfJoining: '2023-11-25' },
)
uk(
  nov,
  'ni-letter',
  { niCategory: 'S', workplacePostcode: 'SW1A 1AA' },
  { niCategory: 'K', workplacePostcode: 'SW1A 1AA' },
)
uk(nov, 'ni-letter', { niCategory: 'F', DOB: '1950-01-01', workplacePostcode: 'SW1A 1AA' })

// ── Numbers and codes that the form doubts; more of them: test/model/standards/vectors.ts ──
uk(nov, 'doubtful-value', { taxCode: '12570L' }, { taxCode: '1257L M1' }, { NINumber: 'GB123456A' })
uk(nov, '', { taxCode: 'S1257L' }, { taxCode: 'K475' }, { taxCode: 'NT' })
uk(nov, 'no-ni-number', { NINumber: null }, { NINumber: '' })
uk(nov, '', {
  NINumber: null,
  paymentModel: 'CIS',
  UTRNo: '1123456789',
  personalVerificationNumber: 'V1234567890',
  cisStatus: 'VERIFIED_20%',
})
uk(nov, 'doubtful-value', { DOB: '2012-06-01', niCategory: 'X' }, { DOB: '1915-03-01', niCategory: 'C' })
ie(nov, 'doubtful-value', { ppsNumber: '1234567A' }, { ppsNumber: '123456T' })
ie(nov, '', { ppsNumber: '1234567T' }, { ppsNumber: '1234567FA' })
uk(
  nov,
  'tax-details',
  { taxCode: null, starterDeclaration: null },
  { niCategory: null },
  { taxCode: null, niCategory: null },
)
uk(nov, '', { taxCode: null, starterDeclaration: 'A' })
ie(nov, 'tax-details', { prsiEeClasses: null }, { ppsNumber: null })

// ── Bank ──
uk(nov, 'no-bank', { sortCode: null, accountNumber: null }, { accountNumber: null })
uk(
  nov,
  '',
  { sortCode: null, accountNumber: null, payMethod: 'CASH' },
  { sortCode: null, accountNumber: null, payMethod: 'CHEQUE' },
)
uk(nov, 'bank-number', { accountNumber: '1234567' }, { sortCode: '60161' }, { accountNumber: '3192681O' })
ie(nov, 'no-bank', { IBANReference: null, sortCode: null, accountNumber: null })
ie(
  nov,
  'bank-number',
  { IBANReference: 'IE29AIBK93115212345679' },
  { IBANReference: 'DE89370400440532013001' },
)
// Inside SEPA no BIC is asked for, and every SEPA IBAN counts as one of home.
ie(
  nov,
  '',
  { IBANReference: 'DE89370400440532013000', isInternationalAccount: true },
  { IBANReference: 'LT121000011101001000', isInternationalAccount: false },
)
ie(nov, '', { IBANReference: 'FR1420041010050500013M02606', isInternationalAccount: true, SWIFTNo: null })
ie(nov, 'bank-number', { IBANReference: 'BR1800360305000010009795493C1', isInternationalAccount: true })
ie(nov, '', {
  IBANReference: 'BR1800360305000010009795493C1',
  isInternationalAccount: true,
  SWIFTNo: 'BRASBRRJ',
})

// ── Those who have not started, and those who have left ──
uk(nov, 'no-bank=look no-ni-number=look no-rate=look starter-details=look tax-details=look', {
  dateOfJoining: '2027-03-01',
  sortCode: null,
  accountNumber: null,
  taxCode: null,
  niCategory: null,
  NINumber: null,
  rateHour: null,
})
uk(nov, '', { dateLeft: '2026-11-01', sortCode: null, accountNumber: null })
// Who left in the last seven days is still to be paid.
uk(nov, 'no-bank', { dateLeft: '2026-11-18', sortCode: null, accountNumber: null })
uk(nov, '', { dateLeft: '2026-11-17', sortCode: null, accountNumber: null })
uk(nov, 'no-bank', { dateLeft: '2026-12-24', sortCode: null, accountNumber: null })
uk(nov, 'before-start=likely-wrong', [
  { dateOfJoining: '2026-12-07', starterDeclaration: 'A' },
  week('2026-11-16', '2026-11-22'),
])
uk(nov, 'after-leaving', [{ dateLeft: '2026-11-13' }, week('2026-11-16', '2026-11-22')])
uk(nov, '', [{ dateLeft: '2026-11-18' }, week('2026-11-16', '2026-11-22')])

// ── Minimum wage: the first day of the period (reg. 4B), Ireland by day ──
const april = '2026-04-07'
uk(april, '', [
  { rateHour: null, annualSalary: 40_000 },
  week('2026-03-30', '2026-04-05', 37.5, { rate: 12.21 }),
])
uk(april, 'below-minimum', [{}, week('2026-03-30', '2026-04-05', 37.5, { rate: 12.2 })])
uk(april, '', [{}, week('2026-04-01', '2026-04-07', 37.5, { rate: 12.71 })])
uk(april, 'below-minimum', [{}, week('2026-04-01', '2026-04-07', 37.5, { rate: 12.7 })])
uk('2027-04-06', '', [{}, week('2027-03-29', '2027-04-04', 37.5, { rate: 12.71 })])
// The 21st birthday is on 20 November: the age on the first day counts.
uk(nov, '', [{ DOB: '2005-11-20', niCategory: 'A' }, week('2026-11-16', '2026-11-22', 37.5, { rate: 11 })])
uk(nov, 'below-minimum', [
  { DOB: '2005-11-16', niCategory: 'A' },
  week('2026-11-16', '2026-11-22', 37.5, { rate: 11 }),
])
// Paid by the month, the age and the rate of the day on which that began count, and that may be 31 days before.
const monthly = { payFrequency: 'MONTHLY' }
uk(
  nov,
  'below-minimum=look',
  [{ DOB: '2005-11-10', ...monthly }, week('2026-11-16', '2026-11-22', 37.5, { rate: 11 })],
  { DOB: '2005-11-10', rateHour: 11, ...monthly },
  { DOB: '2005-11-20', rateHour: 11 },
)
uk(
  nov,
  'below-minimum=likely-wrong',
  [{ DOB: '2005-10-20', ...monthly }, week('2026-11-16', '2026-11-22', 37.5, { rate: 11 })],
  [{ DOB: '2005-11-10', ...monthly }, week('2026-11-16', '2026-11-22', 37.5, { rate: 10.84 })],
  { DOB: '2005-11-10', rateHour: 11, ...monthly, dateOfJoining: '2026-11-12', starterDeclaration: 'A' },
  { DOB: '2005-11-10', rateHour: 11 },
)
uk(april, 'below-minimum=look', [monthly, week('2026-04-01', '2026-04-07', 37.5, { rate: 12.21 })])
uk(nov, '', { rateHour: 10.85, DOB: '2007-01-01' }, { rateHour: 8, DOB: '2009-06-01' }, { rateHour: 12.71 })
uk(
  nov,
  'below-minimum',
  { rateHour: 12.7 },
  { rateHour: 10.84, DOB: '2007-01-01' },
  { rateHour: 7.99, DOB: '2009-06-01' },
)
uk(nov, 'below-minimum person-details', { rateHour: 12, DOB: null })
uk(
  nov,
  '',
  { rateHour: 8, isApprentice: true, DOB: '2008-06-01' },
  {
    rateHour: 5,
    paymentModel: 'CIS',
    UTRNo: '1123456789',
    personalVerificationNumber: 'V1234567890',
    cisStatus: 'VERIFIED_20%',
  },
)
uk(nov, 'below-minimum', { rateHour: 8, isApprentice: true, DOB: '2004-06-01' })
// A salary by its hours: a year has 52.14 weeks.
uk(
  nov,
  'below-minimum',
  { rateHour: null, annualSalary: 20_000, hours: 40 },
  { rateHour: null, annualSalary: 24_800, hours: 37.5 },
  { rateHour: 0, annualSalary: 26_000, hours: 40 },
)
uk(
  nov,
  '',
  { rateHour: null, annualSalary: 24_900, hours: 37.5 },
  { rateHour: null, annualSalary: 26_600, hours: 40 },
  { rateHour: null, annualSalary: 13_000, hours: 16 },
)
uk(nov, '', { rateHour: null, annualSalary: 20_000, hours: null })
ie(
  nov,
  'below-minimum',
  { rateHour: 14.14 },
  { rateHour: null, annualSalary: 27_000, hours: 39 },
  { rateHour: 12.73, DOB: '2007-06-01' },
)
ie(
  nov,
  '',
  { rateHour: 14.15 },
  { rateHour: null, annualSalary: 29_000, hours: 39 },
  { rateHour: 12.74, DOB: '2007-06-01' },
)
const january = '2026-01-06'
ie(
  january,
  'below-minimum',
  [{}, week('2025-12-29', '2026-01-04', 39, { rate: 13.5 })],
  [{}, week('2025-12-22', '2025-12-28', 39, { rate: 13.4 })],
)
ie(
  january,
  '',
  [{}, week('2025-12-22', '2025-12-28', 39, { rate: 13.5 })],
  [{}, week('2025-12-29', '2026-01-04', 39, { rate: 14.15 })],
)
// The floor of an assignment, with a margin; for letters of the young no employer's NI is due.
uk(nov, 'below-minimum', { rateHour: 17.06, margin: 25 }, { rateHour: 13.9, margin: 20 })
uk(nov, '', { rateHour: 17.08, margin: 25 })
uk(nov, '', [
  { DOB: '2007-05-05', niCategory: 'M', margin: 20, rateHour: 20 },
  week('2026-11-16', '2026-11-22', 37.5, { rate: 13.9 }),
])
uk(nov, 'below-minimum ni-letter', [
  { DOB: '2007-05-05', niCategory: 'A', margin: 20, rateHour: 20 },
  week('2026-11-16', '2026-11-22', 37.5, { rate: 13.9 }),
])
uk(nov, 'below-minimum', [
  { DOB: '2007-05-05', niCategory: 'M', margin: 20, rateHour: 20 },
  week('2026-11-16', '2026-11-22', 37.5, { rate: 12.7 }),
])
// Nobody is enrolled into a pension under 22: the floor is £12.75 then.
uk(nov, '', [
  { DOB: '2007-05-05', niCategory: 'M', margin: 20, rateHour: 20 },
  week('2026-11-16', '2026-11-22', 37.5, { rate: 12.76 }),
])

// ── Hours, and timesheets ──
uk(
  nov,
  '',
  [{ workingTimeRegulation: 'OPT_OUT' }, week('2026-11-16', '2026-11-22', 55)],
  [{}, week('2026-11-16', '2026-11-22', 48)],
)
uk(
  nov,
  'too-many-hours',
  [{ workingTimeRegulation: 'OPT_IN' }, week('2026-11-16', '2026-11-22', 55)],
  [{ workingTimeRegulation: 'OPT_OUT' }, week('2026-11-16', '2026-11-22', 61)],
  [{}, week('2026-11-16', '2026-11-22', 90)],
)
ie(
  nov,
  'too-many-hours',
  [{ workingTimeRegulation: 'OPT_OUT' }, week('2026-11-16', '2026-11-22', 58)],
  [{}, week('2026-11-16', '2026-11-22', 49)],
)
ie(nov, '', [{}, week('2026-11-16', '2026-11-22', 48)])
uk(
  nov,
  'overlapping-sheets',
  [{}, week('2026-11-16', '2026-11-22', 20), week('2026-11-16', '2026-11-22', 20)],
  [{}, week('2026-11-16', '2026-11-22', 20), week('2026-11-20', '2026-11-26', 20)],
)
uk(
  nov,
  '',
  [{}, week('2026-11-16', '2026-11-22', 20), week('2026-11-16', '2026-11-22', 20, { status: 'REJECTED' })],
  [{}, week('2026-11-09', '2026-11-15'), week('2026-11-16', '2026-11-22')],
)
uk(nov, '', [
  {},
  week('2026-11-16', '2026-11-22', 20, { assignmentRef: 'A1' }),
  week('2026-11-16', '2026-11-22', 20, { assignmentRef: 'A2' }),
])
uk(nov, 'no-hours', [{}, week('2026-11-16', '2026-11-22', 0)], [{}, week('2026-11-16', '2026-11-22', -5)])

// ── Right to work, by the law of the country ──
const old = { documentExpiryDate: '2024-01-01', documentType: 'PASSPORT' }
uk(
  nov,
  '',
  ...[
    'British',
    'Irish',
    'GB',
    'GBR',
    'IE',
    'Northern Irish',
    'English',
    'Scottish',
    'Welsh',
    'British citizen',
  ].map((nationality) => ({ nationality, ...old })),
)
uk(
  nov,
  '',
  { nationality: null, rightToWorkStatus: 'BRITISH_CITIZEN', ...old },
  { nationality: null, rightToWorkStatus: 'IRISH_CITIZEN', ...old },
)
uk(
  nov,
  'document-expired',
  { nationality: 'Polish', ...old },
  { nationality: 'Indian', ...old },
  { nationality: 'PL', ...old },
)
uk(nov, 'document-expires', { nationality: 'Indian', documentExpiryDate: '2026-12-10' })
uk(
  nov,
  '',
  { nationality: 'British', documentExpiryDate: '2026-12-10' },
  { nationality: 'Indian', documentExpiryDate: '2027-06-10' },
)
uk(
  nov,
  'no-document-date',
  { nationality: 'Indian' },
  { nationality: 'Polish' },
  { nationality: 'Indian', rightToWorkStatus: 'COMMONWEALTH_CITIZEN' },
  { nationality: 'Indian', rightToWorkStatus: 'NON_CITIZEN' },
)
uk(
  nov,
  '',
  { nationality: 'Indian', rightToWorkStatus: 'INDEFINITE_LEAVE_TO_REMAIN' },
  { nationality: 'Polish', rightToWorkStatus: 'SETTLED_STATUS' },
  // No follow-up check is due, nor has it an end, since July 2024.
  { nationality: 'Polish', rightToWorkStatus: 'PRE_SETTLED_STATUS' },
  { nationality: 'Polish', rightToWorkStatus: 'EUSS pre-settled', ...old },
  { nationality: 'Northern Irish' },
  { nationality: 'GB' },
)
ie(
  nov,
  '',
  ...['Polish', 'PL', 'POL', 'German', 'Swiss', 'Norwegian', 'British', 'Irish', 'Romanian'].map(
    (nationality) => ({ nationality, ...old }),
  ),
)
ie(
  nov,
  '',
  ...['Polish', 'British', 'Irish', 'Lithuanian', 'LT', 'Croatian'].map((nationality) => ({ nationality })),
)
ie(nov, 'no-document-date', { nationality: 'Brazilian' }, { nationality: 'Indian' })
ie(nov, 'document-expired', { nationality: 'Brazilian', ...old })
ie(nov, '', { nationality: 'Polish', rightToWorkStatus: 'EU_EEA' })

// ── Ireland: PRSI since 1 January 2024, USC, emergency tax ──
ie(
  nov,
  '',
  { DOB: '1960-06-01', prsiEeClasses: 'A1' },
  { DOB: '1958-01-01', prsiEeClasses: 'A1' },
  { DOB: '1950-01-01', prsiEeClasses: 'J0' },
  { DOB: '1957-12-31', prsiEeClasses: 'J1' },
)
ie(
  nov,
  'prsi-class',
  { DOB: '1955-01-01', prsiEeClasses: 'A1' },
  { DOB: '1957-12-31', prsiEeClasses: 'A1' },
  { DOB: '1960-06-01', prsiEeClasses: 'J1' },
  { DOB: '1990-01-01', prsiEeClasses: 'J1' },
)
ie(
  nov,
  'prsi-class',
  { DOB: '1990-01-01', prsiEeClasses: 'M' },
  { DOB: '1950-01-01', prsiEeClasses: 'S1' },
  { prsiEeClasses: 'A1', prsiExemption: 'UNDER_16' },
)
ie(
  nov,
  '',
  { prsiEeClasses: 'M', prsiExemption: 'A_1_PORTABLE_DOCUMENT' },
  { prsiEeClasses: 'S1', DOB: '1958-06-01' },
  { prsiEeClasses: 'A1', prsiExemption: 'NONE' },
)
const usc = (one: string, two: string, three: string) => ({
  annual_zeroPointFive: one,
  annual_two: two,
  annual_fourPointFive: three,
})
ie(
  nov,
  '',
  usc('12012', '28700', '70044'),
  usc('12012', '60000', '60000'),
  usc('12012', '60000', '0'),
  usc('0', '0', '0'),
)
ie(nov, 'doubtful-value', usc('28700', '12012', '70044'), usc('12012', '70044', '28700'))
ie(nov, 'doubtful-value', { yearlyRateCutOff: '4400.00' })
ie(nov, 'emergency-tax', { taxBasis: 'EMERGENCY' }, { taxBasis: 'EMERGENCY', dateOfJoining: '2026-10-01' })
ie(nov, '', { taxBasis: 'EMERGENCY', dateOfJoining: '2026-11-20' }, { taxBasis: 'WEEK_1' })
ie(nov, '', { taxBasis: 'EMERGENCY', dateOfJoining: '2026-12-01' })
ie(nov, 'emergency-tax', { yearlyRateCutOff: null, taxCreditAnnual: null })
ie(nov, '', { yearlyRateCutOff: '0', taxCreditAnnual: '0' })
// Of who is new, the notification may still come.
ie(
  nov,
  'emergency-tax=look',
  { yearlyRateCutOff: null, taxCreditAnnual: null, dateOfJoining: '2026-11-19' },
  { yearlyRateCutOff: null, dateOfJoining: '2026-11-20' },
  { taxBasis: null, dateOfJoining: '2026-11-20' },
  { taxBasis: null, dateOfJoining: '2026-12-01' },
)

// ── What pay needs, of people who start later too ──
const soon = { dateOfJoining: '2026-12-01', starterDeclaration: 'A' }
uk(nov, '', soon, { ...soon, taxCode: null }, { ...soon, payMethod: 'CHEQUE', accountNumber: null })
uk(nov, 'no-bank=look', { ...soon, accountNumber: null })
uk(nov, 'no-rate=look', { ...soon, rateHour: null }, { ...soon, rateHour: 0 })
uk(nov, 'starter-details=look tax-details=look', { ...soon, starterDeclaration: null, taxCode: null })
uk(nov, 'no-ni-number=look', { ...soon, NINumber: null })
uk(nov, 'bank-number=look', { ...soon, accountNumber: '3192681' })
uk(nov, 'person-details', { DOB: null }, { dateOfJoining: null }, { payFrequency: null })
uk(nov, 'person-details=look', { ...soon, DOB: null })

// ── Starters, P45 and loans ──
const starter = { dateOfJoining: '2026-11-02' }
uk(nov, 'starter-details', { ...starter, starterDeclaration: null })
uk(
  nov,
  '',
  { ...starter, starterDeclaration: 'A' },
  { ...starter, starterDeclaration: null, p45GrossToDate: 9000, p45TaxToDate: 900 },
  {
    ...starter,
    starterDeclaration: null,
    paymentModel: 'CIS',
    UTRNo: '1123456789',
    personalVerificationNumber: 'V1234567890',
    cisStatus: 'VERIFIED_20%',
  },
)
uk(nov, '', { starterDeclaration: null })
uk(nov, 'p45-figures', { p45GrossToDate: 100, p45TaxToDate: 5000 }, { p45TaxToDate: 500 })
uk(nov, '', { p45GrossToDate: 5000, p45TaxToDate: 0 }, { p45GrossToDate: 5000, p45TaxToDate: 100 })
uk(nov, 'week-one', { taxBasis: 'W1M1', dateOfJoining: '2026-06-01', starterDeclaration: 'B' })
uk(
  nov,
  '',
  { taxBasis: 'W1M1', dateOfJoining: '2026-10-20', starterDeclaration: 'B' },
  { taxBasis: 'CUMULATIVE' },
)
uk(
  nov,
  'student-loan',
  { haveStudentLoan: true },
  { haveStudentLoan: false, studentLoanPlan2StartDate: '2026-05-11T00:00:00.000Z' },
)
uk(
  nov,
  '',
  { haveStudentLoan: true, studentLoanPlan2StartDate: '2026-05-11T00:00:00.000Z' },
  { haveStudentLoan: true, studentLoanPostGraStartDate: '2026-05-11T00:00:00.000Z' },
  { haveStudentLoan: false },
)

// ── Holiday, margin, CIS ──
const rolled = { holidayPayMethod: 'ROLLED_UP' }
uk(
  nov,
  'holiday-rate',
  { ...rolled, holidayPayRate: null },
  { ...rolled, holidayPayRate: 0 },
  { ...rolled, holidayPayRate: 5 },
  { ...rolled, holidayPayRate: 0.1207 },
  { ...rolled, holidayPayRate: 120.7 },
  { ...rolled, holidayPayRate: 12.06 },
)
uk(
  nov,
  '',
  { ...rolled, holidayPayRate: 12.07 },
  { ...rolled, holidayPayRate: 13.04 },
  { holidayPayMethod: 'NO_HOLIDAY_PAY', holidayPayRate: null },
  { holidayPayMethod: 'NO_HOLIDAY_PAY', holidayPayRate: 0 },
)
ie(nov, 'holiday-rate', { ...rolled, holidayPayRate: 7.9 }, { ...rolled, holidayPayRate: null })
ie(nov, '', { ...rolled, holidayPayRate: 8 })
uk(nov, 'margin', { margin: -5 }, { margin: 2500, rateHour: 150 }, { margin: 30, marginCapped: 20 })
uk(nov, '', { margin: 20, rateHour: 20 }, { margin: 20, marginCapped: 25 }, { margin: null })
const cis = {
  paymentModel: 'CIS',
  UTRNo: '1123456789',
  personalVerificationNumber: 'V1234567890',
  cisStatus: 'VERIFIED_20%',
}
uk(
  nov,
  'cis-details',
  { ...cis, UTRNo: null },
  { ...cis, personalVerificationNumber: null },
  { ...cis, cisStatus: 'GROSS', personalVerificationNumber: null },
)
uk(
  nov,
  '',
  cis,
  { ...cis, cisStatus: 'UNVERIFIED_30%', personalVerificationNumber: null },
  { ...cis, verificationDate: '2025-06-01' },
  { ...cis, verificationDate: '01/06/2026' },
)
uk(nov, 'cis-details', { ...cis, verificationDate: '2024-04-05' })
ie(nov, 'cis-details', { paymentModel: 'CIS', ppsNumber: null, subcontractorRefNumber: null })
ie(nov, '', { paymentModel: 'CIS', ppsNumber: null, subcontractorRefNumber: 'S-123' })

// ── Pensions ──
const at = (day: string) => `${day}T00:00:00.000Z`
uk(
  nov,
  'pension',
  { postponementEndDate: at('2026-09-01') },
  { optInDate: at('2026-05-01'), optOutDate: at('2026-06-01') },
)
uk(
  nov,
  '',
  { postponementEndDate: at('2026-09-01'), membershipStartDate: at('2026-09-01') },
  { postponementEndDate: at('2026-09-01'), optOutDate: at('2026-09-10') },
  { optInDate: at('2026-05-01') },
  { optOutDate: at('2026-05-01'), optInDate: at('2026-06-01') },
)
uk(nov, 'postponement-ends', {
  postponementEndDate: at('2026-12-01'),
  dateOfJoining: '2026-09-01',
  starterDeclaration: 'A',
})
uk(nov, 'pension', {
  postponementEndDate: at('2027-07-01'),
  dateOfJoining: '2026-09-01',
  starterDeclaration: 'A',
})
uk(nov, '', { postponementEndDate: at('2026-12-31'), dateOfJoining: '2026-10-01', starterDeclaration: 'A' })

// ── 2025/26: the rates of that year, and the weeks in which they change ──
const june = '2025-06-16'
uk(
  june,
  '',
  { rateHour: 12.21 },
  { rateHour: 10, DOB: '2006-06-17' },
  { rateHour: 7.55, DOB: '2007-06-17' },
  { rateHour: 12.21, DOB: '2004-06-16' },
  { rateHour: 7.55, DOB: '2007-06-17', isApprentice: true },
  { rateHour: null, annualSalary: 23_900, hours: 37.5 },
)
uk(
  june,
  'below-minimum',
  { rateHour: 12.2 },
  { rateHour: 11.44 },
  { rateHour: 9.99, DOB: '2006-06-17' },
  { rateHour: 12.2, DOB: '2004-06-16' },
  { rateHour: 10, DOB: '2004-06-01' },
  { rateHour: null, annualSalary: 23_000, hours: 37.5 },
)
const april25 = '2025-04-08'
uk(
  april25,
  '',
  [{}, week('2025-03-31', '2025-04-06', 37.5, { rate: 11.44 })],
  [{}, week('2025-04-01', '2025-04-07', 37.5, { rate: 12.21 })],
  [{ DOB: '2007-04-01' }, week('2025-03-31', '2025-04-06', 37.5, { rate: 6.4 })],
)
uk(
  april25,
  'below-minimum',
  [{}, week('2025-03-31', '2025-04-06', 37.5, { rate: 11.43 })],
  [{}, week('2025-04-01', '2025-04-07', 37.5, { rate: 11.44 })],
  [{ DOB: '2007-04-01' }, week('2025-04-01', '2025-04-07', 37.5, { rate: 9.99 })],
)
ie(
  june,
  '',
  { rateHour: 13.5 },
  { rateHour: 12.15, DOB: '2005-12-01' },
  { rateHour: 10.8, DOB: '2006-12-01' },
  { rateHour: 9.45, DOB: '2007-12-01' },
)
ie(
  june,
  'below-minimum',
  { rateHour: 13.49 },
  { rateHour: 12.14, DOB: '2005-12-01' },
  { rateHour: 10.79, DOB: '2006-12-01' },
  { rateHour: 9.44, DOB: '2007-12-01' },
)
uk(june, 'ni-letter', { DOB: '1959-06-01' }, { DOB: '1959-06-16' }, { DOB: '1959-06-17', niCategory: 'C' })
uk(june, '', { DOB: '1959-06-17' }, { DOB: '1959-06-16', niCategory: 'C' })
uk(
  june,
  'ni-letter',
  { DOB: '2004-06-16', niCategory: 'M' },
  { DOB: '2000-06-16', niCategory: 'H', isApprentice: true },
)
uk(
  june,
  '',
  { DOB: '2004-06-17', niCategory: 'M' },
  { DOB: '2000-06-17', niCategory: 'H', isApprentice: true },
)
ie(june, 'doubtful-value', { yearlyRateCutOff: '4400.00' })
ie(june, '', { prsiEeClasses: 'A1', DOB: '1958-06-01' }, { taxBasis: 'WEEK_1' })

// ── 2027: what is known goes on, and what is not is not guessed ──
const feb27 = '2027-02-09'
uk(
  feb27,
  '',
  { rateHour: 12.71 },
  { niCategory: 'A', DOB: '1961-03-06' },
  { niCategory: 'M', DOB: '2006-02-10' },
)
uk(feb27, 'below-minimum', { rateHour: 12.7 }, [{}, week('2027-02-01', '2027-02-07', 37.5, { rate: 12.5 })])
uk(
  feb27,
  'ni-letter',
  { niCategory: 'C', DOB: '1961-03-06' },
  { niCategory: 'M', DOB: '2006-02-09' },
  { niCategory: 'A', DOB: '1960-06-09' },
)
// 66 and 8 months on 9 February 2027 is a birthday of 9 June 1960; two months later is 66 and 9 for December.
uk(feb27, '', { niCategory: 'A', DOB: '1960-11-06' }, { niCategory: 'C', DOB: '1960-06-09' })
ie(feb27, '', { rateHour: 13 }, { yearlyRateCutOff: '4400.00' })
ie(feb27, 'prsi-class', { DOB: '1957-02-09', prsiEeClasses: 'A1' })
ie(feb27, '', { DOB: '1958-02-09', prsiEeClasses: 'A1' }, { DOB: '1957-02-09', prsiEeClasses: 'J0' })
const april27 = '2027-04-20'
uk(april27, '', { rateHour: 12 }, [{}, week('2027-04-12', '2027-04-18', 37.5, { rate: 12 })])
uk(april27, 'below-minimum', [{}, week('2027-03-29', '2027-04-04', 37.5, { rate: 12.7 })])
uk(april27, 'ni-letter', { niCategory: 'A', DOB: '1960-07-20' }, { niCategory: 'C', DOB: '1961-03-06' })
uk(april27, 'cis-details', { ...cis, verificationDate: '2025-04-05' })
uk(april27, '', { ...cis, verificationDate: '2025-04-06' })

// ── Letters of children, and pensioners under another letter ──
uk(nov, 'doubtful-value ni-letter', { DOB: '2011-06-01', niCategory: 'A' })
uk(nov, '', { DOB: '2010-11-24', niCategory: 'M', dateOfJoining: '2026-11-24', starterDeclaration: 'A' })
uk(nov, '', { DOB: '1950-01-01', niCategory: 'S', ...zone })
uk(
  nov,
  'ni-letter',
  { DOB: '1950-01-01', niCategory: 'V' },
  { DOB: '1950-01-01', niCategory: 'M' },
  { DOB: '1950-01-01', niCategory: 'X' },
)

// ── Ireland: J between 66 and 70 may be right, for whom a State Pension (Contributory) was awarded ──
ie(
  nov,
  'prsi-class=look',
  { DOB: '1960-06-01', prsiEeClasses: 'J0' },
  { DOB: '1958-01-01', prsiEeClasses: 'J1' },
)
ie(
  nov,
  'prsi-class=likely-wrong',
  { DOB: '1990-01-01', prsiEeClasses: 'J1' },
  { DOB: '1955-01-01', prsiEeClasses: 'A0' },
)
// The notification (RPN) that was fetched has all of these.
ie(
  nov,
  'emergency-tax',
  { yearlyRateCutOff: null },
  { taxCreditAnnual: null },
  { taxBasis: null },
  { uscExemption: null },
)
ie(nov, '', { uscExemption: null, ...usc('12012', '28700', '70044') }, { uscExemption: 'EXEMPT' })
ie(nov, 'tax-details', { ppsNumber: null, taxBasis: 'EMERGENCY' })
// Only the UK postpones an assessment: My Future Fund has none.
ie(nov, '', { postponementEndDate: '2026-12-01T00:00:00.000Z' })

// ── Right to work: what statuses and nationalities are called ──
uk(
  nov,
  '',
  ...[
    'BRITISH',
    'IRISH',
    'UK_NATIONAL',
    'British national',
    'ILR',
    'RIGHT_OF_ABODE',
    'SETTLED',
    'INDEFINITE_LEAVE',
  ].map((rightToWorkStatus) => ({ nationality: null, rightToWorkStatus, ...old })),
)
uk(nov, '', { nationality: 'British/Nigerian', ...old }, { nationality: 'Indian and British', ...old })
uk(
  nov,
  'document-expired',
  { nationality: 'British National (Overseas)', ...old },
  { nationality: 'Indian/Nigerian', ...old },
  { nationality: 'British Virgin Islander', ...old },
  { nationality: 'Polish', rightToWorkStatus: 'NOT_SETTLED', ...old },
)
uk(
  nov,
  'document-expires',
  { nationality: 'Indian', documentExpiryDate: nov },
  { nationality: 'Indian', documentExpiryDate: '2026-12-24' },
)
uk(nov, '', { nationality: 'Indian', documentExpiryDate: '2026-12-25' })
uk(nov, 'document-expired', { nationality: 'Indian', documentExpiryDate: '2026-11-23' })
ie(
  nov,
  '',
  ...['EU_CITIZEN', 'EEA_CITIZEN', 'EU_EEA', 'IRISH_CITIZEN', 'SWISS_CITIZEN', 'UK_CITIZEN'].map(
    (rightToWorkStatus) => ({
      nationality: null,
      rightToWorkStatus,
      ...old,
    }),
  ),
)
ie(
  nov,
  '',
  { nationality: 'EU', ...old },
  { nationality: 'Icelandic', ...old },
  { nationality: 'Liechtenstein', ...old },
)
ie(
  nov,
  'document-expired',
  { nationality: 'Turkish', ...old },
  { nationality: 'Ukrainian', ...old },
  { nationality: 'NON_EEA', ...old },
  { nationality: null, rightToWorkStatus: 'NON_EU', ...old },
  { nationality: null, rightToWorkStatus: 'STAMP_1', ...old },
)
ie(nov, 'no-document-date', { nationality: 'Indian', rightToWorkStatus: 'NON_EEA' })
uk(nov, 'document-expired', { nationality: null, rightToWorkStatus: 'EU_CITIZEN', ...old })

// ── Pensions: the postponement, and those who are nobody's concern ──
uk(
  nov,
  '',
  { postponementEndDate: at('2026-09-01'), optState: 'OPTED_OUT' },
  { postponementEndDate: at('2026-09-01'), optState: 'ENROLLED' },
  { postponementEndDate: at('2026-09-01'), lastAssessmentOn: at('2026-09-02') },
  {
    postponementEndDate: at('2026-09-01'),
    DOB: '2007-01-01',
    dateOfJoining: '2026-06-01',
    starterDeclaration: 'A',
  },
  { postponementEndDate: at('2026-09-01'), DOB: '1950-01-01', niCategory: 'C' },
  { postponementEndDate: at('2026-09-01'), hours: 8 },
  { postponementEndDate: at('2026-09-01'), rateHour: null, annualSalary: 9000, hours: 8 },
)
uk(
  nov,
  'pension',
  { postponementEndDate: at('2026-09-01'), optState: 'ignition' },
  { postponementEndDate: at('2026-11-23') },
  { postponementEndDate: at('2027-03-01') },
  { postponementEndDate: at('2026-09-01'), lastAssessmentOn: at('2026-06-02') },
)
uk(nov, 'postponement-ends', { postponementEndDate: at(nov) })
uk(nov, '', { postponementEndDate: at('2027-02-20') }, { postponementEndDate: at('2026-12-31') })

// ── An umbrella: most have a margin and are enrolled, so that nothing is a gap ──
const umbrella = `${nov} umbrella`
uk(umbrella, '', {}, {}, {}, {}, {}, {}, { margin: 15 }, { margin: 25, marginCapped: 25 })
uk(umbrella, 'margin=look', { margin: null }, { margin: 0 })
uk(umbrella, 'margin=look', { margin: null, dateOfJoining: '2027-03-01', starterDeclaration: 'A' })
uk(
  umbrella,
  '',
  { margin: null, ...cis },
  { margin: null, dateLeft: '2026-10-01' },
  { margin: 5, marginMethod: 'PERCENTAGE', rateHour: 14.9 },
)
uk(umbrella, 'margin=likely-wrong', { margin: 26, marginCapped: 25 }, { margin: -1 })
uk(umbrella, 'below-minimum=look', { rateHour: 17.06 })
uk(umbrella, '', { rateHour: 17.08 }, { rateHour: 16.6, margin: 25, marginMethod: 'MONTHLY' })
const unassessed = { optState: null, membershipStartDate: null }
uk(
  umbrella,
  'not-enrolled',
  unassessed,
  { ...unassessed, rateHour: null, annualSalary: 30_000 },
  { optState: 'ignition', membershipStartDate: null },
)
uk(
  umbrella,
  '',
  { ...unassessed, DOB: '2005-01-01' },
  { ...unassessed, DOB: '1950-01-01', niCategory: 'C' },
  { ...unassessed, hours: 6 },
  { ...unassessed, rateHour: null, annualSalary: 9_900, hours: 10 },
  { ...unassessed, optOutDate: at('2026-05-01') },
  { ...unassessed, postponementEndDate: at('2027-01-20') },
  { ...unassessed, dateOfJoining: '2026-10-12', starterDeclaration: 'A' },
  { ...unassessed, lastAssessmentOn: at('2026-05-01') },
  { ...unassessed, ...cis },
)

// ── Rates that come with the timesheets: who has none is paid nothing, and lacks nothing ──
const ofSheets = `${nov} rates of sheets`
uk(ofSheets, '', {}, {}, [{}, week('2026-11-16', '2026-11-22')], { rateHour: 20 })
uk(ofSheets, 'no-rate', [{}, week('2026-11-16', '2026-11-22', 37.5, { rate: 0 })])

// ── CIS: what a status says, and what stands beside it ──
uk(nov, 'cis-details', { ...cis, cisStatus: null }, { ...cis, personalVerificationNumber: 'V1234567890AB' })
uk(nov, '', { ...cis, cisStatus: 'UNVERIFIED_30%', personalVerificationNumber: 'V1234567890AB' })
uk(
  nov,
  '',
  { ...cis, cisStatus: 'GROSS' },
  { ...cis, verificationDate: '2024-04-06' },
  { cisStatus: null, UTRNo: null },
)
uk(nov, 'cis-details', { ...cis, UTRNo: '1123456780' }, { ...cis, UTRNo: '112345678' })
ie(nov, '', { paymentModel: 'CIS', subcontractorRefNumber: null })

// ── Starters: a P45 is of another job of this year ──
uk(nov, 'doubtful-value', { ...starter, starterDeclaration: 'A', p45GrossToDate: 9000, p45TaxToDate: 900 })
uk(
  nov,
  '',
  { ...starter, starterDeclaration: 'B', p45GrossToDate: 9000, p45TaxToDate: 900 },
  { ...starter, starterDeclaration: 'C', taxCode: 'BR', p45GrossToDate: 9000, p45TaxToDate: 900 },
  { ...starter, starterDeclaration: 'C', taxCode: '0T', taxBasis: 'W1M1' },
  { ...starter, starterDeclaration: 'B', taxBasis: 'W1M1' },
  { ...starter, starterDeclaration: 'A', taxCode: 'S1257L' },
  { starterDeclaration: 'A', p45GrossToDate: 9000, p45TaxToDate: 900 },
)
uk(
  nov,
  'doubtful-value',
  { ...starter, starterDeclaration: 'C', taxCode: '1257L' },
  { ...starter, starterDeclaration: 'A', taxCode: 'BR' },
  { ...starter, starterDeclaration: 'A', taxBasis: 'W1M1' },
)
uk(nov, 'student-loan', {
  haveStudentLoan: true,
  studentLoanPlan1StartDate: at('2020-04-06'),
  studentLoanPlan1EndDate: at('2024-04-06'),
})
uk(nov, '', {
  haveStudentLoan: true,
  studentLoanPlan1StartDate: at('2020-04-06'),
  studentLoanPlan1EndDate: at('2027-04-06'),
})
uk(nov, '', {
  haveStudentLoan: false,
  studentLoanPlan1StartDate: at('2020-04-06'),
  studentLoanPlan1EndDate: at('2024-04-06'),
})
uk(nov, 'week-one', { taxBasis: 'WEEK_1', dateOfJoining: '2025-06-01' })
uk(nov, '', { taxBasis: 'W1M1', dateOfJoining: '2026-09-01', starterDeclaration: 'B' })
// P9X: it is not carried into a new tax year.
uk('2026-04-20', 'week-one', { taxBasis: 'W1M1', dateOfJoining: '2026-04-05' })
uk('2026-04-20', '', { taxBasis: 'W1M1', dateOfJoining: '2026-04-06', starterDeclaration: 'B' })

uk(nov, '', { sortCode: '08-99-99', accountNumber: '66374959' }, { sortCode: '60 16 13' })

// ── Holiday pay of the other country, and where there is none ──
uk(nov, 'holiday-rate', { ...rolled, holidayPayRate: 8 })
uk(
  nov,
  '',
  { holidayPayMethod: 'ACCRUED', holidayPayRate: null },
  { ...rolled, holidayPayRate: 12.07, ...cis },
  { ...cis, ...rolled },
)
ie(nov, '', { ...rolled, holidayPayRate: 12.07 }, { holidayPayMethod: 'ACCRUED', holidayPayRate: 8 })

// ── Hours of several timesheets of a week ──
const days = (first: number, last: number, hours: number, assignmentRef = 'A1') =>
  week(`2026-11-${first}`, `2026-11-${last}`, hours, { assignmentRef })
uk(
  nov,
  'too-many-hours=look',
  [{}, days(16, 22, 33), days(17, 21, 33, 'A2')],
  [{ workingTimeRegulation: 'OPT_IN' }, days(16, 18, 30), days(19, 22, 30)],
)
uk(nov, 'too-many-hours=likely-wrong', [{}, ...[16, 17, 18, 19, 20, 21].map((day) => days(day, day, 15))])
uk(nov, '', [{}, days(14, 20, 33), days(21, 27, 33)])
const one = (hours: number, assignmentRef: string) =>
  week('2026-11-16', '2026-11-22', hours, { assignmentRef })
uk(
  nov,
  'too-many-hours=look',
  [{}, one(33, 'A1'), one(33, 'A2')],
  [{ workingTimeRegulation: 'OPT_IN' }, one(25, 'A1'), one(25, 'A2')],
)
uk(nov, 'too-many-hours=likely-wrong', [{}, one(45, 'A1'), one(45, 'A2')])
uk(nov, '', [{}, one(30, 'A1'), one(30, 'A2')], [{}, week('2026-11-09', '2026-11-22', 90)])
ie(nov, 'too-many-hours=look', [{}, week('2026-11-09', '2026-11-22', 98)])
uk(nov, 'doubtful-value', { hours: 70 })
uk(nov, 'overlapping-sheets', [{}, one(20, 'A1'), one(20, 'A1')], [{}, one(20, 'a1'), one(20, 'A1')])

// ── Payslips: the last of each, beside the one before ──
const slip = (taxPeriod: string, gross: number, more: Partial<Slip> = {}): Slip => ({
  taxYear: '2026/27',
  taxPeriod,
  gross,
  ...more,
})
const before = slip('Week 32', 600)
uk(
  nov,
  '',
  [{}, before, slip('Week 33', 620)],
  [{}, before, slip('Week 33', 900)],
  [{}, before, slip('Week 33', 300)],
  [{}, slip('Week 33', 900)],
  [{}, slip('Week 30', 100), slip('Week 33', 900)],
  [
    {},
    before,
    slip('Week 33', 300, { agencyName: 'One Ltd' }),
    slip('Week 33', 320, { agencyName: 'Two Ltd' }),
  ],
  [{}, slip('Week 31', 600), slip('Week 31', 600), before, slip('Week 33', 600)],
  [{}, before, slip('Week 33', 600, { net: 480 })],
)
uk(nov, 'payslip-change', [{}, before, slip('Week 33', 901)], [{}, before, slip('Week 33', 299)])
uk(
  nov,
  'payslip-amount',
  [{}, slip('Week 33', 0)],
  [{}, slip('Week 33', -20)],
  [{}, before, slip('Week 33', 600, { net: 0 })],
  [{}, before, slip('Week 33', 600, { net: -3 })],
)
uk(
  nov,
  'payslip-twice=likely-wrong',
  [{}, slip('Week 33', 600), slip('Week 33', 600)],
  [{}, slip('Week 33', 600, { agencyName: 'One Ltd' }), slip('Week 33', 600, { agencyName: 'One Ltd' })],
)
uk(nov, 'payslip-twice=look', [{}, slip('Week 33', 600), slip('Week 33', 150)])
uk(nov, '', [{ payFrequency: 'MONTHLY' }, slip('Month 7', 2000), slip('Month 6', 2000)])
uk(nov, 'payslip-change', [{ payFrequency: 'MONTHLY' }, slip('Month 7', 2000), slip('Month 6', 500)])
// Two weeks before, and the last one of the year before.
uk(nov, 'payslip-change', [{ payFrequency: 'FORTNIGHTLY' }, slip('Week 32', 2000), slip('Week 30', 500)])
uk('2026-04-20', 'payslip-change', [
  { payFrequency: 'FOUR_WEEKLY' },
  slip('Week 2', 2000),
  slip('Week 50', 500, { taxYear: '2025/26' }),
])
uk(nov, '', [{ dateLeft: '2026-08-01' }, slip('Week 10', 0)])

// ── What looks wrong and is right ──
ie(
  nov,
  '',
  { prsiEeClasses: 'J0', rateHour: 15, hours: 2 },
  { nationality: 'Poland', ...old },
  { nationality: 'Republic of Ireland', ...old },
  { nationality: 'Czechia', ...old },
)
ie(nov, 'prsi-class', { prsiEeClasses: 'J0', rateHour: 15, hours: 3 }, { prsiEeClasses: 'J0', hours: null })
ie(nov, 'emergency-tax', { yearlyRateCutOff: null, taxCreditAnnual: null, taxBasis: null })
ie(nov, 'document-expired', { nationality: 'Brazil', ...old }, { nationality: 'Turkey', ...old })
uk(
  nov,
  '',
  { nationality: 'United Kingdom', ...old },
  { nationality: 'Northern Ireland', ...old },
  { nationality: 'Ireland', ...old },
  { nationality: null, rightToWorkStatus: 'LIST_A', ...old },
)
uk(
  nov,
  'document-expired',
  { nationality: 'Poland', ...old },
  { nationality: null, rightToWorkStatus: 'LIST_B', ...old },
)
