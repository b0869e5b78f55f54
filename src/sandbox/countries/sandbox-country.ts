import type { JsonObject } from '../../files/json/path.ts'
import { twoDigits } from '../../text/day.ts'

/** A made-up person, as one short row. */
export type MadeUpPerson = readonly [
  forename: string,
  surname: string,
  gender: 'FEMALE' | 'MALE',
  birth: string,
  city: string,
  code: string,
  job: string,
  hourlyRate: number,
]

/** What a country needs of a stored record to answer it: its id, and the body that was sent. */
export interface SentRecord {
  readonly id: string
  readonly body: JsonObject
}

/** A country of the sandbox: how it answers its candidates, and the made-up records of `sandbox seed`. */
export interface SandboxCountry {
  readonly answer: (record: SentRecord) => JsonObject
  /** Stands in the references of its people: SANDBOX-IE-01. */
  readonly code: string
  readonly people: readonly MadeUpPerson[]
  /** The body of its create. `number`, from 1, becomes part of the reference. */
  readonly starter: (person: MadeUpPerson, number: number) => JsonObject
  /** Each of the person with this number, from 1. */
  readonly documents: readonly (readonly [person: number, name: string, description: string])[]
  readonly vatCodes: readonly (readonly [description: string, rate: string, code: string])[]
  /** What the tax year that begins in this year is called. */
  readonly taxYear: (year: number) => string
}

/** The reference of a sample person. `country` is the code of its country in the sandbox. */
export function agencyRefOf(country: string, number: number): string {
  return `SANDBOX-${country}-${twoDigits(number)}`
}

/** The general fields that every country has. */
export function generalFields(
  [forename, surname, gender, DOB, city, , job, rateHour]: MadeUpPerson,
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
export function pensionFields() {
  return { optState: 'ignition', outsideUKWorker: false, lastAssessmentOn: '2026-04-06T00:00:00.000Z' }
}

/** Holiday pay with each payslip. */
export function holidayFields(holidayPayRate: number) {
  return { holidayPayMethod: 'ROLLED_UP', holidayPayRate, includeInTimesheetRate: true }
}

/** The whole name of a person. */
export const madeUpName = ([forename, surname]: MadeUpPerson): string => `${forename} ${surname}`

/** The bank, the branch and the account of a made-up person, `00000001` and so on, with an IBAN whose check digits are right. */
export function madeUpAccount(country: string, bank: string, branch: string, number: number) {
  const accountNumber = String(number).padStart(8, '0')
  const basic = bank + branch + accountNumber
  const digits = `${basic}${country}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  const check = 98n - (BigInt(digits) % 97n)
  return { accountNumber, IBANReference: `${country}${String(check).padStart(2, '0')}${basic}` }
}
