import { isNumber } from '../../../json/written-number.ts'
import type { Standard } from '../fields/field.ts'
import { accountNumber, rollNumber, sortCode } from './bank/bank-account.ts'
import { bic, iban } from './bank/iban.ts'
import { niCategory, prsiClass, starterDeclaration } from './listed-codes.ts'
import { personName, reference } from './look-alikes.ts'
import { email, phone } from './places/contact.ts'
import { eircode, postcode } from './places/postal-codes.ts'
import { birthDate, hourlyRate, salary, startDate, weeklyHours } from './plausible.ts'
import { cisVerification } from './reference-numbers/cis.ts'
import { companyNumber } from './reference-numbers/company-number.ts'
import { nino } from './reference-numbers/nino.ts'
import { ppsn } from './reference-numbers/ppsn.ts'
import { utr } from './reference-numbers/utr.ts'
import { vatNumber } from './reference-numbers/vat-number.ts'
import { formRemark, standardForm } from './standard-form.ts'
import { taxCode } from './tax-code.ts'
import type { Warning } from './warning.ts'

export { countryWarning } from './places/country.ts'

type StandardCheck = (value: unknown, today: string) => Warning | undefined

const standardChecks: Readonly<Record<Standard, StandardCheck>> = {
  reference: ofText(reference, ' '),
  name: ofText(personName, ' '),
  nino: ofText(nino),
  ppsn: ofText(ppsn),
  postcode: ofText(postcode),
  eircode: ofText(eircode),
  'sort-code': ofText(sortCode),
  'account-number': ofText(accountNumber),
  'roll-number': ofText(rollNumber),
  iban: ofText(iban),
  bic: ofText(bic),
  utr: ofText(utr),
  'vat-number': ofText(vatNumber),
  'company-number': ofText(companyNumber),
  'tax-code': ofText(taxCode),
  'ni-category': ofText(niCategory),
  'starter-declaration': ofText(starterDeclaration),
  'prsi-class': ofText(prsiClass),
  'cis-verification': ofText(cisVerification),
  phone: ofText(phone),
  email: ofText(email),
  'birth-date': ofText(birthDate),
  'weekly-hours': ofNumber(weeklyHours),
  'start-date': ofText(startDate),
  'hourly-rate': ofNumber(hourlyRate),
  salary: ofNumber(salary),
}

/**
 * The warning of a public standard about a value, if any. `today` is YYYY-MM-DD. Ignores a value of the wrong JSON
 * type: the document's own rules handle it.
 */
export function checkStandard(standard: Standard, value: unknown, today: string): Warning | undefined {
  const usual = formRemark(standard)
  if (typeof value !== 'string' || value === '' || usual === undefined)
    return standardChecks[standard](value, today)
  const form = standardForm(standard, value)
  if (form === value) return standardChecks[standard](value, today)
  const remark = standardChecks[standard](form ?? value, today)
  // A check looks past every space and dash, even past a minus in front of a number.
  return remark ?? { message: usual, ...(form !== undefined && { suggestion: form }) }
}

/** Words of printable ASCII with spaces between: most text is, and has nothing to be taken out. */
const tidy = /^[!-~](?:[ -~]*[!-~])?$/

function ofNumber(check: (value: number) => Warning | undefined): StandardCheck {
  return (value) => (isNumber(value) ? check(Number(value)) : undefined)
}

/**
 * A check of text that first handles the invisible characters of pasted text. `space` replaces unusual spaces.
 */
function ofText(check: (value: string, today: string) => Warning | undefined, space = ''): StandardCheck {
  return (value, today) => {
    if (typeof value !== 'string' || value === '') return undefined
    if (tidy.test(value)) return check(value, today)
    const visible = value
      .replaceAll(/\p{Cf}/gu, '')
      .replaceAll(/[^\S ]/g, space)
      .trim()
    if (visible === '') return { message: 'it contains only spaces' }
    const remark = check(visible, today)
    if (visible === value || remark) return remark
    return { message: 'spaces or invisible characters around or inside it', suggestion: visible }
  }
}
