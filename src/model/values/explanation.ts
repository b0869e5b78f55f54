import { type Json, parsePath, valueAt } from '../../files/json/path.ts'
import type { FactName } from '../facts/facts.ts'
import { type Field, type Standard, sections } from '../fields/field.ts'
import type { Leaf } from '../fields/field-tree.ts'
import { sample } from '../fields/sample.ts'
import type { RecordType } from '../records/record-type.ts'
import { knownWords, originOf } from '../standards/code-lists.ts'
import { knownCodes, type SeenWords } from './read-code.ts'

/** Everything we know about a field, with a clearly made-up example. */
interface Explanation {
  readonly label: string
  readonly section: string | null
  readonly type: string
  readonly nullable: boolean
  readonly sensitive: boolean
  /** The words that interface.md has. */
  readonly document: readonly string[]
  /** The words of HMRC, Revenue and the Department of Social Protection. */
  readonly official: readonly string[]
  /** The words that records of this service had. */
  readonly seen: readonly string[]
  /** Our guesses: the service may call it otherwise. */
  readonly guess: readonly string[]
  /** What each of these means. */
  readonly meanings: Readonly<Record<string, string>>
  readonly standard: string | null
  /** The standard's rule in one sentence, with its source. */
  readonly rule: string | null
  readonly help: string | null
  readonly example: Json
  readonly notShown: string
}

export function explanationOf(type: RecordType, { path, field }: Leaf, known?: SeenWords): Explanation {
  const seen = known?.get(field) ?? []
  const words = knownWords(field)
  const wordsFrom = (origin: ReturnType<typeof originOf>) =>
    Object.keys(words).filter((word) => originOf(field, word) === origin)
  return {
    label: field.label,
    section: field.section ? sections[field.section] : null,
    type: field.assumed ? `${field.type} (assumed)` : field.type,
    nullable: field.nullable ?? false,
    sensitive: field.sensitive ?? false,
    document: wordsFrom('document'),
    official: wordsFrom('official'),
    seen,
    guess: wordsFrom('guess').filter((word) => !seen.includes(word)),
    meanings: words,
    standard: field.standard ?? null,
    rule: field.standard ? rules[field.standard] : null,
    help: [field.help, field.note].filter(Boolean).join(' ') || null,
    example: valueAt(sample(type), parsePath(path) ?? []) ?? null,
    notShown: 'whether it is required, its length, and the full set of its values',
  }
}

/** The rule of each public standard, in one sentence with its source. A standard only warns; it never refuses. */
const rules: Readonly<Record<Standard, string>> = {
  reference: 'Latin letters, digits and signs, none of them invisible: a record is found again by it.',
  name: 'As the person writes it, without digits and commas; not N/A or the like for a name that is missing.',
  nino: 'Two letters, six digits, one letter A to D; some first letters are never used (HMRC, NIM39110).',
  ppsn: 'Seven digits and one or two letters, the first of them a check letter, modulus 23 (Department of Social Protection).',
  postcode: 'Outward and inward part with one space between, as SW1A 1AA (Royal Mail).',
  eircode: 'A routing key and four characters, as D02 X285 (Eircode).',
  'sort-code': 'Six digits; the dashes of 12-34-56 are left out.',
  'account-number': 'Eight digits (Pay.UK). Where the paper has fewer, ask the person.',
  'roll-number': 'One to eighteen of A to Z, digits, space, full stop, slash and hyphen.',
  iban: 'Country, two check digits, modulus 97, and the length that the country lays down (ISO 13616).',
  bic: 'Eight or eleven characters: bank, country, place, branch (ISO 9362).',
  utr: 'Ten digits, the first of them a check digit (HMRC).',
  'vat-number': 'Nine digits for the UK, seven and one or two letters for Ireland, each with a check.',
  'company-number':
    'Eight digits, or two letters and six digits (Companies House); up to seven digits in Ireland (CRO).',
  'tax-code':
    'A number and a letter, or BR, 0T, NT, D0 and the like, with S for Scotland or C for Wales in front (HMRC).',
  'ni-category': 'One of HMRC’s letters: A for most, and those for age, apprentices, Freeports and the like.',
  'starter-declaration': 'A, B or C (HMRC).',
  'prsi-class': 'A letter, and a digit or letter: A1 for most employees (Revenue).',
  'cis-verification': 'V and ten digits, and a letter or two when unmatched (HMRC).',
  phone: 'Seven to fifteen digits, with + and the country or as dialled at home (E.164).',
  email: 'A name, an @ and a domain, at most 254 characters (RFC 5321).',
  'birth-date': 'In the past, of somebody between 16 and 100.',
  'weekly-hours': 'From 0 to 60; a week has 168.',
  'start-date': 'At most two years ahead.',
  'hourly-rate': 'From 1 to 500, or 0 for none.',
  salary: 'From 1,000 to 1,000,000 a year, or 0 for none.',
}

/** Begins the help line of a workbook to fill in, which is not imported. */
export const helpMark = 'Help, not imported: '

/** What the help line says of a field, in one line: what it is, and how it is written. */
export function helpText(field: Field): string {
  const codes = knownCodes(field)
  const known = codes.length > 0 ? `Such as ${codes.join(', ')}.` : wordsByType[field.type]
  return [field.help, known].filter(Boolean).join(' ')
}

const wordsByType: Partial<Readonly<Record<Field['type'], string>>> = {
  date: 'A date, such as 2026-04-06.',
  timestamp: 'A date, such as 2026-04-06.',
  boolean: 'yes or no.',
  number: 'A number, such as 37.5.',
  integer: 'A whole number.',
  decimal: 'An amount, such as 4000.00.',
  country: 'A country, such as GB or Ireland.',
}

/** The facts by which a field is judged, by the last part of its path. */
export const factsOfField: Readonly<Record<string, readonly FactName[] | undefined>> = {
  niCategory: ['state-pension-age', 'contribution-ages'],
  prsiEeClasses: ['contribution-ages', 'prsi-bands'],
  taxCode: ['usual-tax-code'],
  starterDeclaration: ['usual-tax-code'],
  haveStudentLoan: ['student-loan-plans'],
  yearlyRateCutOff: ['standard-cut-off'],
  rateHour: ['minimum-wage'],
  annualSalary: ['minimum-wage'],
  margin: ['employer-costs'],
  holidayPayRate: ['holiday-pay'],
  workingTimeRegulation: ['working-time'],
  nationality: ['free-to-work'],
  rightToWorkStatus: ['free-to-work'],
  documentExpiryDate: ['free-to-work'],
  verificationDate: ['cis-verification'],
  optState: ['auto-enrolment'],
  postponementEndDate: ['postponement'],
  sortCode: ['sort-code-weights', 'sort-code-substitutes'],
  accountNumber: ['sort-code-weights', 'sort-code-substitutes'],
  IBANReference: ['sepa'],
  vatID: ['vat-rates'],
  defaultVATCode: ['vat-rates'],
}
