import {
  anything,
  array,
  decimal,
  flag,
  inSection,
  integer,
  number,
  object,
  text,
  without,
} from '../../../fields/field.ts'
import { openingBalanceIreland } from './opening-balance-ireland.ts'

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
      uscRatePercent: number('USC rate (%)'),
      yearlyUSCRateCutOff: decimal('Yearly cut-off point', {
        money: true,
        help: 'Absent from the last value.',
      }),
    }),
  ),
})

/** Without a notification from Revenue there is nothing to copy. */
const notEmergency = { field: 'taxBasis', isNot: ['EMERGENCY'] } as const

/** Who is exempt from USC has no bands, and the emergency basis has its own. */
const payingUSC = { field: 'uscExemption', is: ['ORDINARY'] } as const

/** payrollSetting of the Ireland candidate: the fields of Revenue's payroll notification. */
export const payrollSettingIreland = {
  ...inSection('person', {
    ppsNumber: text('PPS number', {
      essential: true,
      neededForPay: true,
      sensitive: true,
      standard: 'ppsn',
      help: 'Seven digits and one or two letters.',
    }),
  }),
  ...inSection('job', {
    paymentModel: text('Paid as', {
      essential: true,
      exampleValues: ['PAYEE', 'CIS'],
      valueNames: { PAYEE: 'Employee (PAYE)', CIS: 'Subcontractor' },
      preset: { value: 'PAYEE' },
    }),
  }),
  ...inSection('rpn', {
    taxBasis: text('Tax basis', {
      essential: true,
      neededForPay: true,
      standardValues: ['CUMULATIVE', 'WEEK_1', 'EMERGENCY'],
      valueNames: { WEEK_1: 'Week 1 / Month 1', EMERGENCY: 'Emergency (there is no RPN)' },
      help: 'The income tax calculation basis of the RPN.',
      note: "These are Revenue's words; the service may use others.",
    }),
    taxCreditAnnual: decimal('Yearly tax credits', {
      essential: true,
      neededForPay: true,
      when: notEmergency,
      money: true,
    }),
    yearlyRateCutOff: decimal('Standard rate cut-off point', {
      essential: true,
      neededForPay: true,
      when: notEmergency,
      money: true,
      help: 'The yearly amount up to which income is taxed at the standard rate (SRCOP).',
    }),
    uscExemption: text('USC status', {
      essential: true,
      neededForPay: true,
      when: notEmergency,
      standardValues: ['ORDINARY', 'EXEMPT'],
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
      neededForPay: true,
      standard: 'prsi-class',
      preset: { value: 'A1' },
      help: 'A1 for most employees.',
    }),
    employmentId: text('Employment ID', {
      essential: true,
      when: notEmergency,
      help: 'As on the RPN, up to 20 characters. It tells two jobs of one person apart.',
    }),
    prsiExemption: text('PRSI exemption'),
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
    frequency_eight: decimal('USC rate 4 a pay period', { money: true }),
    USCTier: text('USC tier'),
    taxRateCutOffPoints: array(
      'Tax rates',
      // The document does not show a request's points, so the form asks for those of the answer.
      anything('Tax rate', { promptFields: taxRateCutOffPoint }),
    ),
    cutOffPoints: anything('USC bands', {
      nullable: true,
      machine: true,
      promptFields: uscCutOffPoints,
    }),
    employmentStatus: text('Employment status'),
    directorShip: text('Director', {
      standardValues: ['PROPRIETARY', 'NON_PROPRIETARY'],
      valueNames: { PROPRIETARY: 'Proprietary director', NON_PROPRIETARY: 'Non-proprietary director' },
    }),
    ascCalculationMethod: text('ASC calculation method', {
      help: 'Additional Superannuation Contribution: public servants only.',
    }),
    totalPayLiableToASC: number('Pay for ASC, to date', { money: true }),
    totalASC: number('ASC deducted, to date', { money: true }),
  }),
  ...inSection('holiday', {
    holidayPayMethod: text('Holiday pay method', { exampleValues: ['ROLLED_UP', 'NO_HOLIDAY_PAY'] }),
    holidayPayRate: number('Holiday pay rate', { nullable: true }),
    holidayPayOpeningBalance: number('Holiday pay opening balance', { money: true }),
    includeInTimesheetRate: flag('Include in the timesheet rate'),
  }),
  ...inSection('margin', {
    companyPayment: text('Company payment'),
    timesheetApprovalNeeded: text('Timesheet approval', { exampleValues: ['NOT_AVAILABLE'] }),
    payrollApproveNeeded: text('Payroll approval needed'),
  }),
  ...inSection('contractor', {
    cisStatus: text('CIS status', { exampleValues: ['GROSS', 'VERIFIED_20%'] }),
    subcontractorRefNumber: text('Subcontractor reference'),
  }),
  openingBalance: object('Opening balance', openingBalanceIreland, { section: 'opening' }),
}

/**
 * "setting in the response: the Ireland payrollSetting fields, with these differences: payrollApproveNeeded is
 * returned as a boolean; holidayPayRate is a number; taxRateCutOffPoints is an array of objects …; cutOffPoints
 * is an object …; holidayPayOpeningBalance is not returned."
 */
export const settingAnswer = {
  ...without(payrollSettingIreland, 'holidayPayOpeningBalance'),
  payrollApproveNeeded: flag('Payroll approval needed', { section: 'margin' }),
  holidayPayRate: number('Holiday pay rate', { section: 'holiday' }),
  taxRateCutOffPoints: array('Tax rates', object('Tax rate', taxRateCutOffPoint), {
    section: 'rpn',
  }),
  cutOffPoints: object('USC bands', uscCutOffPoints, { section: 'rpn' }),
}
