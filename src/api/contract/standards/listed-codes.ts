import type { CodeList } from '../fields/field.ts'
import { codeLists } from './code-lists.ts'
import { asDigits, normalize, type Warning } from './warning.ts'

const codesOf = (list: CodeList): ReadonlySet<string> => new Set(Object.keys(codeLists[list]))

const niCategories = codesOf('ni-category')
const prsiClasses = codesOf('prsi-class')
const declarations = codesOf('starter-declaration')

export const isNiCategory = (code: string): boolean => niCategories.has(code)
export const isStarterDeclaration = (code: string): boolean => declarations.has(code)
export const isPrsiClass = (code: string): boolean => prsiClasses.has(code)

/** A UK National Insurance category letter. */
export function niCategory(value: string): Warning | undefined {
  if (/^ *[GPQRTWY] *$/i.test(value))
    return { message: 'not a letter for employees ashore; A is the usual one' }
  return listed(value, niCategories, "not one of HMRC's NI category letters; A is the usual one")
}

/** Statement A, B or C of HMRC's starter checklist. */
export function starterDeclaration(value: string): Warning | undefined {
  return listed(value, declarations, 'a starter declaration is A, B or C')
}

/** An Irish PRSI class with its subclass. */
export function prsiClass(value: string): Warning | undefined {
  if (/^ *[ABCDHJKS] *$/i.test(value))
    return { message: 'the subclass is missing: A1 is class A, subclass 1' }
  return listed(value, prsiClasses, "not one of Revenue's PRSI classes, such as A1")
}

function listed(value: string, codes: ReadonlySet<string>, message: string): Warning | undefined {
  const code = normalize(value)
  if (codes.has(code)) return undefined
  const meant = code.slice(0, 1) + asDigits(code.slice(1))
  return { message, ...(codes.has(meant) && { suggestion: meant }) }
}
