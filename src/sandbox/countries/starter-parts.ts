import type { Person } from './sandbox-country.ts'

/** The reference of a sample person. `country` is the code of its country in the sandbox. */
export function agencyRefOf(country: string, number: number): string {
  return `SANDBOX-${country}-${twoDigits(number)}`
}

/** The general fields that every country has. */
export function general(
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

/** The pension of somebody who was not enrolled yet. */
export function pension() {
  return { optState: 'ignition', outsideUKWorker: false, lastAssessmentOn: '2026-04-06T00:00:00.000Z' }
}

/** Holiday pay with each payslip. */
export function holiday(holidayPayRate: number) {
  return { holidayPayMethod: 'ROLLED_UP', holidayPayRate, includeInTimesheetRate: true }
}

/** First name and surname. */
export function nameOf([forename, surname]: Person): string {
  return `${forename} ${surname}`
}

/** "07" for 7. */
export function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
