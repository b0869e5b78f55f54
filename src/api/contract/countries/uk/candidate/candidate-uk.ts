import { bankSetting } from '../../../candidate/bank-setting.ts'
import { anyCandidate, candidateIdNames, sectionNames } from '../../../candidate/candidate.ts'
import { added, columns } from '../../../candidate/candidate-response.ts'
import { generalSetting } from '../../../candidate/general-setting.ts'
import { type Fields, object } from '../../../fields/field.ts'
import type { RecordType } from '../../../records/record-type.ts'
import { uk } from '../uk.ts'
import { payrollSetting } from './payroll-setting-uk.ts'

const { pensionSetting, ...general } = generalSetting satisfies Fields

/**
 * assumed: the answer for a UK candidate has the shape shown for an Irish one, with the UK fields. The document shows
 * no UK answer at all: "201, no body".
 */
export const candidateAnswer: RecordType = {
  displayName: uk.candidate,
  currency: uk.currency,
  documented: false,
  columns,
  idNames: candidateIdNames,
  fields: {
    ...added,
    ...general,
    pensionSetting,
    bank: object('Bank', bankSetting),
    setting: object('Payroll', payrollSetting),
  },
}

/** "UK candidate (request body of Create Candidate)". */
export const candidate: RecordType = {
  ...anyCandidate,
  displayName: uk.candidate,
  currency: uk.currency,
  fields: {
    generalSetting: object('General', generalSetting),
    bankSetting: object('Bank', bankSetting),
    payrollSetting: object('Payroll', payrollSetting),
  },
  answer: { type: candidateAnswer, names: sectionNames },
}
