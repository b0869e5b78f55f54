import { anyCandidate, candidateIdNames, sectionNames } from '../../../candidate/candidate.ts'
import { added, columns } from '../../../candidate/candidate-response.ts'
import { pensionSettingAnswer } from '../../../candidate/pension-setting.ts'
import { date, flag, object, only, text } from '../../../fields/field.ts'
import type { RecordType } from '../../../records/record-type.ts'
import { ireland } from '../ireland.ts'
import { bankAnswer, bankSettingIreland } from './bank-setting-ireland.ts'
import { generalSettingIreland } from './general-setting-ireland.ts'
import { payrollSettingIreland, settingAnswer } from './payroll-setting-ireland.ts'

/** "The candidate object contains": the general fields at the top, and `bank` and `setting` beside them. */
export const candidateIrelandAnswer: RecordType = {
  displayName: ireland.candidate,
  currency: ireland.currency,
  documented: true,
  columns,
  idNames: candidateIdNames,
  fields: {
    ...added,
    ...only(
      generalSettingIreland,
      'agencyRef',
      'title',
      'gender',
      'forename',
      'surname',
      'maritalStatus',
      'nationality',
      'city',
      'county',
      'eircode',
      'country',
      'mobile',
      'email',
      'registrationStatus',
      'payFrequency',
      'payMethod',
      'jobDescription',
      'emergencyName',
      'emergencyCity',
      'emergencyCounty',
      'emergencyCountry',
      'emergencyEircode',
      'emergencyMobile',
      'emergencyEmail',
      'rightToWorkStatus',
      'documentType',
      'DOB',
      'dateOfJoining',
      'address',
      'emergencyAddress',
      'annualSalary',
      'rateHour',
      'hours',
    ),
    // Nullable in the request, but not in the answer.
    document: text('Document', { section: 'work' }),
    documentExpiryDate: date('Document expires', { section: 'work' }),
    shareCodeVerified: flag('Share code verified', { section: 'work' }),
    pensionSetting: object('Pension', pensionSettingAnswer, { section: 'pension' }),
    bank: object('Bank', bankAnswer),
    setting: object('Payroll', settingAnswer),
  },
}

/** "Ireland candidate (request body of Create Ireland candidate)". */
export const candidateIreland: RecordType = {
  ...anyCandidate,
  displayName: ireland.candidate,
  currency: ireland.currency,
  fields: {
    generalSetting: object('General', generalSettingIreland),
    bankSetting: object('Bank', bankSettingIreland),
    payrollSetting: object('Payroll', payrollSettingIreland),
  },
  answer: { type: candidateIrelandAnswer, names: sectionNames },
}
