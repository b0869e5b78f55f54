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
  index: integer('Index'),
  yearlyRateCutOff: decimal('Rate cut-off a year'),
  taxRatePercent: text('Tax rate, per cent'),
}

/** payrollSetting of the Ireland candidate: the fields of Revenue's payroll notification. */
export const payrollSettingIreland = {
  ...inSection('tax', {
    ppsNumber: text('PPS number', {
      essential: true,
      sensitive: true,
      standard: 'ppsn',
      help: 'Seven digits and one or two letters.',
    }),
    employmentId: text('Employment ID', {
      help: "Revenue's identifier of this employment, up to 20 characters.",
    }),
    employmentStatus: text('Employment status'),
    paymentModel: text('Payment model', { essential: true, exampleValues: ['PAYEE', 'CIS'] }),
    taxBasis: text('Tax basis', {
      essential: true,
      exampleValues: ['W1M1'],
      standardValues: ['CUMULATIVE', 'WEEK_1', 'EMERGENCY'],
      help: "These are Revenue's words; the service may use others.",
    }),
    taxCreditAnnual: decimal('Tax credit a year'),
    taxCreditFrequency: decimal('Tax credit a pay period'),
    yearlyRateCutOff: decimal('Rate cut-off a year'),
    yearlyRateCutOffFrequency: decimal('Rate cut-off a pay period'),
    directorShip: text('Directorship', { standardValues: ['PROPRIETARY', 'NON_PROPRIETARY'] }),
    totalPayLiableToTax: number('Pay liable to tax, to date'),
    totalTax: number('Tax, to date'),
    taxRateCutOffPoints: array(
      'Tax rate cut-off points',
      // The document does not show a request's points, so the form asks for those of the answer.
      anything('Cut-off point', { promptFields: taxRateCutOffPoint }),
    ),
  }),
  ...inSection('social', {
    USCTier: text('USC tier'),
    uscExemption: text('USC exemption', { standardValues: ['ORDINARY', 'EXEMPT'] }),
    frequency_zeroPointFive: decimal('USC 0.5% band ends, a pay period'),
    frequency_two: decimal('USC 2% band ends, a pay period'),
    frequency_fourPointFive: decimal('USC third band (now 3%) ends, a pay period'),
    frequency_eight: decimal('USC 8% band, a pay period'),
    annual_zeroPointFive: decimal('USC 0.5% band ends, a year'),
    annual_two: decimal('USC 2% band ends, a year'),
    annual_fourPointFive: decimal('USC third band (now 3%) ends, a year'),
    cutOffPoints: anything('USC cut-off points', { nullable: true }),
    totalPayLiableToUSC: number('Pay liable to USC, to date'),
    totalUSC: number('USC, to date'),
    prsiEeClasses: text('PRSI class', { standard: 'prsi-class', help: 'A1 for most employees.' }),
    prsiExemption: text('PRSI exemption'),
    totalLPTToBeDeducted: decimal('LPT to be deducted'),
    ascCalculationMethod: text('ASC calculation method', {
      help: 'Additional Superannuation Contribution: public servants only.',
    }),
    totalPayLiableToASC: number('Pay liable to ASC, to date'),
    totalASC: number('ASC, to date'),
  }),
  ...inSection('holiday', {
    holidayPayMethod: text('Holiday pay method', { exampleValues: ['ROLLED_UP', 'NO_HOLIDAY_PAY'] }),
    holidayPayRate: number('Holiday pay rate', { nullable: true }),
    holidayPayOpeningBalance: number('Holiday pay opening balance'),
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
  taxRateCutOffPoints: array('Tax rate cut-off points', object('Cut-off point', taxRateCutOffPoint), {
    section: 'tax',
  }),
  cutOffPoints: object(
    'USC cut-off points',
    {
      type: text('Type'),
      values: array(
        'Values',
        object('Cut-off point', {
          index: integer('Index'),
          uscRatePercent: number('USC rate, per cent'),
          yearlyUSCRateCutOff: decimal('USC cut-off a year', { help: 'Absent from the last value.' }),
        }),
      ),
    },
    { section: 'social' },
  ),
}
