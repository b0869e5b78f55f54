import { object } from '../fields/field.ts'
import type { RecordType } from '../records/record-type.ts'
import { bankSetting, bankSettingIreland } from './bank-setting.ts'
import { candidateAnswer, candidateIrelandAnswer } from './candidate-response.ts'
import { generalSetting, generalSettingIreland } from './general-setting.ts'
import { payrollSetting } from './payroll-setting.ts'
import { payrollSettingIreland } from './payroll-setting-ireland.ts'

/** "string agencyRef": chosen by the sender. "The response uses `bank` and `setting`"; general fields are at its top. */
const reference = { request: 'generalSetting.agencyRef', item: 'agencyRef' }

/** "The response uses `bank` and `setting` where the request uses `bankSetting` and `payrollSetting`." */
const names = [
  ['generalSetting.pensionSetting', 'pensionSetting'],
  ['bankSetting', 'bank'],
  ['payrollSetting', 'setting'],
  ['generalSetting', ''],
] as const

/** "string id (candidate identifier), … status", "nullable dateLeft, reason". assumed: `author`, as in a payment rate. */
const serviceOwned = ['status', 'dateLeft', 'reason', 'author']

/** "UK candidate (request body of Create Candidate)". */
export const candidate: RecordType = {
  displayName: 'a UK candidate',
  documented: true,
  reference,
  fields: {
    generalSetting: object('General', generalSetting),
    bankSetting: object('Bank', bankSetting),
    payrollSetting: object('Payroll', payrollSetting),
  },
  answer: { type: candidateAnswer, names },
  serviceOwned,
}

/** "Ireland candidate (request body of Create Ireland candidate)". */
export const candidateIreland: RecordType = {
  displayName: 'an Irish candidate',
  documented: true,
  reference,
  fields: {
    generalSetting: object('General', generalSettingIreland),
    bankSetting: object('Bank', bankSettingIreland),
    payrollSetting: object('Payroll', payrollSettingIreland),
  },
  answer: { type: candidateIrelandAnswer, names },
  serviceOwned,
}
