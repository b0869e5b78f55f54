import type { Json } from '../../../json/path.ts'
import type { Standard } from '../fields/field.ts'

/** Sample values by field name, and by standard. */
export interface Samples {
  readonly named: Readonly<Record<string, Json>>
  readonly standard: Partial<Readonly<Record<Standard, Json>>>
}

const midnight = (date: string) => `${date}T00:00:00.000Z`

/** Public sample values, not of a real person. The bank details are all of one account, the IBAN registry's sample. */
export const ukSamples: Samples = {
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
    // Only one undergraduate loan is deducted at a time.
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
