import { valueAt } from '../../files/json/path.ts'
import {
  anyObject,
  anything,
  array,
  type Field,
  flag,
  sections,
  text,
  type ValuesOf,
} from '../fields/field.ts'
import type { Leaf } from '../fields/field-tree.ts'
import type { RecordType } from '../records/record-type.ts'
import { knownWords, originOf } from '../standards/known-words.ts'
import { sample } from '../standards/sample.ts'
import { sentenceOf } from '../standards/standards.ts'
import { knownCodes, type ServiceWords } from './read-code.ts'

/** Everything we know about a field, with a clearly made-up example. */
export const explanationFields = {
  label: text('Label'),
  section: text('Where the form asks for it', { nullable: true }),
  type: text('Type'),
  nullable: flag('Whether it can be null'),
  sensitive: flag('Whether it is masked'),
  document: array('Words in the document of the interface', text('')),
  official: array('Words of HMRC, Revenue and the Department of Social Protection', text('')),
  seen: array('Words that records of this service had', text('')),
  guess: array('Our guesses', text('')),
  meanings: anyObject('What each word means'),
  standard: text('Public standard', { nullable: true }),
  rule: text('Its rule', { nullable: true }),
  help: text('What it is', { nullable: true }),
  example: anything('A made-up value'),
  notShown: text('What the interface does not show'),
}

/** What is known of a field. `known`: the words that the records of the service have. */
export function explanationOf(
  type: RecordType,
  { path, field }: Leaf,
  known?: ServiceWords,
): ValuesOf<typeof explanationFields> {
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
    rule: field.standard ? sentenceOf(field.standard) : null,
    help: [field.help, field.note].filter(Boolean).join(' ') || null,
    example: valueAt(sample(type), path) ?? null,
    notShown: 'whether it is required, its length, and the full set of its values',
  }
}

/** Begins the help line of a workbook to fill in, which is not imported. */
export const helpMark = 'Help, not imported: '

/** Whether a cell begins that line. */
export const beginsHelp = (cell: string) => cell.startsWith(helpMark.trimEnd())

/** The help line of a field: what it is, and how it is written. */
export function fieldHelp(field: Field): string {
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

/** What a value of each type is, in words. */
export const kindsInWords: Readonly<Record<Field['type'], string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  date: 'a date, day before month',
  timestamp: 'a date',
  decimal: 'an amount',
  country: 'a country',
  lines: 'lines of text',
  array: 'a list',
  object: 'several fields',
  unknown: 'anything',
}
