import type { Json, JsonObject } from '../../../json/path.ts'
import { candidateIreland } from '../candidate/candidate.ts'
import type { RecordType } from '../records/record-type.ts'
import type { Field, Fields, Standard } from './field.ts'

/**
 * A record with these fields filled in, visibly made up: it may be sent, and all that a public standard says of
 * it is that it is an example. Left in by mistake, it is noticed.
 */
export function sample(type: RecordType, fields: Fields = type.fields): JsonObject {
  return sampleOf(fields, type === candidateIreland ? irish : british)
}

/** Values by the name of their field, and by the standard that they have to meet. */
interface Samples {
  readonly named: Readonly<Record<string, Json>>
  readonly standard: Partial<Readonly<Record<Standard, Json>>>
}

function sampleOf(fields: Fields, samples: Samples): JsonObject {
  const entries = Object.entries(fields).map(([name, field]) => [name, sampleValue(name, field, samples)])
  return Object.fromEntries(entries)
}

/** One that was written for it, else one that was seen or is official, else one of its type. */
function sampleValue(name: string, field: Field, samples: Samples): Json {
  const { named, standard } = samples
  if (field.fields) return sampleOf(field.fields, samples)
  if (Object.hasOwn(named, name)) return named[name]
  const typical = field.standard && standard[field.standard]
  if (typical !== undefined) return typical
  const [known] = [...(field.exampleValues ?? []), ...(field.standardValues ?? [])]
  if (known !== undefined) return known
  if (field.item) return [sampleValue(name, field.item, samples)]
  if (field.type === 'string' || field.type === 'unknown') return `Example ${lowered(field.label)}`
  return ofType[field.type]
}

const ofType: Readonly<Record<Exclude<Field['type'], 'string' | 'unknown'>, Json>> = {
  number: 123.45,
  integer: 1,
  boolean: true,
  date: '2026-04-06',
  timestamp: '2026-04-06T00:00:00.000Z',
  decimal: '37.50',
  country: 'GB',
  lines: ['1 Example Street', 'Example District'],
  array: [],
  object: {},
}

/** A label inside a sentence; an abbreviation keeps its capitals. */
const lowered = (label: string) => label.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())

const midnight = (date: string) => `${date}T00:00:00.000Z`

/** Public samples that are nobody's. The bank details are those of one account, the sample of the IBAN registry. */
const british: Samples = {
  standard: {
    nino: 'QQ123456A',
    postcode: 'SW1A 1AA',
    phone: '07700 900123',
    email: 'alex@example.com',
    'birth-date': '1990-01-31',
    'weekly-hours': 37.5,
    'sort-code': '601613',
    'account-number': '31926819',
    iban: 'GB29NWBK60161331926819',
    bic: 'NWBKGB2L',
    'roll-number': 'BS123456',
    'tax-code': '1257L',
    'ni-category': 'A',
    utr: '1234567895',
    'vat-number': 'GB980780684',
    'company-number': '01234567',
    'cis-verification': 'V1234567890',
  },
  named: {
    agencyRef: 'EXAMPLE-1',
    forename: 'Alex',
    surname: 'Example',
    nationality: 'British',
    city: 'London',
    emergencyCity: 'London',
    bankName: 'Example Bank',
    accountName: 'Alex Example',
    emergencyName: 'Sam Example',
    emergencyMobile: '07700 900124',
    emergencyEmail: 'sam@example.com',
    annualSalary: 31200,
    rateHour: 16,
    documentExpiryDate: '2031-01-31',
    payrollCalculationEnd: '2027-04-05',
    postponementEndDate: midnight('2026-07-06'),
    verificationDate: '2026-04-06',
    matchDate: '2026-04-06',
    holidayPayRate: 12.07,
    // One undergraduate loan is deducted at a time.
    studentLoanPlan1StartDate: midnight('2018-04-06'),
    studentLoanPlan1EndDate: midnight('2020-04-06'),
    studentLoanPlan2StartDate: midnight('2020-04-06'),
    studentLoanPlan2EndDate: midnight('2022-04-06'),
    studentLoanPlan4StartDate: midnight('2022-04-06'),
    studentLoanPlan4EndDate: midnight('2024-04-06'),
    studentLoanPlan5StartDate: midnight('2024-04-06'),
    studentLoanPlan5EndDate: midnight('2026-04-06'),
    studentLoanPostGraEndDate: midnight('2030-04-06'),
    code: 'EXAMPLE-DAY',
    hoursPerUnit: 7.5,
    subcontractorRef: 'EXAMPLE-1',
    endDate: '2026-04-12',
    rate: '16.00',
    taxYear: '2026/27',
    taxPeriodConfig: 'Week 1',
    name: 'example.txt',
    contentType: 'text/plain',
    content: 'RXhhbXBsZQ==',
  },
}

/** The same person in Ireland. */
const irish: Samples = {
  standard: {
    ...british.standard,
    ppsn: '1234567FA',
    eircode: 'D02 X285',
    'sort-code': '931152',
    'account-number': '12345678',
    iban: 'IE29AIBK93115212345678',
    bic: 'AIBKIE2D',
    'prsi-class': 'A1',
  },
  named: {
    ...british.named,
    nationality: 'Irish',
    city: 'Dublin',
    emergencyCity: 'Dublin',
    employmentId: '1',
    country: 'IE',
    emergencyCountry: 'IE',
    rightToWorkStatus: 'IRISH_CITIZEN',
    taxCreditAnnual: '4000.00',
    taxCreditFrequency: '76.92',
    yearlyRateCutOff: '44000.00',
    yearlyRateCutOffFrequency: '846.15',
    frequency_zeroPointFive: '231.00',
    frequency_two: '551.92',
    frequency_fourPointFive: '1347.00',
    annual_zeroPointFive: '12012.00',
    annual_two: '28700.00',
    annual_fourPointFive: '70044.00',
    prsiExemption: 'NONE',
    payrollApproveNeeded: 'true',
    // assumed: sent in the form in which they are answered.
    taxRateCutOffPoints: [
      { index: 1, yearlyRateCutOff: '44000.00', taxRatePercent: '20' },
      { index: 2, yearlyRateCutOff: '44000.00', taxRatePercent: '40' },
    ],
    cutOffPoints: {
      type: 'ORDINARY',
      values: [
        { index: 1, uscRatePercent: 0.5, yearlyUSCRateCutOff: '12012.00' },
        { index: 2, uscRatePercent: 8 },
      ],
    },
  },
}
