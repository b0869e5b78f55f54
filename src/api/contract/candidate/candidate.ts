import { object } from '../fields/field.ts'
import type { RecordType } from '../records/record-type.ts'
import { bankSetting, bankSettingIreland } from './bank-setting.ts'
import { generalSetting, generalSettingIreland } from './general-setting.ts'
import { payrollSetting } from './payroll-setting.ts'
import { payrollSettingIreland } from './payroll-setting-ireland.ts'

/** "string agencyRef": chosen by the sender. "The response uses `bank` and `setting`"; general fields are at its top. */
const reference = { request: 'generalSetting.agencyRef', item: 'agencyRef' }

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
}
