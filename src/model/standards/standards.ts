import { isNumber } from '../../files/json/numbers.ts'
import type { Field, Standard } from '../fields/field.ts'
import { accountNumber, bic, iban, rollNumber, sortCode } from './bank.ts'
import { niCategory, prsiClass, starterDeclaration } from './code-lists.ts'
import { email, phone } from './contact.ts'
import { countryWarning } from './country.ts'
import { eircode, postcode } from './places.ts'
import { birthDate, hourlyRate, salary, startDate, weeklyHours } from './plausible.ts'
import { cisVerification, companyNumber, nino, ppsn, utr, vatNumber } from './reference-numbers.ts'
import { formRemark, standardForm } from './standard-form.ts'
import { taxCode } from './tax-code.ts'
import type { Warning } from './warning.ts'

/** A reference that identifies a record: another one must not look the same. */
function reference(value: string): Warning | undefined {
  if (/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(value)) {
    return { message: 'it contains letters of another alphabet, some of which look like Latin ones' }
  }
  return fullWidth(value)
}

/** A person's name. */
function personName(value: string): Warning | undefined {
  if (/^(null|n\/a|nan|undefined|none|test)$/i.test(value)) {
    return { message: 'looks like a placeholder for a missing name' }
  }
  if (/\p{Script=Latin}/u.test(value) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(value)) {
    return { message: 'it contains letters of two alphabets, some of which look alike' }
  }
  if (/\p{L}\d|\d\p{L}/u.test(value)) return { message: 'it has a digit in it' }
  if (value.includes(',')) return { message: 'it has a comma in it, as a surname before a forename has' }
  return fullWidth(value)
}

/** Full-width characters, which East Asian keyboards type: Ａ１ for A1. */
function fullWidth(value: string): Warning | undefined {
  const suggestion = value.replaceAll(/[\uFF01-\uFF5E]/g, (form) => form.normalize('NFKC'))
  if (suggestion === value) return undefined
  return { message: 'it contains full-width characters instead of ordinary ones', suggestion }
}

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
function checkStandard(standard: Standard, value: unknown, today: string): Warning | undefined {
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

/**
 * The warning of a public standard about the value of a field, if any. The form asks the person about it; other
 * commands print it. `today` is YYYY-MM-DD.
 */
export function checkValue(field: Field, value: unknown, today: string): Warning | undefined {
  if (field.type === 'country') return countryWarning(value)
  if (field.type === 'decimal') return checkDecimals(value)
  return (field.standard && checkStandard(field.standard, value, today)) ?? checkInvisible(value)
}

/** Money has two decimals. */
function checkDecimals(value: unknown): Warning | undefined {
  return typeof value === 'string' && /^-?\d+\.\d{3,}$/.test(value)
    ? { message: 'more than two decimals' }
    : undefined
}

/** Control and format characters except tabs and line breaks: pasted text often has them. */
const invisible = /(?![\t\r\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Most text is printable ASCII, and there is nothing to look for. */
const visibleAscii = /^[ -~]*$/

function checkInvisible(value: unknown): Warning | undefined {
  if (typeof value !== 'string' || visibleAscii.test(value)) return undefined
  const visible = value.replaceAll(invisible, '')
  return visible === value ? undefined : { message: 'invisible characters in it', suggestion: visible.trim() }
}
