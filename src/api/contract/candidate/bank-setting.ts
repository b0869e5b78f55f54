import { country, flag, inSection, only, text } from '../fields/field.ts'

/** "bankSetting: strings …", digits and leading zeros included. */
export const bankSetting = inSection('bank', {
  bankName: text('Bank name'),
  accountName: text('Account name', { essential: true, standard: 'name' }),
  sortCode: text('Sort code', { essential: true, sensitive: true, standard: 'sort-code' }),
  accountNumber: text('Account number', { essential: true, sensitive: true, standard: 'account-number' }),
  buildingSocietyNumber: text('Building society roll number', { sensitive: true, standard: 'roll-number' }),
  IBANReference: text('IBAN', { sensitive: true, standard: 'iban' }),
  SWIFTNo: text('BIC (SWIFT)', { standard: 'bic' }),
  author: text('Author'),
})

/** "the UK bankSetting fields plus boolean `isInternationalAccount` and string `country`." */
export const bankSettingIreland = {
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
export const bankAnswer = only(
  bankSettingIreland,
  'bankName',
  'accountName',
  'accountNumber',
  'sortCode',
  'IBANReference',
  'SWIFTNo',
  'country',
  'isInternationalAccount',
)
