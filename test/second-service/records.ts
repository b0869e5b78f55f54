import { checkLetter } from '../../src/model/standards/reference-numbers.ts'

/** A record as the service holds it: under the names of the request that made it. */
export type Held = Record<string, any>

/** A record as a file has it: null, which says that there is none, is left out. */
export const withoutNulls = (record: Held): Held =>
  JSON.parse(JSON.stringify(record, (_, value) => (value === null ? undefined : value)))

const pension = () => ({
  outsideUKWorker: false,
  lastAssessmentOn: '2026-04-06T00:00:00.000Z',
  membershipStartDate: '2026-04-06T00:00:00.000Z',
  optInDate: '2026-04-06T00:00:00.000Z',
  memberId: 'M-1',
  optState: 'ignition',
  // There is none, and an update sends it back as it came.
  optOutDate: null,
})

const general = (ref: string, at: number) => ({
  agencyRef: ref,
  title: 'Ms',
  gender: 'FEMALE',
  forename: `Forename${at}`,
  surname: `Sample${at}`,
  DOB: '1992-11-05',
  maritalStatus: 'SINGLE',
  nationality: 'Irish',
  address: [`${at} Example Street`, 'Flat 2'],
  city: 'Dublin',
  mobile: '07700 900124',
  email: `person${at}@example.com`,
  registrationStatus: 'REGISTRATION_COMPLETE',
  payFrequency: 'WEEKLY',
  payMethod: 'BACS',
  jobDescription: 'Electrician',
  emergencyAddress: ['9 Example Road'],
  dateOfJoining: '2026-09-07',
  documentExpiryDate: '2030-01-31',
  department: null,
  annualSalary: 0,
  rateHour: 21.75 + at,
  hours: 37.5,
  // No page names it: a service may hold more than its page says, and a change of something else must keep it.
  costCentre: `CC-${at}`,
  pensionSetting: pension(),
})

const bank = (at: number) => ({
  bankName: 'Example Bank',
  accountName: `F Sample${at}`,
  accountNumber: `000${12340 + at}`,
  sortCode: '601613',
  IBANReference: 'GB29NWBK60161331926819',
  SWIFTNo: 'NWBKGB2L',
})

/** Six digits that only this reference has: no two people have one number. */
function sixDigits(ref: string): string {
  const digits = [...ref].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 999_983, 7)
  return String(digits).padStart(6, '0')
}

export const ukPerson = (ref: string, at: number): Held => ({
  generalSetting: {
    ...general(ref, at),
    NINumber: `QQ${sixDigits(ref)}A`,
    postCode: 'SW1A 1AA',
    country: 'GB',
  },
  bankSetting: bank(at),
  payrollSetting: {
    paymentModel: 'PAYEE',
    taxCode: '1257L',
    taxBasis: 'CUMULATIVE',
    niCategory: 'A',
    margin: 15.5,
    holidayPayMethod: 'ROLLED_UP',
    holidayPayRate: 12.07,
    haveStudentLoan: false,
    openingBalance: { gross: 1000.5, tax: 0 },
  },
})

export const irishPerson = (ref: string, at: number): Held => ({
  generalSetting: { ...general(ref, at), eircode: 'D02 X285', country: 'IE', shareCodeVerified: false },
  bankSetting: { ...bank(at), isInternationalAccount: false, country: 'IE' },
  payrollSetting: {
    paymentModel: 'PAYEE',
    ppsNumber: `1${sixDigits(ref)}${checkLetter(`1${sixDigits(ref)}`)}`,
    employmentId: '1',
    taxBasis: 'CUMULATIVE',
    taxCreditAnnual: '4000.00',
    yearlyRateCutOff: '44000.00',
    uscExemption: 'ORDINARY',
    prsiEeClasses: 'A1',
    payrollApproveNeeded: 'true',
    holidayPayMethod: 'ROLLED_UP',
    holidayPayRate: 8,
    totalTax: 12.5,
    includeInTimesheetRate: true,
    taxRateCutOffPoints: [{ index: 0, yearlyRateCutOff: '44000.00', taxRatePercent: '20' }],
    cutOffPoints: {
      type: 'USC',
      values: [
        { index: 0, uscRatePercent: 0.5, yearlyUSCRateCutOff: '12012.00' },
        { index: 1, uscRatePercent: 8 },
      ],
    },
    openingBalance: { gross: 900, tax: 100.25 },
  },
})

export const paymentRate = (code: string, vat: string): Held => ({
  description: `Rate ${code}`,
  displayOnPayslip: true,
  status: 'ACTIVE',
  code,
  type: 'RATE',
  units: 'HOURLY',
  hoursPerUnit: 7.5,
  includeInCisCalculation: true,
  includeNICalculation: true,
  includeTaxCalculation: true,
  includePensionCalculation: false,
  includeAccrueHolidayPay: true,
  raiseInvoice: false,
  defaultVATCode: vat,
  includeInPayeCalculation: true,
})

export const timesheet = (ref: string, day: number): Held => ({
  subcontractorRef: ref,
  assignmentRef: `JOB-${day}`,
  startDate: `2026-04-${String(day).padStart(2, '0')}`,
  endDate: `2026-04-${String(day + 6).padStart(2, '0')}`,
  rates: [{ rateId: 'RATE-1', rate: '16.00', vatID: 'VAT-1', units: '37.50' }],
  taxYear: '2026/27',
  taxPeriodConfig: 'Week 1',
})

export const payslip = (at: number): Held => ({
  taxPeriod: 1 + (at % 52),
  taxYear: '2026/27',
  agencyName: 'Example Agency',
  subcontractorName: `Sample${at}`,
  timesheetValue: 600.5,
  margin: 15.5,
  gross: 585 + at,
})

export const document = (name: string): Held => ({
  name,
  contentType: 'application/pdf',
  description: `About ${name}`,
  content: Buffer.from(`%PDF-1.4 ${name}`).toString('base64'),
})
