import { ExactNumber } from './numbers.ts'
import { isObject, type Json, type JsonObject } from './path.ts'

/** A place in a JSON value: the names and list indexes that lead to it. */
export type Place = readonly (string | number)[]

/** An object or a list that is open at the current position. */
interface Open {
  /** The names so far; undefined in a list. */
  readonly names?: Set<string>
  at: string | number
}

/**
 * The places of names that appear more than once in an object, each listed once: JSON.parse silently keeps only the
 * last value. Expects a text that JSON.parse can read, and what it read.
 */
export function duplicateNames(text: string, value: Json): Place[] {
  if (countNameEnds(text) === countNamesIn(value)) return []
  const open: Open[] = []
  const found = new Map<string, Place>()
  let named = false
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case openBrace:
        open.push({ names: new Set(), at: '' })
        named = false
        break
      case openBracket:
        open.push({ at: 0 })
        break
      case closeBrace:
      case closeBracket:
        open.pop()
        break
      case colon:
        named = true
        break
      case comma: {
        named = false
        const here = open.at(-1)
        if (typeof here?.at === 'number') here.at += 1
        break
      }
      case quote: {
        const end = endOfString(text, at)
        const here = open.at(-1)
        if (here?.names && !named) name(here, here.names, nameIn(text.slice(at, end + 1)))
        at = end
      }
    }
  }
  return [...found.values()]

  function name(here: Open, names: Set<string>, given: string) {
    here.at = given
    if (!names.has(given)) {
      names.add(given)
      return
    }
    const place = open.map((each) => each.at)
    found.set(JSON.stringify(place), place)
  }
}

const nameEnd = /"\s*:/g

/** How often a text has a quotation mark and a colon: behind each name, and perhaps within strings too. */
function countNameEnds(text: string): number {
  let count = 0
  nameEnd.lastIndex = 0
  while (nameEnd.test(text)) count += 1
  return count
}

/** How many names all objects in a value have: as many as its text has, where that has none twice. */
function countNamesIn(value: Json): number {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return 0
  const names = Object.keys(value)
  let count = Array.isArray(value) ? 0 : names.length
  for (const name of names) {
    const inner = (value as JsonObject)[name]
    if (typeof inner === 'object') count += countNamesIn(inner)
  }
  return count
}

/**
 * The first name that appears twice outside of lists: in the envelope of a page, whose items may be long. `value` is
 * what the text was read as. Looks through the text only where a name of the envelope could be there twice.
 */
export function duplicateEnvelopeName(text: string, value: Json): Place | undefined {
  // A letter that is written as an escape would hide a name from the search.
  const mayHide = text.includes('\\u00') && /\\u00[2-7]/.test(text)
  const names = namesOutsideLists(value)
  if (!mayHide && countNames(text, names) === names.length) return undefined
  return duplicateNames(text, value).find((place) => place.every((part) => typeof part === 'string'))
}

function namesOutsideLists(value: Json): string[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesOutsideLists(inner)])
}

/** How often these names stand in a text, whatever they are there: one look for all of them. */
function countNames(text: string, names: readonly string[]): number {
  const quoted = names.map((name) => JSON.stringify(name).replaceAll(/[^\w" -]/g, '\\$&'))
  return names.length === 0 ? 0 : (text.match(new RegExp(quoted.join('|'), 'g')) ?? []).length
}

/** Codes of characters: to compare them takes a fifth of the time, and a file has megabytes. */
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** The name that a text in quotation marks stands for. */
const nameIn = (text: string): string => (text.includes('\\') ? JSON.parse(text) : text.slice(1, -1))

/** Where the string that starts here ends. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at++
  }
}
