import { type Json, type JsonObject, lastName, withValueAt } from '../files/json/path.ts'
import type { CountryId } from '../model/countries/countries.ts'
import { leafFields } from '../model/fields/field-tree.ts'
import { recordSentBy } from '../model/operations/operation.ts'
import { candidatesByCountry } from '../model/operations/operations.ts'
import { dayMs, twoDigits, utcDay } from '../text/day.ts'
import { sandboxCountries } from './countries/countries.ts'

/** The differences from a person without a fault. */
interface SampleProblem {
  readonly name: string
  /** By the last name of the field; null empties it. */
  readonly fields?: Readonly<Record<string, Json>>
  /** The hours of the seven days before today, or so many days before. */
  readonly hours?: number
  readonly daysAgo?: number
  /** How often such a timesheet was made. */
  readonly sheets?: number
  /** The gross pay of payslips: of the first week, and of the second. */
  readonly gross?: readonly (readonly number[])[]
  /** The number in the reference, where it is not the place in the list. */
  readonly number?: number
}

/** The last day of the week that these people's timesheets are of. */
export const problemWeekEnding = (now: number): string => dayFrom(now, -1)

const dayFrom = (now: number, days: number): string => utcDay(now + days * dayMs)

/** What is added to the sandbox to have something wrong. Everything is a body of create. */
interface Problems {
  readonly candidates: Readonly<Record<CountryId, readonly JsonObject[]>>
  readonly timesheets: readonly JsonObject[]
  readonly payslips: readonly JsonObject[]
}

/** The faults as they are on a day. `now`: milliseconds since 1970. */
export function problems(now: number): Problems {
  const day = (days: number) => dayFrom(now, days)
  /** Each fault under the name of the rule that finds it. */
  const uk: Readonly<Record<string, SampleProblem>> = {
    'no-bank': { name: 'Noah Bankless', fields: { sortCode: null, accountNumber: null } },
    'tax-details': {
      name: 'Tara Codeless',
      fields: { taxCode: null, starterDeclaration: null, niCategory: null },
    },
    'no-ni-number': { name: 'Nico Numberless', fields: { NINumber: null } },
    'no-rate': { name: 'Rory Rateless', fields: { rateHour: null } },
    'same-reference': { name: 'Nora Namesake', number: 1 },
    'bank-number': { name: 'Dina Digitless', fields: { accountNumber: '7000004' } },
    'same-number': { name: 'Olive Other', fields: { NINumber: 'QQ998801A' } },
    'same-person': { name: 'Noah Bankless' },
    'after-leaving': {
      name: 'Lea Leaver',
      fields: { dateLeft: day(-20), dateOfJoining: day(-90) },
      hours: 20,
    },
    'before-start': { name: 'Early Starter', fields: { dateOfJoining: day(14) }, hours: 20 },
    'overlapping-sheets': { name: 'Dora Doubled', hours: 20, sheets: 2 },
    'no-hours': { name: 'Zoe Zerohours', hours: 0 },
    'too-many-hours': { name: 'Otto Overtime', hours: 90 },
    'below-minimum': { name: 'Penny Underpaid', fields: { rateHour: 9 } },
    'unusual-pay': { name: 'Hugo Highpay', fields: { rateHour: 1450 } },
    'document-expired': {
      name: 'Vera Expired',
      fields: { nationality: 'Indian', documentExpiryDate: day(-1) },
    },
    'document-expires': {
      name: 'Victor Expiring',
      fields: { nationality: 'Indian', documentExpiryDate: day(10) },
    },
    'no-document-date': { name: 'Vito Undated', fields: { nationality: 'Brazilian' } },
    'shared-account': { name: 'Sam Sharing', fields: { accountNumber: '70000015' } },
    'postponement-ends': {
      name: 'Paula Postponed',
      fields: { postponementEndDate: `${day(7)}T00:00:00.000Z` },
    },
    'never-paid': { name: 'Una Unpaid', fields: { dateOfJoining: '2026-04-06' } },
    'ni-letter': { name: 'Lena Letter', fields: { niCategory: 'M' } },
    'student-loan': { name: 'Stu Planless', fields: { haveStudentLoan: true } },
    'p45-figures': { name: 'Petra Taxed', fields: { p45GrossToDate: 100, p45TaxToDate: 5000 } },
    'holiday-rate': { name: 'Holly Daye', fields: { holidayPayMethod: 'ROLLED_UP', holidayPayRate: 5 } },
    margin: { name: 'Marge Inn', fields: { margin: -5 } },
    'cis-details': { name: 'Cisco Unverified', fields: { paymentModel: 'CIS', UTRNo: null } },
    pension: { name: 'Penny Overdue', fields: { postponementEndDate: `${day(-30)}T00:00:00.000Z` } },
    'starter-details': { name: 'Stella Undeclared', fields: { starterDeclaration: null } },
    'week-one': {
      name: 'Wanda Weekone',
      fields: { taxBasis: 'W1M1', starterDeclaration: 'B', dateOfJoining: day(-200) },
    },
    'doubtful-value': { name: 'Dudley Digits', fields: { taxCode: '12570L' } },
    'not-enrolled': {
      name: 'Ned Unassessed',
      fields: { optState: null, lastAssessmentOn: null, dateOfJoining: day(-200) },
    },
    'unpaid-work': { name: 'Ulla Unsettled', hours: 20, daysAgo: 20, gross: [[600]] },
    'paid-after-leaving': {
      name: 'Lars Longgone',
      fields: { dateLeft: day(-120), dateOfJoining: day(-300) },
      gross: [[], [600]],
    },
    'payslip-twice': { name: 'Percy Twice', gross: [[600], [600, 600]] },
    'payslip-amount': { name: 'Nina Nothing', gross: [[], [0]] },
    'payslip-change': { name: 'Rhys Risen', gross: [[300], [900]] },
    'person-details': { name: 'Freda Often', fields: { payFrequency: null } },
  }
  const ireland: Readonly<Record<string, SampleProblem>> = {
    'tax-details': { name: 'Peadar Codeless', fields: { ppsNumber: null, prsiEeClasses: null } },
    'emergency-tax': { name: 'Eimear Emergency', fields: { taxBasis: 'EMERGENCY', dateOfJoining: day(-90) } },
    'prsi-class': { name: 'Pól Classy', fields: { prsiEeClasses: 'J1' } },
  }
  const people = (country: CountryId, faults: Readonly<Record<string, SampleProblem>>) =>
    Object.values(faults).map((fault, at) => faulty(country, fault, at + 1, day(-7)))
  return {
    candidates: { uk: people('uk', uk), ireland: people('ireland', ireland) },
    timesheets: [
      ...Object.values(uk).flatMap(({ hours, sheets = 1, daysAgo = 0 }, at) =>
        hours === undefined
          ? []
          : Array.from({ length: sheets }, () =>
              sheet(sampleReference('uk', at + 1), (days) => day(days - daysAgo), hours),
            ),
      ),
      // For unknown-person.
      sheet(sampleReference('uk', 99), day, 37.5),
    ],
    payslips: Object.values(uk).flatMap(({ gross = [] }, at) =>
      gross.flatMap((amounts, week) =>
        amounts.map((amount) => ({
          subcontractorRef: sampleReference('uk', at + 1),
          taxYear: '2026/27',
          taxPeriod: `Week ${week + 1}`,
          gross: amount,
        })),
      ),
    ),
  }
}

const sampleReference = (country: CountryId, number: number) =>
  `PROBLEM-${sandboxCountries[country].code}-${twoDigits(number)}`

/** The person as a body of create: with an account and a number of their own, and then with the fault. */
function faulty(
  country: CountryId,
  { name, fields = {}, number }: SampleProblem,
  place: number,
  joined: string,
): JsonObject {
  const [forename = '', surname = ''] = name.split(' ')
  const { starter } = sandboxCountries[country]
  const details = {
    agencyRef: sampleReference(country, number ?? place),
    dateOfJoining: joined,
    ...(country === 'uk' && {
      NINumber: `QQ9988${twoDigits(place)}A`,
      accountNumber: `700000${twoDigits(place)}`,
      IBANReference: null,
      SWIFTNo: null,
    }),
  }
  const body = starter(
    [forename, surname, 'FEMALE', '1990-01-01', 'London', 'SW1A 1AA', 'Tester', 20],
    50 + place,
  )
  return withFields(country, body, { ...details, ...fields })
}

/** A body with these values by the last names of their fields. What no request has, as dateLeft, stands at the top. */
function withFields(
  country: CountryId,
  body: JsonObject,
  values: Readonly<Record<string, Json>>,
): JsonObject {
  const leaves = leafFields(recordSentBy(candidatesByCountry[country].create).fields)
  return Object.entries(values).reduce((changed, [name, value]) => {
    const { path = name } = leaves.find((leaf) => lastName(leaf.path) === name) ?? {}
    return withValueAt(changed, path.split('.'), value) as JsonObject
  }, body)
}

function sheet(reference: string, day: (days: number) => string, hours: number): JsonObject {
  return {
    subcontractorRef: reference,
    assignmentRef: reference.replace('PROBLEM', 'ASSIGNMENT'),
    startDate: day(-7),
    endDate: day(-1),
    rates: [{ rate: '20.00', units: hours.toFixed(1) }],
  }
}
