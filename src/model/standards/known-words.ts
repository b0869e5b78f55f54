import { capital } from '../../text/words.ts'
import { type CodeList, codeLists } from '../fields/code-lists.ts'
import type { Field } from '../fields/field.ts'
import { asDigits, asItIs, type TextRule } from './standard-rule.ts'

/**
 * The words of a field with their meanings, the examples of its declaration first. None for a field without such words.
 */
export function knownWords({ exampleValues = [], codes }: Field): Readonly<Record<string, string>> {
  const codeNames: Readonly<Record<string, string>> = codes ? codeLists[codes] : {}
  const examples = exampleValues.map((value) => [value, codeNames[value] ?? codeInWords(value)])
  return { ...Object.fromEntries(examples), ...codeNames }
}

/** The words that interface.md has: `registrationStatus ONGOING (request) and REGISTRATION_COMPLETE (response)`. */
const inDocument =
  /^(ACTIVE|BACS|CIS|ignition|NET_PAY_ARRANGEMENT|NO_HOLIDAY_PAY|ONGOING|OPT_IN|PAYEE|REGISTRATION_COMPLETE|ROLLED_UP|WEEKLY)$/

/** The lists with words as the programs of HMRC, Revenue or Social Protection write them. */
const publicLists: ReadonlySet<CodeList> = new Set<CodeList>([
  'irish-pay-frequency',
  'starter-declaration',
  'irish-tax-basis',
  'usc-status',
  'ni-category',
  'prsi-class',
  'prsi-exemption',
  'employment-status',
])

/** The origin of a known word of a field. guess: nobody has shown it, and the service may call it otherwise. */
export function originOf(
  { codes, exampleValues = [] }: Field,
  word: string,
): 'document' | 'official' | 'guess' {
  if (inDocument.test(word) && exampleValues.includes(word)) return 'document'
  return codes && publicLists.has(codes) && Object.hasOwn(codeLists[codes], word) ? 'official' : 'guess'
}

function codeInWords(value: string): string {
  if (!/^[A-Z][A-Z_]{2}[A-Z_\d%]*$/.test(value)) return value
  return capital(value.replaceAll('_', ' ').toLowerCase())
}

/** A standard whose codes are a list of a public body. */
function ruleOfList(list: CodeList, rule: Omit<TextRule, 'of' | 'fits' | 'form' | 'meant'>): TextRule {
  const codes = codeLists[list]
  return {
    ...rule,
    fits: (code) => Object.hasOwn(codes, code),
    form: asItIs,
    meant: (code) => [code.slice(0, 1) + asDigits(code.slice(1))],
  }
}

/** A UK National Insurance category letter. */
export const niCategory = ruleOfList('ni-category', {
  sentence: 'One of HMRC’s letters: A for most, and those for age, apprentices, Freeports and the like.',
  faults: [[/^[GPQRTWY]$/, 'not a letter for employees ashore; A is the usual one']],
  otherwise: "not one of HMRC's NI category letters; A is the usual one",
})

/** Statement A, B or C of HMRC's starter checklist. */
export const starterDeclaration = ruleOfList('starter-declaration', {
  sentence: 'A, B or C (HMRC).',
  otherwise: 'a starter declaration is A, B or C',
})

/** An Irish PRSI class with its subclass. */
export const prsiClass = ruleOfList('prsi-class', {
  sentence: 'A letter, and a digit or letter: A1 for most employees (Revenue).',
  faults: [[/^[ABCDHJKS]$/, 'the subclass is missing: A1 is class A, subclass 1']],
  otherwise: "not one of Revenue's PRSI classes, such as A1",
})
