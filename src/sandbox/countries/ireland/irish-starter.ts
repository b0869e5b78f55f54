import type { JsonObject } from '../../http/json.ts'
import type { Person } from '../sandbox-country.ts'
import { agencyRefOf, general, holiday, nameOf, pension, twoDigits } from '../starter-parts.ts'

/** The PPS numbers, and the IBAN and mobiles below, are public sample values, not those of real people. */
const ppsNumbers = ['1234567T', '1234567FA', '6433435F', '6433435OA'] as const

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
