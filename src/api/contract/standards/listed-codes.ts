import { asDigits, normalize, type Warning } from './warning.ts'

/** HMRC's NI category letters, including those of freeports (F I L S) and investment zones (D E K N). */
const niCategories = new Set('ABCHJMVXZFISLNEKD')

/** Revenue's PRSI classes with their subclasses. */
const prsiClasses = new Set(
  [
    ['A0', 'AX', 'AL', 'A1', 'A4', 'A6', 'A7', 'A8', 'A9'],
    ['B0', 'BX', 'B1', 'C0', 'CX', 'C1', 'D0', 'DX', 'D1'],
    ['E', 'H0', 'HX', 'H1', 'J0', 'J1', 'J9', 'K1', 'M', 'P', 'S0', 'S1'],
  ].flat(),
)

const declarations = new Set('ABC')

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
