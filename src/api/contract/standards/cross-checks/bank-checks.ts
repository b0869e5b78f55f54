import type { Issue } from '../../../../errors.ts'
import { accountDigits } from '../bank/bank-account.ts'
import { accountInIban, countryOfBic, countryOfIban } from '../bank/iban.ts'
import { type Parts, textOf } from './parts.ts'

/** Checks that the bank details are all of one account. */
export function bankChecks({ bankSetting }: Parts): Issue[] {
  const account = {
    sortCode: textOf(bankSetting, 'sortCode'),
    accountNumber: textOf(bankSetting, 'accountNumber'),
    iban: textOf(bankSetting, 'IBANReference'),
    bic: textOf(bankSetting, 'SWIFTNo'),
  }
  return [...againstIban(account), ...wayToPay(bankSetting.isInternationalAccount, account)]
}

interface Account {
  readonly sortCode: string
  readonly accountNumber: string
  readonly iban: string
  readonly bic: string
}

function againstIban({ sortCode, accountNumber, iban, bic }: Account): Issue[] {
  const issues: Issue[] = []
  const inside = accountInIban(iban)
  if (inside && sortCode && accountDigits(sortCode) !== inside.sortCode) {
    issues.push({ path: 'bankSetting.sortCode', message: 'not the sort code inside the IBAN' })
  }
  if (inside && accountNumber && accountDigits(accountNumber).padStart(8, '0') !== inside.accountNumber) {
    issues.push({ path: 'bankSetting.accountNumber', message: 'not the account number inside the IBAN' })
  }
  const [ibanCountry, bicCountry] = [countryOfIban(iban), countryOfBic(bic)]
  if (ibanCountry && bicCountry && home(bicCountry) !== ibanCountry) {
    issues.push({
      path: 'bankSetting.SWIFTNo',
      message: `the BIC is of a bank in ${bicCountry}, the IBAN of one in ${ibanCountry}`,
    })
  }
  return issues
}

/** Banks in Guernsey, on the Isle of Man and in Jersey have British IBANs. */
function home(country: string): string {
  return ['GG', 'IM', 'JE'].includes(country) ? 'GB' : country
}

function wayToPay(isInternational: unknown, { sortCode, accountNumber, iban, bic }: Account): Issue[] {
  const path = 'bankSetting.isInternationalAccount'
  if (isInternational === true && !(iban && bic)) {
    return [{ path, message: 'an international account needs an IBAN and a BIC' }]
  }
  // A British or Irish IBAN holds the sort code and the account number.
  if (isInternational === false && !(sortCode && accountNumber) && !accountInIban(iban)) {
    return [{ path, message: 'a domestic account needs a sort code and an account number' }]
  }
  return []
}
