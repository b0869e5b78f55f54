import { isObject, type Json, type JsonObject } from '../../files/json/path.ts'
import { candidateIreland, candidateIrelandAnswer } from '../../model/resources/ireland-candidate.ts'
import { checkLetter } from '../../model/standards/reference-numbers.ts'
import { twoDigits } from '../../text/day.ts'
import { answerCandidate, objectOrEmpty } from './build-answer.ts'
import {
  agencyRefOf,
  generalFields,
  holidayFields,
  type MadeUpPerson,
  madeUpAccount,
  madeUpName,
  pensionFields,
  type SandboxCountry,
  type SentRecord,
} from './sandbox-country.ts'

/** The payrollSetting fields that `setting` shows otherwise: "payrollApproveNeeded … as a boolean; …". */
function irishDifferences(body: JsonObject): JsonObject {
  return {
    payrollApproveNeeded: toBoolean(body.payrollApproveNeeded),
    holidayPayRate: body.holidayPayRate === null ? 0 : (body.holidayPayRate ?? null),
    // assumed: no points are worked out of the cut-offs.
    taxRateCutOffPoints: Array.isArray(body.taxRateCutOffPoints) ? body.taxRateCutOffPoints : [],
    cutOffPoints: isObject(body.cutOffPoints) ? body.cutOffPoints : { type: null, values: [] },
  }
}

/** assumed: 'true', 'yes' and 'required', in any case, mean yes; null, no value and every other text mean no. */
function toBoolean(value: Json | undefined): boolean {
  return value === true || (typeof value === 'string' && /^(true|yes|required)$/i.test(value.trim()))
}

/** Twenty people paid in Ireland. The code is an Eircode. */
const irishPeople: readonly MadeUpPerson[] = [
  ['Áine', 'Ní Shampla', 'FEMALE', '1990-05-05', 'Dublin', 'A65 F4E2', 'Staff nurse', 27.5],
  ['Brían', "O'Sample", 'MALE', '1983-09-18', 'Dublin', 'D02 X285', 'Steel fixer', 26.8],
  ['Caoimhe', 'Testington', 'FEMALE', '1997-02-07', 'Dublin', 'D6W PV38', 'Pharmacist', 38.25],
  ['Dónal', 'Mac Sampla', 'MALE', '1976-11-23', 'Rush', 'K67 KR86', 'Quantity surveyor', 41],
  ['Éabha', 'Placeholder', 'FEMALE', '2001-06-30', 'Dublin', 'D02 C383', 'Healthcare assistant', 16.2],
  ['Fiadh', "O'Dummy", 'FEMALE', '2000-08-15', 'Dublin', 'D02 TN83', 'Laboratory analyst', 24.4],
  ['Gearóid', 'Example', 'MALE', '1988-01-09', 'Dublin', 'D05 FY62', 'Electrician', 28.9],
  ['Hanna', 'Näyte', 'FEMALE', '1992-12-12', 'Dublin', 'D02 X285', 'Data analyst', 36.5],
  ['Iarlaith', 'Specimen', 'MALE', '1981-04-28', 'Rush', 'K67 KR86', 'Plumber', 27.6],
  ['Jane', "D'Specimen", 'FEMALE', '1985-10-10', 'Dublin', 'D6W PV38', 'Social care worker', 21.75],
  ['Katarzyna', 'Próbka', 'FEMALE', '1994-03-17', 'Dublin', 'D02 C383', 'Warehouse operative', 14.8],
  ['Lorcán', 'Fixture', 'MALE', '1999-07-07', 'Dublin', 'D05 FY62', 'Carpenter', 25.3],
  ['Máirín', 'Uí Shampla', 'FEMALE', '1973-02-20', 'Dublin', 'A65 F4E2', 'Theatre nurse', 32.1],
  ['Nóra', 'Fakeberg', 'FEMALE', '1996-09-01', 'Dublin', 'D02 TN83', 'Supply teacher', 33.4],
  ['Oisín', "O'Mock", 'MALE', '1993-05-26', 'Rush', 'K67 KR86', 'Site engineer', 34.75],
  ['Pádraig', 'Demo', 'MALE', '1978-12-03', 'Dublin', 'D05 FY62', 'Crane operator', 30.2],
  ['Ríona', 'Stand-In', 'FEMALE', '1991-01-31', 'Dublin', 'D02 X285', 'Dental nurse', 19.9],
  ['Séamus', 'Testcase', 'MALE', '1969-06-06', 'Dublin', 'D6W PV38', 'Security officer', 15.95],
  ['Tuğçe', 'Örnek', 'FEMALE', '1998-08-19', 'Dublin', 'D02 C383', 'Software engineer', 52],
  ['Úna', 'Nobody', 'FEMALE', '1987-11-11', 'Dublin', 'D02 TN83', 'Occupational therapist', 31.6],
]

/** A PPS number for each person, plainly made up: 0000000AA, with the right check letter. */
function ppsNumberOf(number: number): string {
  const digits = String(number).padStart(7, '0')
  return `${digits}${checkLetter(digits, 'A')}A`
}

/** The body of Create Ireland candidate. The mobiles are public sample values, the account is made up. */
function irishStarter(person: MadeUpPerson, number: number): JsonObject {
  const digits = twoDigits(number)
  return {
    generalSetting: {
      ...generalFields(person, agencyRefOf('IE', number), `07700 9002${digits}`),
      nationality: 'Irish',
      eircode: person[5],
      country: 'IE',
      rightToWorkStatus: 'IRISH_CITIZEN',
      pensionSetting: pensionFields(),
    },
    bankSetting: {
      accountName: madeUpName(person),
      IBANReference: madeUpAccount('IE', 'AIBK', '931152', number).IBANReference,
      SWIFTNo: 'AIBKIE2D',
      isInternationalAccount: false,
      country: 'IE',
    },
    payrollSetting: {
      ppsNumber: ppsNumberOf(number),
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
      ...holidayFields(8),
    },
  }
}

/** The Republic of Ireland. */
export const ireland: SandboxCountry = {
  answer: answerIrish,
  code: 'IE',
  people: irishPeople,
  starter: irishStarter,
  documents: [
    [1, 'contract.txt', 'Signed contract'],
    [2, 'tax-credit-certificate.txt', 'Tax credit certificate'],
  ],
  vatCodes: [
    ['Ireland standard', '23%', 'IE-S'],
    ['Ireland reduced', '13.5%', 'IE-R'],
    ['Ireland second reduced', '9%', 'IE-R2'],
    ['Ireland zero rated', '0%', 'IE-Z'],
  ],
  taxYear: String,
}

/** "Ireland candidate (response of Create Ireland candidate)". */
function answerIrish(record: SentRecord): JsonObject {
  const answer = answerCandidate(record, candidateIreland.fields, candidateIrelandAnswer.fields)
  const { generalSetting, payrollSetting } = record.body
  return {
    ...answer,
    shareCodeVerified: toBoolean(objectOrEmpty(generalSetting).shareCodeVerified),
    setting: { ...objectOrEmpty(answer.setting), ...irishDifferences(objectOrEmpty(payrollSetting)) },
  }
}
