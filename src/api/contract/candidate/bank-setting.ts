import { inSection, text } from '../fields/field.ts'

/** "bankSetting: strings …", digits and leading zeros included. */
export const bankSetting = inSection('bank', {
  bankName: text('Bank name'),
  accountName: text('Account name', { essential: true, standard: 'name' }),
  sortCode: text('Sort code', {
    essential: true,
    neededForPay: true,
    sensitive: true,
    standard: 'sort-code',
  }),
  accountNumber: text('Account number', {
    essential: true,
    neededForPay: true,
    sensitive: true,
    standard: 'account-number',
  }),
  buildingSocietyNumber: text('Building society roll number', { sensitive: true, standard: 'roll-number' }),
  IBANReference: text('IBAN', { sensitive: true, standard: 'iban' }),
  SWIFTNo: text('BIC (SWIFT)', { standard: 'bic' }),
  author: text('Author', { machine: true }),
})
