import {
  country,
  date,
  flag,
  inSection,
  integer,
  lines,
  number,
  object,
  pick,
  text,
  timestamp,
} from '../fields/field.ts'
import type { PayNeed, RecordType } from '../records/record-type.ts'

/** "The response uses `bank` and `setting` where the request uses `bankSetting` and `payrollSetting`." */
export const sectionNames = [
  ['generalSetting.pensionSetting', 'pensionSetting'],
  ['bankSetting', 'bank'],
  ['payrollSetting', 'setting'],
  ['generalSetting', ''],
] as const

/** assumed: other names of a candidate's id, who is the employee of "an employee profile". */
export const candidateIdNames = ['candidateId', 'employeeId', 'workerId', 'personId'] as const

/** Fields that an update must not lose, besides those needed for pay: nearly every candidate has them. */
export const valuableInEveryCountry = [
  'generalSetting.agencyRef',
  'generalSetting.address',
  'generalSetting.payMethod',
  ['generalSetting.rateHour', 'generalSetting.annualSalary'],
  'generalSetting.hours',
  // Payslips go there.
  'generalSetting.email',
  // "object pensionSetting": part of the answer that is shown.
  'generalSetting.pensionSetting',
  'generalSetting.pensionSetting.optState',
  'bankSetting.accountName',
  'bankSetting.accountNumber',
  'bankSetting.sortCode',
  'payrollSetting.paymentModel',
  'payrollSetting.taxBasis',
] as const

/** A subcontractor has no tax code and pays no NI or PRSI through a payroll. */
export const employeesOnly = { unless: { 'payrollSetting.paymentModel': ['CIS'] } } as const

/** Nobody who is paid in another way needs an account. */
export const paidIntoBankOnly = {
  unless: { 'generalSetting.payMethod': ['CHEQUE', 'CHECK', 'CASH'] },
} as const

/** What pay needs in every country: who it is and since when, how often it is paid, and how much. */
export const neededInEveryCountry = [
  {
    name: 'person',
    fields: ['forename', 'surname', 'DOB', 'dateOfJoining', 'payFrequency'].map(
      (name) => `generalSetting.${name}`,
    ),
  },
  {
    name: 'rate',
    fields: ['generalSetting.rateHour'],
    or: [['generalSetting.annualSalary']],
    aboveZero: true,
  },
] as const satisfies readonly PayNeed[]

/** What the candidates of all countries share, except their fields. */
export const anyCandidate = {
  documented: true,
  /** "string agencyRef": chosen by the sender. */
  reference: 'generalSetting.agencyRef',
  names: [['generalSetting.forename', 'generalSetting.surname'], ['generalSetting.agencyRef']],
  /** A person without a name cannot be found again, nor be paid. */
  needs: ['generalSetting.forename', 'generalSetting.surname'],
  /** "string id …, … status", "nullable dateLeft, reason". assumed: `author`, as in a payment rate. */
  serviceOwned: ['status', 'dateLeft', 'reason', 'author'],
  idNames: candidateIdNames,
} as const satisfies Partial<RecordType>

/** "pensionSetting (inside generalSetting)", the same for the UK and Ireland. */
const pensionSetting = inSection('pension', {
  optState: text('Auto-enrolment status', {
    machine: true,
    exampleValues: ['ignition'],
    help: 'Auto-enrolment as in the UK. Ireland has My Future Fund since 2026, which has no field here.',
    note: 'Sent as it stands; the other words are not shown.',
  }),
  scheme: text('Pension scheme'),
  reference: text('Scheme reference'),
  memberId: text('Member ID', { nullable: true }),
  pensionCalculationType: text('Tax relief method', {
    exampleValues: ['NET_PAY_ARRANGEMENT'],
    codes: 'tax-relief',
    help: 'How tax relief is given.',
  }),
  isSalarySacrifice: flag('Salary sacrifice'),
  outsideUKWorker: flag('Works outside the UK'),
  lastAssessmentOn: timestamp('Last assessed on'),
  dateOnClassifiedOn: timestamp('Worker category assessed on'),
  ejhDate: timestamp('Eligible jobholder date'),
  postponementEndDate: timestamp('Postponement ends', { help: 'The deferral date; at most three months.' }),
  membershipStartDate: timestamp('Membership starts'),
  optInDate: timestamp('Opted in on'),
  optOutDate: timestamp('Opted out on'),
})

/** "It does not return scheme, reference, isSalarySacrifice or pensionCalculationType". */
export const pensionSettingAnswer = {
  ...pick(pensionSetting, 'outsideUKWorker', 'optState'),
  memberId: text('Member ID'),
  ...inSection('pension', {
    lastAssessmentOn: date('Last assessed on'),
    dateOnClassifiedOn: date('Worker category assessed on'),
    ejhDate: date('Eligible jobholder date'),
    postponementEndDate: date('Postponement ends'),
    membershipStartDate: date('Membership starts'),
    optInDate: date('Opted in on'),
    optOutDate: date('Opted out on', { nullable: true, assumed: true }),
  }),
}

/** Who the person is, and what they do: as interface.md has it for the UK, and names what other countries have otherwise. */
export const generalSetting = {
  ...inSection('person', {
    agencyRef: text('Agency reference', {
      essential: true,
      standard: 'reference',
      help: 'Your own reference for this person. payroll finds the record by it, so no two people may share it.',
    }),
    title: text('Title', { exampleValues: ['Mr', 'NONE'], codes: 'title' }),
    forename: text('Forename', { essential: true, standard: 'name' }),
    surname: text('Surname', { essential: true, standard: 'name' }),
    gender: text('Gender', { essential: true, exampleValues: ['MALE', 'FEMALE'] }),
    DOB: date('Date of birth', { essential: true, sensitive: true, standard: 'birth-date' }),
    address: lines('Address', {
      essential: true,
      standard: 'address-line',
      help: 'House and street, a line each. The town and the rest have their own fields.',
    }),
    city: text('City or town', { essential: true, standard: 'place' }),
    county: text('County', { standard: 'place' }),
    postCode: text('Postcode', { essential: true, standard: 'postcode' }),
    country: country('Country', { essential: true }),
    NINumber: text('National Insurance number', {
      essential: true,
      sensitive: true,
      standard: 'nino',
      help: 'Two letters, six digits, one letter A to D.',
    }),
    maritalStatus: text('Marital status', { exampleValues: ['SINGLE'], codes: 'marital-status' }),
    nationality: text('Nationality'),
  }),
  ...inSection('job', {
    dateOfJoining: date('Start date', { essential: true, standard: 'start-date' }),
    jobDescription: text('Job title', { essential: true }),
    department: text('Department', { nullable: true }),
    payFrequency: text('Pay frequency', {
      essential: true,
      exampleValues: ['WEEKLY'],
      codes: 'pay-frequency',
      preset: { value: 'WEEKLY' },
      help: 'How often this person is paid.',
    }),
    rateHour: number('Hourly rate', {
      essential: true,
      when: { without: 'annualSalary' },
      money: true,
      standard: 'hourly-rate',
      help: 'Leave it empty for somebody with a salary.',
    }),
    annualSalary: number('Annual salary', {
      essential: true,
      when: { without: 'rateHour' },
      money: true,
      standard: 'salary',
      help: 'For the whole year: twelve times the pay of a month.',
    }),
    hours: number('Hours a week', { essential: true, hours: true, standard: 'weekly-hours' }),
    payMethod: text('Pay method', {
      essential: true,
      exampleValues: ['BACS'],
      codes: 'pay-method',
      preset: { value: 'BACS' },
    }),
    workingPatternId: integer('Working pattern ID', { machine: true }),
    isRestrictedHours: flag('Restricted hours'),
    payrollCalculationStart: date('Payroll calculation starts'),
    payrollCalculationEnd: date('Payroll calculation ends'),
  }),
  ...inSection('contact', {
    mobile: text('Mobile', { essential: true, standard: 'phone' }),
    email: text('Email', { essential: true, standard: 'email' }),
  }),
  ...inSection('work', {
    rightToWorkStatus: text('Right to work', { exampleValues: ['APPEAL', 'IRISH_CITIZEN'] }),
    documentType: text('Document type', { exampleValues: ['PASSPORT', 'BIOMETRIC_RESIDENCE_PERMIT'] }),
    documentExpiryDate: date('Document expires', { nullable: true }),
    document: text('Document', { nullable: true }),
    workingTimeRegulation: text('Working Time Regulations', {
      exampleValues: ['OPT_IN'],
      codes: 'working-time',
      help: 'The 48-hour week of the Working Time Regulations 1998, which are British; in Ireland nobody can opt out. What OPT_IN means is our guess.',
    }),
    agencyConductRegulation: text('Conduct Regulations', {
      exampleValues: ['OPT_IN'],
      codes: 'conduct-regulations',
      help: 'The Conduct of Employment Agencies and Employment Businesses Regulations 2003, which are British.',
    }),
  }),
  ...inSection('emergency', {
    emergencyName: text('Name', { standard: 'name' }),
    emergencyAddress: lines('Address'),
    emergencyCity: text('City or town'),
    emergencyCounty: text('County'),
    emergencyPostCode: text('Postcode', { standard: 'postcode' }),
    emergencyCountry: country('Country'),
    emergencyMobile: text('Mobile', { standard: 'phone' }),
    emergencyEmail: text('Email', { standard: 'email' }),
  }),
  ...inSection('account', {
    // "registrationStatus `ONGOING` (request) and `REGISTRATION_COMPLETE` (response)".
    registrationStatus: text('Registration status', {
      exampleValues: ['ONGOING', 'REGISTRATION_COMPLETE'],
      becomes: { ONGOING: 'REGISTRATION_COMPLETE' },
    }),
    loginId: text('Login ID', {
      standard: 'email',
      help: 'An email address.',
      note: 'Carries the form of an e-mail address.',
    }),
    allowPortalLogin: flag('May log in to the portal'),
    primaryAgencyId: text('Primary agency ID', { nullable: true, machine: true }),
    secondaryAgencyId: text('Secondary agency ID', { machine: true }),
  }),
  pensionSetting: object('Pension', pensionSetting, { section: 'pension' }),
}

/** "bankSetting: strings …", digits and leading zeros included. */
export const bankSetting = inSection('bank', {
  bankName: text('Bank name'),
  accountName: text('Account name', { essential: true, standard: 'name' }),
  sortCode: text('Sort code', { essential: true, sensitive: true, standard: 'sort-code' }),
  accountNumber: text('Account number', { essential: true, sensitive: true, standard: 'account-number' }),
  buildingSocietyNumber: text('Building society roll number', { sensitive: true, standard: 'roll-number' }),
  IBANReference: text('IBAN', { sensitive: true, standard: 'iban' }),
  SWIFTNo: text('BIC (SWIFT)', { standard: 'bic' }),
  author: text('Author', { machine: true }),
})

/** The columns of a list of candidates. */
export const candidateColumns = [
  'agencyRef',
  'forename',
  'surname',
  'id',
  'status',
  'dateOfJoining',
  'registrationStatus',
]

const leavers = 'For somebody who leaves: payroll help leavers.'

/** The fields that the service adds to a candidate. */
export const serviceFields = inSection('person', {
  id: text('ID', { help: 'candidate identifier' }),
  status: text('Status', { exampleValues: ['ACTIVE'], note: leavers }),
  dateLeft: date('Date left', { nullable: true, assumed: true, note: leavers }),
  reason: text('Reason for leaving', { nullable: true, assumed: true, note: leavers }),
})
