import { inSection, number } from '../../../fields/field.ts'

/** "Ireland openingBalance (numbers)". */
export const openingBalanceIreland = inSection('opening', {
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
