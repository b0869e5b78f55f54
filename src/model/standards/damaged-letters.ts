import { type Field, isOfWords } from '../fields/field.ts'
import type { Warning } from './warning.ts'

/** Most names and addresses: nothing in them is left by a wrong encoding, a web page or a missing font. */
const ordinary = /^(?:[A-Za-z\d ,.()/-]|'(?!'))*$/

/** A sign that no name has, of a person or of an account. */
const noName = /[^\p{L}\p{M}\p{N}\p{Zs}'’‘ʼ`´.,()/&+‐‑–-]/u

/** The characters of windows-1252 between 0x80 and 0x9F. */
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ'

const strict = new TextDecoder('utf-8', { fatal: true })

/** Repairs UTF-8 that was read as windows-1252: Siobhán for SiobhÃ¡n. Undefined for any other text. */
function decodedAgain(text: string): string | undefined {
  const bytes: number[] = []
  for (const letter of text) {
    const [code = 0, special] = [letter.codePointAt(0), windows.indexOf(letter)]
    if (special >= 0) bytes.push(0x80 + special)
    else if (code < 0x100) bytes.push(code)
    else return undefined
  }
  try {
    const decoded = strict.decode(new Uint8Array(bytes))
    return decoded === text ? undefined : decoded
  } catch {
    return undefined
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  quot: '"',
  lt: '<',
  gt: '>',
  nbsp: ' ',
}

/** Replaces each HTML entity by its character: O'Example for O&apos;Example. */
function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]+));/gi, (whole, digits, hex, name = '') => {
    const code = Number.parseInt(digits ?? hex ?? '', digits === undefined ? 16 : 10)
    if (code > 0 && code < 0x11_00_00) return String.fromCodePoint(code)
    return entities[name.toLowerCase()] ?? whole
  })
}

/** Warns about letters of a name or an address that were damaged on their way, with what was probably meant. */
export function damagedLetters(
  { type, standard, codes, exampleValues }: Field,
  value: unknown,
): Warning | undefined {
  const isText = type === 'string' || type === 'lines'
  if (!isText || typeof value !== 'string' || ordinary.test(value)) return undefined
  if ((standard && !isOfWords(standard)) || codes !== undefined || exampleValues) return undefined
  const decoded = decodedAgain(value)
  if (decoded !== undefined)
    return { message: 'damaged letters: read in a wrong encoding', suggestion: decoded }
  const plain = withoutEntities(value)
  if (plain !== value) return { message: 'damaged letters: copied from a web page', suggestion: plain }
  const isName = standard === 'name'
  if (isName ? value.includes('?') : /\p{L}\?(?=[\p{L}\s])|\?\p{L}/u.test(value))
    return { message: 'damaged letters: a question mark stands in the place of one' }
  if (!isName) return undefined
  if (value.includes("''"))
    return { message: 'two apostrophes side by side', suggestion: value.replace(/'+/g, "'") }
  return noName.test(value)
    ? { message: 'a sign that no name has, and for which HMRC refuses a whole submission' }
    : undefined
}
