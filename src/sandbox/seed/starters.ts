import type { JsonObject } from '../http/json.ts'
import type { Person } from './people.ts'

/** The IBANs, NI numbers, PPS numbers and mobiles below are public sample values, not those of real people. */
const ppsNumbers = ['1234567T', '1234567FA', '6433435F', '6433435OA'] as const

/** The body of Create Candidate for a UK person. `number`, from 1, becomes part of the reference. */
export function ukStarter(person: Person, number: number): JsonObject {
  const digits = twoDigits(number)
  return {
    generalSetting: {
      ...general(person, agencyRefOf('UK', number), `07700 9001${digits}`),
      NINumber: `QQ1234${digits}${'ABCD'[number % 4]}`,
      nationality: 'British',
      postCode: person[5],
      country: 'GB',
      workingTimeRegulation: 'OPT_IN',
      agencyConductRegulation: 'OPT_IN',
      pensionSetting: {
        ...pension(),
        pensionCalculationType: 'NET_PAY_ARRANGEMENT',
        isSalarySacrifice: false,
      },
    },
    bankSetting: {
      accountName: nameOf(person),
      sortCode: '601613',
      accountNumber: '31926819',
      IBANReference: 'GB29NWBK60161331926819',
      SWIFTNo: 'NWBKGB2L',
    },
    payrollSetting: {
      paymentModel: 'PAYEE',
      taxCode: '1257L',
      niCategory: 'A',
      starterDeclaration: 'A',
      ...holiday(12.07),
    },
  }
}

/** The body of Create Ireland candidate. */
export function irishStarter(person: Person, number: number): JsonObject {
  const digits = twoDigits(number)
  return {
    generalSetting: {
      ...general(person, agencyRefOf('IE', number), `07700 9002${digits}`),
      nationality: 'Irish',
      eircode: person[5],
      country: 'IE',
      rightToWorkStatus: 'IRISH_CITIZEN',
      pensionSetting: pension(),
    },
    bankSetting: {
      accountName: nameOf(person),
      IBANReference: 'IE29AIBK93115212345678',
      SWIFTNo: 'AIBKIE2D',
      isInternationalAccount: false,
      country: 'IE',
    },
    payrollSetting: {
      ppsNumber: ppsNumbers[number % ppsNumbers.length] ?? ppsNumbers[0],
      employmentId: '1',
      paymentModel: 'PAYEE',
      taxBasis: 'CUMULATIVE',
      taxCreditAnnual: '4000.00',
      yearlyRateCutOff: '44000.00',
      annual_zeroPointFive: '12012.00',
      annual_two: '28700.00',
      annual_fourPointFive: '70044.00',
      prsiEeClasses: 'A1',
      payrollApproveNeeded: 'false',
      ...holiday(8),
    },
  }
}

/** The reference of a sample person. */
export function agencyRefOf(country: 'UK' | 'IE', number: number): string {
  return `SANDBOX-${country}-${twoDigits(number)}`
}

function general(
  [forename, surname, gender, DOB, city, , job, rateHour]: Person,
  ref: string,
  mobile: string,
) {
  return {
    agencyRef: ref,
    title: gender === 'FEMALE' ? 'Ms' : 'Mr',
    forename,
    surname,
    gender,
    DOB,
    maritalStatus: 'SINGLE',
    address: ['1 Example Street'],
    city,
    mobile,
    email: `${ref.toLowerCase()}@example.com`,
    dateOfJoining: '2026-04-06',
    jobDescription: job,
    payFrequency: 'WEEKLY',
    payMethod: 'BACS',
    rateHour,
    hours: 37.5,
    registrationStatus: 'ONGOING',
  }
}

function pension() {
  return { optState: 'ignition', outsideUKWorker: false, lastAssessmentOn: '2026-04-06T00:00:00.000Z' }
}

function holiday(holidayPayRate: number) {
  return { holidayPayMethod: 'ROLLED_UP', holidayPayRate, includeInTimesheetRate: true }
}

function nameOf([forename, surname]: Person): string {
  return `${forename} ${surname}`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
