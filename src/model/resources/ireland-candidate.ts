import { ireland } from '../countries/ireland.ts'
import {
  anything,
  array,
  country,
  date,
  decimal,
  flag,
  inPlaceOf,
  inSection,
  integer,
  number,
  object,
  pick,
  text,
  without,
} from '../fields/field.ts'
import type { RecordType } from '../records/record-type.ts'
import {
  anyCandidate,
  bankSetting,
  candidateColumns,
  candidateIdNames,
  employeesOnly,
  generalSetting,
  neededInEveryCountry,
  paidIntoBankOnly,
  pensionSettingAnswer,
  sectionNames,
  serviceFields,
  valuableInEveryCountry,
} from './candidate.ts'
import { type Samples, sharedSamples } from './samples.ts'

const { country: residence, county, payFrequency, payMethod } = generalSetting

/** What the form asks for differently in Ireland: a county, and no gender, as Revenue asks for none. */
const askedOtherwise = {
  ...without(generalSetting, 'NINumber', 'primaryAgencyId', 'secondaryAgencyId'),
  ...inSection('person', {
    gender: text('Gender', { exampleValues: ['MALE', 'FEMALE'] }),
    county: { ...county, essential: true },
    country: { ...residence, preset: { value: ireland.isoCode } },
  }),
  ...inSection('job', {
    payFrequency: { ...payFrequency, codes: 'irish-pay-frequency' },
    payMethod: {
      ...payMethod,
      codes: 'irish-pay-method',
      help: 'BACS is the word that the service was seen with, for a transfer to an IBAN too.',
    },
  }),
}

/** "the same fields as the UK one, with these differences": no postCode, NINumber, …; added eircode, …. */
const generalSettingIreland = {
  ...inPlaceOf(
    inPlaceOf(
      askedOtherwise,
      'postCode',
      inSection('person', { eircode: text('Eircode', { essential: true, standard: 'eircode' }) }),
    ),
    'emergencyPostCode',
    inSection('emergency', { emergencyEircode: text('Eircode', { standard: 'eircode' }) }),
  ),
  shareCodeVerified: flag('Share code verified', {
    section: 'work',
    nullable: true,
    assumed: true,
    note: 'A boolean in the answer; its type in a request is not shown.',
  }),
}

/** "the UK bankSetting fields plus boolean `isInternationalAccount` and string `country`." */
const bankSettingIreland = {
  ...bankSetting,
  // Irish wages are paid to an IBAN, so the form asks for it, not for the sort code and account number inside it.
  ...inSection('bank', {
    sortCode: text('Sort code (NSC)', { sensitive: true, standard: 'sort-code' }),
    accountNumber: text('Account number', { sensitive: true, standard: 'account-number' }),
    IBANReference: text('IBAN', { essential: true, sensitive: true, standard: 'iban' }),
    SWIFTNo: text('BIC (SWIFT)', { standard: 'bic' }),
    isInternationalAccount: flag('International account'),
    country: country('Bank country'),
  }),
}

/** "bank in the response": without buildingSocietyNumber and author. */
const bankAnswer = {
  ...pick(bankSettingIreland, 'bankName', 'accountName', 'accountNumber', 'sortCode', 'IBANReference'),
  ...pick(bankSettingIreland, 'SWIFTNo', 'country', 'isInternationalAccount'),
}

/** "Ireland openingBalance (numbers)". */
const openingBalanceIreland = inSection('opening', {
  gross: number('Gross', { money: true }),
  grossForTax: number('Gross for tax', { money: true }),
  tax: number('Tax', { money: true }),
  uscGross: number('Gross for USC', { money: true }),
  usc: number('USC', { money: true }),
  eePrsiGross: number('Gross for employee PRSI', { money: true }),
  eePRSI: number('Employee PRSI', { money: true }),
  erPrsiGross: number('Gross for employer PRSI', { money: true }),
  erPRSI: number('Employer PRSI', { money: true }),
  pensionGross: number('Gross for pension', { money: true }),
  eePension: number('Employee pension', { money: true }),
  erPension: number('Employer pension', { money: true }),
  lptDeduction: number('LPT deducted', { money: true }),
  ssp: number('Statutory sick pay', { money: true }),
})

/** "an array of objects `{index: integer, yearlyRateCutOff: decimal string, taxRatePercent: string}`", in the answer. */
const taxRateCutOffPoint = {
  index: integer('Rate number'),
  yearlyRateCutOff: decimal('Yearly cut-off point', { money: true }),
  taxRatePercent: text('Tax rate (%)'),
}

/** "cutOffPoints is an object `{type: string, values: array}`", in the answer. */
const uscCutOffPoints = inSection('rpn', {
  type: text('USC type'),
  values: array(
    'USC bands',
    object('USC band', {
      index: integer('Rate number'),
      uscRatePercent: number('USC rate (%)', { percent: true }),
      yearlyUSCRateCutOff: decimal('Yearly cut-off point', {
        money: true,
        help: 'Absent from the last value.',
      }),
    }),
  ),
})

/** On the emergency basis there is no notification from Revenue to copy from. */
const notEmergency = { field: 'taxBasis', isNot: ['EMERGENCY'] } as const

/** Nor for a subcontractor, or without a PPS number. */
const onNotice = {
  given: 'payrollSetting.ppsNumber',
  unless: { ...employeesOnly.unless, 'payrollSetting.taxBasis': notEmergency.isNot },
} as const

/** Somebody who is exempt from USC has no bands, and the emergency basis has bands of its own. */
const payingUSC = { field: 'uscExemption', is: ['ORDINARY'] } as const

/** payrollSetting of the Ireland candidate: the fields of Revenue's payroll notification. */
const payrollSettingIreland = {
  ...inSection('person', {
    ppsNumber: text('PPS number', {
      essential: true,
      sensitive: true,
      standard: 'ppsn',
      help: 'Seven digits and one or two letters.',
    }),
  }),
  ...inSection('job', {
    paymentModel: text('Payment model', {
      essential: true,
      exampleValues: ['PAYEE', 'CIS'],
      codes: 'irish-paid-as',
      preset: { value: 'PAYEE' },
    }),
  }),
  ...inSection('rpn', {
    taxBasis: text('Tax basis', {
      essential: true,
      codes: 'irish-tax-basis',
      help: 'The income tax calculation basis of the RPN.',
      note: "These are Revenue's words; the service may use others.",
    }),
    taxCreditAnnual: decimal('Yearly tax credits', { essential: true, when: notEmergency, money: true }),
    yearlyRateCutOff: decimal('Standard rate cut-off point', {
      essential: true,
      when: notEmergency,
      money: true,
      help: 'The yearly amount up to which income is taxed at the standard rate (SRCOP).',
    }),
    uscExemption: text('USC status', {
      essential: true,
      when: notEmergency,
      codes: 'usc-status',
      preset: { value: 'ORDINARY' },
    }),
    annual_zeroPointFive: decimal('Yearly USC rate 1 cut-off point', {
      essential: true,
      when: payingUSC,
      money: true,
      help: 'Where the first band, of 0.5%, ends.',
    }),
    annual_two: decimal('Yearly USC rate 2 cut-off point', {
      essential: true,
      when: payingUSC,
      money: true,
      help: 'Where the second band, of 2%, ends.',
    }),
    annual_fourPointFive: decimal('Yearly USC rate 3 cut-off point', {
      essential: true,
      when: payingUSC,
      money: true,
      help: 'Where the third band ends: 3% now, 4.5% until 2023.',
    }),
    prsiEeClasses: text('PRSI class', {
      essential: true,
      standard: 'prsi-class',
      codes: 'prsi-class',
      preset: { value: 'A1' },
      help: 'A1 for most employees; A0, AX and AL by the pay of the week. From 66 on J only where a State Pension (Contributory) was awarded, or for who was born before 1958.',
    }),
    employmentId: text('Employment ID', {
      essential: true,
      when: notEmergency,
      help: 'As on the RPN, up to 20 characters. It tells two jobs of one person apart.',
    }),
    prsiExemption: text('PRSI exemption', { codes: 'prsi-exemption' }),
    totalLPTToBeDeducted: decimal('LPT to be deducted', { money: true }),
    totalPayLiableToTax: number('Pay for income tax, to date', { money: true }),
    totalTax: number('Income tax deducted, to date', { money: true }),
    totalPayLiableToUSC: number('Pay for USC, to date', { money: true }),
    totalUSC: number('USC deducted, to date', { money: true }),
    taxCreditFrequency: decimal('Tax credits a pay period', { money: true }),
    yearlyRateCutOffFrequency: decimal('Standard rate cut-off point a pay period', { money: true }),
    frequency_zeroPointFive: decimal('USC rate 1 cut-off point a pay period', { money: true }),
    frequency_two: decimal('USC rate 2 cut-off point a pay period', { money: true }),
    frequency_fourPointFive: decimal('USC rate 3 cut-off point a pay period', { money: true }),
    frequency_eight: decimal('USC amount above rate 3 a pay period', { money: true }),
    USCTier: text('USC tier'),
    taxRateCutOffPoints: array(
      'Tax rates',
      // The document does not show a request's points, so the form asks for those of the answer.
      anything('Tax rate', { promptFields: taxRateCutOffPoint }),
    ),
    cutOffPoints: anything('USC bands', { nullable: true, machine: true, promptFields: uscCutOffPoints }),
    employmentStatus: text('Employment status', { codes: 'employment-status' }),
    directorShip: text('Director', { codes: 'director' }),
    ascCalculationMethod: text('ASC calculation method', {
      codes: 'asc',
      help: 'Additional Superannuation Contribution: public servants only.',
    }),
    totalPayLiableToASC: number('Pay for ASC, to date', { money: true }),
    totalASC: number('ASC deducted, to date', { money: true }),
  }),
  ...inSection('holiday', {
    holidayPayMethod: text('Holiday pay method', {
      exampleValues: ['ROLLED_UP', 'NO_HOLIDAY_PAY'],
      codes: 'holiday-pay',
    }),
    holidayPayRate: number('Holiday pay rate', {
      percent: true,
      nullable: true,
      help: 'In percent of the pay, as far as is known: 8 for 8%.',
    }),
    holidayPayOpeningBalance: number('Holiday pay opening balance', { money: true }),
    includeInTimesheetRate: flag('Include in the timesheet rate'),
  }),
  ...inSection('margin', {
    companyPayment: text('Company payment'),
    timesheetApprovalNeeded: text('Timesheet approval', { exampleValues: ['NOT_AVAILABLE'] }),
    payrollApproveNeeded: text('Payroll approval needed'),
  }),
  ...inSection('contractor', {
    cisStatus: text('RCT deduction rate', {
      exampleValues: ['GROSS', 'VERIFIED_20%'],
      codes: 'rct',
      help: 'By Relevant Contracts Tax: 0, 20 or 35%.',
    }),
    subcontractorRefNumber: text('Subcontractor reference'),
  }),
  openingBalance: object('Opening balance', openingBalanceIreland, { section: 'opening' }),
}

/** "setting in the response: the Ireland payrollSetting fields, with these differences: …" */
const settingAnswer = {
  ...without(payrollSettingIreland, 'holidayPayOpeningBalance'),
  payrollApproveNeeded: flag('Payroll approval needed', { section: 'margin' }),
  holidayPayRate: number('Holiday pay rate', { section: 'holiday', percent: true }),
  taxRateCutOffPoints: array('Tax rates', object('Tax rate', taxRateCutOffPoint), {
    section: 'rpn',
  }),
  cutOffPoints: object('USC bands', uscCutOffPoints, { section: 'rpn' }),
}

/** "The candidate object contains": the general fields at the top, and `bank` and `setting` beside them. */
export const candidateIrelandAnswer: RecordType = {
  displayName: ireland.candidate,
  currency: ireland.currency,
  documented: true,
  columns: candidateColumns,
  idNames: candidateIdNames,
  fields: {
    ...serviceFields,
    ...pick(generalSettingIreland, 'agencyRef', 'title', 'gender', 'forename', 'surname', 'maritalStatus'),
    ...pick(generalSettingIreland, 'nationality', 'city', 'county', 'eircode', 'country'),
    ...pick(generalSettingIreland, 'mobile', 'email', 'registrationStatus'),
    ...pick(generalSettingIreland, 'payFrequency', 'payMethod', 'jobDescription'),
    ...pick(generalSettingIreland, 'emergencyName', 'emergencyCity', 'emergencyCounty', 'emergencyCountry'),
    ...pick(generalSettingIreland, 'emergencyEircode', 'emergencyMobile', 'emergencyEmail'),
    ...pick(generalSettingIreland, 'rightToWorkStatus', 'documentType', 'DOB', 'dateOfJoining'),
    ...pick(generalSettingIreland, 'address', 'emergencyAddress', 'annualSalary', 'rateHour', 'hours'),
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
  valuable: [...valuableInEveryCountry, 'payrollSetting.employmentId'],
  payNeeds: [
    ...neededInEveryCountry,
    {
      name: 'bank',
      fields: ['bankSetting.IBANReference'],
      or: [['bankSetting.sortCode', 'bankSetting.accountNumber']],
      ...paidIntoBankOnly,
    },
    { name: 'tax', fields: ['payrollSetting.ppsNumber', 'payrollSetting.prsiEeClasses'], ...employeesOnly },
    {
      name: 'notice',
      fields: ['taxBasis', 'taxCreditAnnual', 'yearlyRateCutOff'].map((name) => `payrollSetting.${name}`),
      ...onNotice,
    },
    {
      name: 'notice',
      fields: ['payrollSetting.uscExemption'],
      or: [['payrollSetting.annual_zeroPointFive'], ['payrollSetting.frequency_zeroPointFive']],
      ...onNotice,
    },
  ],
  answer: { type: candidateIrelandAnswer, names: sectionNames },
}

/** The sample person in Ireland. */
export const irishSamples: Samples = {
  standard: {
    ...sharedSamples.standard,
    ppsn: '7654321PA',
    eircode: 'D02 X285',
    'sort-code': '900017',
    'account-number': '10027952',
    iban: 'IE92BOFI90001710027952',
    bic: 'BOFIIE2D',
    'prsi-class': 'A1',
  },
  named: {
    ...sharedSamples.named,
    nationality: 'Irish',
    city: 'Dublin',
    emergencyCity: 'Dublin',
    employmentId: '1',
    rightToWorkStatus: 'IRISH_CITIZEN',
    taxCreditAnnual: '4000.00',
    taxCreditFrequency: '76.92',
    yearlyRateCutOff: '44000.00',
    yearlyRateCutOffFrequency: '846.15',
    frequency_zeroPointFive: '231.00',
    frequency_two: '551.92',
    frequency_fourPointFive: '1347.00',
    annual_zeroPointFive: '12012.00',
    annual_two: '28700.00',
    annual_fourPointFive: '70044.00',
    prsiExemption: 'NONE',
    payrollApproveNeeded: 'true',
    // assumed: sent in the form in which they are answered.
    taxRateCutOffPoints: [
      { index: 1, yearlyRateCutOff: '44000.00', taxRatePercent: '20' },
      { index: 2, yearlyRateCutOff: '44000.00', taxRatePercent: '40' },
    ],
    cutOffPoints: {
      type: 'ORDINARY',
      values: [
        { index: 1, uscRatePercent: 0.5, yearlyUSCRateCutOff: '12012.00' },
        { index: 2, uscRatePercent: 8 },
      ],
    },
  },
}
