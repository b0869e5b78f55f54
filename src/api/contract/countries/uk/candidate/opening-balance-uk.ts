import { inSection, number } from '../../../fields/field.ts'

/** "openingBalance (numbers)": a starter's UK pay and tax for the year to date. */
export const openingBalance = inSection('opening', {
  gross: number('Gross', { money: true }),
  grossForTax: number('Gross for tax', { money: true }),
  grossForNI: number('Gross for NI', { money: true }),
  tax: number('Tax', { money: true }),
  eeNI: number('Employee NI', { money: true }),
  erNI: number('Employer NI', { money: true }),
  grossToLel: number('Earnings to the lower earnings limit', { money: true }),
  grossLelToPt: number('Earnings from there to the primary threshold', { money: true }),
  grossPtToUEL: number('Earnings from there to the upper earnings limit', { money: true }),
  eePension: number('Employee pension', { money: true }),
  erPension: number('Employer pension', { money: true }),
  stLoan: number('Student loan', { money: true }),
  pgLoan: number('Postgraduate loan', { money: true }),
  ssp: number('Statutory sick pay', { money: true }),
  smp: number('Statutory maternity pay', { money: true }),
  sap: number('Statutory adoption pay', { money: true }),
  spp: number('Statutory paternity pay', { money: true }),
  sppa: number('Statutory paternity pay (adoption)', { money: true }),
  shpp: number('Statutory shared parental pay', { money: true }),
  sncp: number('Statutory neonatal care pay', { money: true }),
})
