import { isNumber } from '../../files/json/numbers.ts'
import type { Field, Standard } from '../fields/field.ts'
import { accountNumber, bic, iban, rollNumber, sortCode } from './bank.ts'
import { email, phone } from './contact.ts'
import { countryWarning } from './country.ts'
import { niCategory, prsiClass, starterDeclaration } from './known-words.ts'
import { addressLine, eircode, place, postcode } from './places.ts'
import { birthDate, hourlyRate, salary, startDate, weeklyHours } from './plausible.ts'
import { cisVerification, companyNumber, nino, ppsn, utr, vatNumber } from './reference-numbers.ts'
import { asItIs, judgeNumber, judgeText, type StandardRule, type TextRule } from './standard-rule.ts'
import { taxCode } from './tax-code.ts'
import type { Warning } from './warning.ts'

/** Digits and letters of double width, as East Asian keyboards type them: Ａ１ for A1. */
const wide = /[\uFF01-\uFF5E\u3000]/g

/** A text without what keeps a spreadsheet from taking it for a number: `="00123"`, `'00123`, wide digits. */
export function plainText(text: string): string {
  const narrow = wide.test(text) ? text.replace(wide, (letter) => letter.normalize('NFKC')) : text
  const [, quoted] = /^\s*="([^"]*)"\s*$/.exec(narrow) ?? []
  if (quoted !== undefined) return quoted
  // Words may begin with one: '90s music teacher.
  return /^'(?:[\dA-Z+-]*\d\S*|[\d\s+()-]+)$/.test(narrow) ? narrow.slice(1) : narrow
}

const plainWords = {
  blanksCount: true,
  fits: (text) => plainText(text) === text,
  meant: (text) => [plainText(text)],
  otherwise: 'it has a sign that keeps a spreadsheet from taking it for a number, or full-width characters',
} as const satisfies Partial<TextRule>

/** A reference that identifies a record: another one must not look the same. */
const reference: TextRule = {
  ...plainWords,
  sentence: 'Latin letters, digits and signs, none of them invisible: a record is found again by it.',
  notes: [
    [
      /[\p{Script=Cyrillic}\p{Script=Greek}]/u,
      'it contains letters of another alphabet, some of which look like Latin ones',
    ],
    [/^\d+\.0$/, 'it ends in .0, as where a program took a reference for a number'],
  ],
}

const placeholder = 'looks like a placeholder for a missing name'

const personName: TextRule = {
  ...plainWords,
  sentence:
    'As the person writes it, without digits and commas; not N/A or the like for a name that is missing.',
  notes: [
    // People are called Nan; programs write nan and NaN.
    [/^(?:nan|NaN)$/, placeholder],
    [/^(?:null|n\/a|undefined|none|test|unknown|tb[ac])$/i, placeholder],
    [
      /^(?=.*\p{Script=Latin}).*[\p{Script=Cyrillic}\p{Script=Greek}]/su,
      'it contains letters of two alphabets, some of which look alike',
    ],
    [/^\s*\d|\p{L}\d|\d\p{L}/u, 'it has a digit in it'],
    [/^\P{L}+$/u, 'there is no letter in it'],
    [/,/, 'it has a comma in it, as a surname before a forename has'],
  ],
}

const standardRules: Readonly<Record<Standard, StandardRule>> = {
  reference,
  name: personName,
  nino,
  ppsn,
  postcode,
  eircode,
  place,
  'address-line': addressLine,
  'sort-code': sortCode,
  'account-number': accountNumber,
  'roll-number': rollNumber,
  iban,
  bic,
  utr,
  'vat-number': vatNumber,
  'company-number': companyNumber,
  'tax-code': taxCode,
  'ni-category': niCategory,
  'starter-declaration': starterDeclaration,
  'prsi-class': prsiClass,
  'cis-verification': cisVerification,
  phone,
  email,
  'birth-date': birthDate,
  'weekly-hours': weeklyHours,
  'start-date': startDate,
  'hourly-rate': hourlyRate,
  salary,
}

/** The rule of a standard in one sentence, with its source. */
export const sentenceOf = (standard: Standard): string => standardRules[standard].sentence

/** The warning of a public standard about a value, if any. `today` is YYYY-MM-DD. */
export function checkValue(field: Field, value: unknown, today: string): Warning | undefined {
  if (field.type === 'country') return countryWarning(value)
  if (field.type === 'decimal') return checkDecimals(value)
  return (
    (field.standard && checkStandard(field.standard, value, today)) ??
    checkInvisible(value) ??
    checkNothing(field, value)
  )
}

function checkStandard(standard: Standard, value: unknown, today: string): Warning | undefined {
  const rule = standardRules[standard]
  if (rule.of) return isNumber(value) ? judgeNumber(rule, Number(value), today) : undefined
  if (typeof value !== 'string' || value === '') return undefined
  const form = rule.form && standardForm(standard, value)
  const warning = checkText(rule, form ?? value, today)
  if (warning || !rule.form || form === value) return warning
  // A rule looks past every space and dash, even past a minus in front of a number.
  const spaces = rule.form === asItIs ? 'without spaces and dashes' : 'with one space'
  return { message: `usually in capitals ${spaces}`, suggestion: form }
}

/** Printable ASCII with no space at either end. Most texts are, and nothing needs taking out of them. */
const clean = /^[!-~](?:[ -~]*[!-~])?$/

/** Judges a text without the invisible characters of pasted text. */
function checkText(rule: TextRule, text: string, today: string): Warning | undefined {
  if (clean.test(text)) return judgeText(rule, text, today)
  const visible = text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[^\S ]/g, rule.blanksCount ? ' ' : '')
    .trim()
  if (visible === '') return { message: 'it contains only spaces' }
  const warning = judgeText(rule, visible, today)
  if (visible === text || warning) return warning
  return { message: 'spaces or invisible characters around or inside it', suggestion: visible }
}

/** Whether the codes of a standard are the same however they are spaced, as a sort code. A postcode has its one space. */
export function ignoresSpaces(standard: Standard | undefined): boolean {
  const rule = standard && standardRules[standard]
  return rule !== undefined && !rule.of && rule.form === asItIs
}

/** Letters and digits, with spaces and dashes only between them. A minus in front is not a dash. */
const withGaps = /^[A-Za-z0-9]+(?:[\s\p{Pd}\u2212]+[A-Za-z0-9]+)*$/u
const gaps = /[\s\p{Pd}\u2212]+/gu
/** A text in capitals already, with no space or dash to take out. */
const compactPattern = /^[A-Z0-9]+$/

/** A text as its standard writes it; undefined if more than spaces, dashes and case differ. */
export function standardForm(standard: Standard | undefined, text: string): string | undefined {
  const rule = standard && standardRules[standard]
  if (!rule || rule.of || !rule.form) return undefined
  const code = compactPattern.test(text) ? text : compactCode(text)
  return code !== undefined && rule.fits?.(code) ? rule.form(code) : undefined
}

function compactCode(text: string): string | undefined {
  const visible = text.replaceAll(/\p{Cf}/gu, '').trim()
  return withGaps.test(visible) ? visible.replaceAll(gaps, '').toUpperCase() : undefined
}

/** Money has two decimals, and no tax credit, cut-off point or deduction is negative. */
function checkDecimals(value: unknown): Warning | undefined {
  if (typeof value === 'string' && /^-.*[1-9]/.test(value)) return { message: 'negative' }
  return typeof value === 'string' && /^-?\d+\.\d{3,}$/.test(value)
    ? { message: 'more than two decimals' }
    : undefined
}

/** What programs and spreadsheets write where there is nothing. In a text it is a value as any other. */
const forNothing = /^(?:null|NULL|undefined|nan|NaN|#?[nN]\/[aA]|\[object Object\])$/

/** A field of codes has its own doubts: a service may have such a word among them. */
function checkNothing({ type, codes, exampleValues }: Field, value: unknown): Warning | undefined {
  if (type !== 'string' || codes || exampleValues || typeof value !== 'string') return undefined
  const word = value.trim()
  return forNothing.test(word)
    ? { message: `the text ${word} is a word for nothing: should the field be left out?` }
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
