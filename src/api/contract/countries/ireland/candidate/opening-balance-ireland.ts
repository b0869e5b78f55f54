import { inSection, number } from '../../../fields/field.ts'

/** "Ireland openingBalance (numbers)". */
export const openingBalanceIreland = inSection('opening', {
  gross: number('Gross'),
  grossForTax: number('Gross for tax'),
  tax: number('Tax'),
  uscGross: number('Gross for USC'),
  usc: number('USC'),
  eePrsiGross: number('Gross for employee PRSI'),
  eePRSI: number('Employee PRSI'),
  erPrsiGross: number('Gross for employer PRSI'),
  erPRSI: number('Employer PRSI'),
  pensionGross: number('Gross for pension'),
  eePension: number('Employee pension'),
  erPension: number('Employer pension'),
  lptDeduction: number('LPT deducted'),
  ssp: number('Statutory sick pay'),
})
