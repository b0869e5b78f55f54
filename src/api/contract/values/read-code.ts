import type { Field } from '../fields/field.ts'
import { codeWords } from './code-words.ts'

/** The codes that are known for a field: those seen at the service, and those of HMRC or Revenue. */
export function knownCodes({ type, exampleValues = [], standardValues = [] }: Field): readonly string[] {
  if (type !== 'string' || exampleValues.length + standardValues.length === 0) return none
  return [...new Set([...exampleValues, ...standardValues])]
}

const none: readonly string[] = []

/** The known code that a text means: WEEKLY for `weekly`, `Weekly` or `Every week`; undefined if it means none. */
export function readCode(field: Field, text: string): string | undefined {
  const codes = knownCodes(field)
  if (codes.length === 0 || codes.includes(text)) return undefined
  const wanted = plain(text)
  const same = codes.filter((code) => plain(code) === wanted)
  const meant = same.length > 0 ? same : codes.filter((code) => wordsOf(code).includes(wanted))
  return meant.length === 1 ? meant[0] : undefined
}

/** Whether a text is neither a known code nor written like one, at a field that takes codes: `Wkly`. */
export function isNoCode(field: Field, text: string): boolean {
  const codes = knownCodes(field)
  return codes.length > 0 && codes.every(isCodeLike) && !isCodeLike(text.trim())
}

const isCodeLike = (text: string) => /^[A-Z0-9_%]+$/.test(text)

const wordsOf = (code: string) => (codeWords[code] ?? []).map(plain)

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}%]/gu, '')
