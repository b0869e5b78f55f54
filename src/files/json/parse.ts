import { randomUUID } from 'node:crypto'
import { ExactNumber, numberOf } from './numbers.ts'

/**
 * A number that a double might change: 16 digits or more, or an exponent. A string may look like one. A text that is a
 * number from its beginning is looked at on its own: one pattern for both takes twice as long, and a list has megabytes.
 */
const long = /[:,[]\s*-?\d(?:[\d.]{15}|[\d.]*[eE])/
const startsWithNumber = /^\s*-?\d/

/** Finds numbers outside strings: escapes and quotation marks show what is inside a string. */
const token = /\\.|"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs

/**
 * Parses JSON like JSON.parse, but numbers that a double would change become ExactNumbers. Throws as JSON.parse does.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return long.test(text) || startsWithNumber.test(text) ? withExactNumbers(text, value) : value
}

/**
 * Puts each such number into a string with a random mark, so that JSON.parse still parses the rest of the text.
 * (JSON.parse gives the source text of a number only from Node 21 on.)
 */
function withExactNumbers(text: string, value: unknown): unknown {
  const mark = randomUUID()
  let inString = false
  let hasExactNumber = false
  const marked = text.replace(token, (part) => {
    if (part === '"') inString = !inString
    if (part === '"' || inString || !(numberOf(part) instanceof ExactNumber)) return part
    hasExactNumber = true
    return `"${mark}${part}"`
  })
  if (!hasExactNumber) return value
  return JSON.parse(marked, (_, inner) =>
    typeof inner === 'string' && inner.startsWith(mark) ? new ExactNumber(inner.slice(mark.length)) : inner,
  )
}
