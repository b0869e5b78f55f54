import { type JsonPlace, scanJson } from './lines.ts'
import { ExactNumber } from './numbers.ts'
import { isObject, type Json, type JsonObject } from './path.ts'

/** The places of names twice in an object: JSON.parse keeps the last. `value`: the text as parsed. */
export function duplicateNames(text: string, value: Json): JsonPlace[] {
  if (countNameEnds(text) === countNamesIn(value)) return []
  const places = new Map<string, JsonPlace>()
  scanJson(text, { onTwice: (place) => void places.set(JSON.stringify(place), place) })
  return [...places.values()]
}

const nameEnd = /"\s*:/g

/** How often a text has a quotation mark and a colon: after each name, and perhaps within strings too. */
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

/** The first name that appears twice outside of lists. Quick for the envelope of a page with long items. */
export function duplicateEnvelopeName(text: string, value: Json): JsonPlace | undefined {
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

/** How often these names appear in a text in quotation marks, whatever they mean there. */
function countNames(text: string, names: readonly string[]): number {
  const quoted = names.map((name) => JSON.stringify(name).replaceAll(/[^\w" -]/g, '\\$&'))
  return names.length === 0 ? 0 : (text.match(new RegExp(quoted.join('|'), 'g')) ?? []).length
}
