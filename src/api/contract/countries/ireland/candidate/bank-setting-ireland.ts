import { bankSetting } from '../../../candidate/bank-setting.ts'
import { country, flag, inSection, only, text } from '../../../fields/field.ts'

/** "the UK bankSetting fields plus boolean `isInternationalAccount` and string `country`." */
export const bankSettingIreland = {
  ...bankSetting,
  // Irish wages are paid to an IBAN, so the form asks for it, not for the sort code and account number inside it.
  ...inSection('bank', {
    sortCode: text('Sort code (NSC)', { sensitive: true, standard: 'sort-code' }),
    accountNumber: text('Account number', { sensitive: true, standard: 'account-number' }),
    IBANReference: text('IBAN', { essential: true, neededForPay: true, sensitive: true, standard: 'iban' }),
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
