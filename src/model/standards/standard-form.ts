import type { Standard } from '../fields/field.ts'
import { isAccountNumber, isBic, isIban, isSortCode } from './bank.ts'
import { isNiCategory, isPrsiClass, isStarterDeclaration } from './code-lists.ts'
import { isEircode, isPostcode, spacedIrish, spacedUk } from './places.ts'
import { isNino, isPpsn } from './reference-numbers.ts'
import { isTaxCode } from './tax-code.ts'

/** The one way to write the codes of a standard. */
interface Form {
  /** Whether this is such a code, given in capitals without spaces and dashes. */
  readonly fits: (code: string) => boolean
  /** Puts in the one space that belongs there. */
  readonly spaced?: (code: string) => string
}

const forms: Partial<Readonly<Record<Standard, Form>>> = {
  nino: { fits: isNino },
  ppsn: { fits: isPpsn },
  postcode: { fits: isPostcode, spaced: spacedUk },
  eircode: { fits: isEircode, spaced: spacedIrish },
  'sort-code': { fits: isSortCode },
  'account-number': { fits: isAccountNumber },
  iban: { fits: isIban },
  bic: { fits: isBic },
  'tax-code': { fits: isTaxCode },
  'ni-category': { fits: isNiCategory },
  'starter-declaration': { fits: isStarterDeclaration },
  'prsi-class': { fits: isPrsiClass },
}

/** Letters and digits, with spaces and dashes only between them. A minus in front is no dash. */
const withGaps = /^[A-Za-z0-9]+(?:[\s\p{Pd}\u2212]+[A-Za-z0-9]+)*$/u
const gaps = /[\s\p{Pd}\u2212]+/gu
/** Nothing to be taken out, and no small letter. */
const bare = /^[A-Z0-9]+$/

/**
 * A text as its standard writes it, if the two differ at most in spaces, dashes and letter case: AB123456C for
 * `ab 12-34 56 c`. Undefined for any other text, however near it is: what a person meant is for the person to say. Never adds
 * or loses a letter or digit.
 */
export function standardForm(standard: Standard | undefined, text: string): string | undefined {
  const form = standard && forms[standard]
  if (!form) return undefined
  const code = bare.test(text) ? text : codeIn(text)
  if (code === undefined || !form.fits(code)) return undefined
  return form.spaced ? form.spaced(code) : code
}

function codeIn(text: string): string | undefined {
  const visible = text.replaceAll(/\p{Cf}/gu, '').trim()
  return withGaps.test(visible) ? visible.replaceAll(gaps, '').toUpperCase() : undefined
}

/** What to say of a code that is not in its standard form; undefined for a standard without one form. */
export function formRemark(standard: Standard): string | undefined {
  const form = forms[standard]
  if (!form) return undefined
  return form.spaced ? 'usually in capitals with one space' : 'usually in capitals without spaces and dashes'
}
