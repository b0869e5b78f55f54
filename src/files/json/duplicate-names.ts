import { ExactNumber } from './numbers.ts'
import type { Json, JsonObject } from './path.ts'

/** A place in a JSON value: the names and list indexes that lead to it. */
type JsonPlace = readonly (string | number)[]

/** The places of names twice in an object: JSON.parse keeps the last. `value`: the text as parsed. */
export function duplicateNames(text: string, value: Json): JsonPlace[] {
  if (countNameEnds(text) === countNamesIn(value)) return []
  const places = new Map<string, JsonPlace>()
  /** The objects and lists that are open, each with where in it the text is. */
  const open: ({ at: number } | { at: string; names: Set<string> })[] = []
  for (const [token, literal = '', isName] of text.matchAll(tokens)) {
    const last = open.at(-1)
    if (token === '{') open.push({ at: '', names: new Set() })
    else if (token === '[') open.push({ at: 0 })
    else if (token === '}' || token === ']') open.pop()
    else if (last && 'names' in last) {
      if (!isName) continue
      last.at = JSON.parse(literal)
      const place = open.map(({ at }) => at)
      if (last.names.has(last.at)) places.set(JSON.stringify(place), place)
      last.names.add(last.at)
    } else if (last && token === ',') last.at += 1
  }
  return [...places.values()]
}

/** Names, texts, and what opens, parts and closes. In JSON a text before a colon is a name. */
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\],]/g

/**
 * How often a text has a quotation mark and a colon: after each name, and perhaps within strings too. All at once: a loop over
 * the thousands of names of a list is compiled several times, and each time takes as long as the whole search.
 */
const countNameEnds = (text: string): number => text.match(/"\s*:/g)?.length ?? 0

/** How many names all objects in a value have: as many as its text has, where that has none twice. */
function countNamesIn(value: Json): number {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return 0
  const values = Object.values(value as JsonObject)
  let count = Array.isArray(value) ? 0 : values.length
  for (const inner of values) if (typeof inner === 'object') count += countNamesIn(inner)
  return count
}
