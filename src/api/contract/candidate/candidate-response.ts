import { date, type Fields, flag, inSection, object, only, text } from '../fields/field.ts'
import type { RecordType } from '../records/record-type.ts'
import { bankAnswer, bankSetting } from './bank-setting.ts'
import { generalSetting, generalSettingIreland } from './general-setting.ts'
import { payrollSetting } from './payroll-setting.ts'
import { settingAnswer } from './payroll-setting-ireland.ts'
import { pensionSettingAnswer } from './pension-setting.ts'

const columns = ['agencyRef', 'forename', 'surname', 'id', 'status', 'dateOfJoining', 'registrationStatus']

/** The fields that the service adds to a candidate. */
const added = inSection('person', {
  id: text('ID', { help: 'candidate identifier' }),
  status: text('Status', { exampleValues: ['ACTIVE'] }),
  dateLeft: date('Date left', { nullable: true, assumed: true }),
  reason: text('Reason for leaving', { nullable: true, assumed: true }),
})

/** "The candidate object contains": the general fields at the top, and `bank` and `setting` beside them. */
export const candidateIrelandAnswer: RecordType = {
  displayName: 'an Irish candidate',
  documented: true,
  columns,
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

const { pensionSetting, ...general } = generalSetting satisfies Fields

/**
 * assumed: the answer for a UK candidate has the shape shown for an Irish one, with the UK fields. The document shows
 * no UK answer at all: "201, no body".
 */
export const candidateAnswer: RecordType = {
  displayName: 'a UK candidate',
  documented: false,
  columns,
  fields: {
    ...added,
    ...general,
    pensionSetting,
    bank: object('Bank', bankSetting),
    setting: object('Payroll', payrollSetting),
  },
}
