import { inSection, number } from '../../../fields/field.ts'

/** "openingBalance (numbers)": a starter's UK pay and tax for the year to date. */
export const openingBalance = inSection('opening', {
  gross: number('Gross'),
  grossForTax: number('Gross for tax'),
  grossForNI: number('Gross for NI'),
  tax: number('Tax'),
  eeNI: number('Employee NI'),
  erNI: number('Employer NI'),
  grossToLel: number('Earnings to the lower earnings limit'),
  grossLelToPt: number('Earnings from there to the primary threshold'),
  grossPtToUEL: number('Earnings from there to the upper earnings limit'),
  eePension: number('Employee pension'),
  erPension: number('Employer pension'),
  stLoan: number('Student loan'),
  pgLoan: number('Postgraduate loan'),
  ssp: number('Statutory sick pay'),
  smp: number('Statutory maternity pay'),
  sap: number('Statutory adoption pay'),
  spp: number('Statutory paternity pay'),
  sppa: number('Statutory paternity pay (adoption)'),
  shpp: number('Statutory shared parental pay'),
  sncp: number('Statutory neonatal care pay'),
})
