import { randomUUID } from 'node:crypto'
import { ExactNumber, parseNumber } from './numbers.ts'

/**
 * A number that a double might change: 16 digits or more, or an exponent. A string may look like one. Two
 * patterns, because one for a lone number too takes twice as long, and a list has megabytes.
 */
const long = /[:,[]\s*-?\d(?:[\d.]{15}|[\d.]*[eE])/
const startsWithNumber = /^\s*-?\d/

/** Finds numbers outside strings: escapes and quotation marks show what is inside a string. */
const token = /\\.|"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs

/** Parses JSON, and throws, like JSON.parse; but a number that a double would change is an ExactNumber. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return long.test(text) || startsWithNumber.test(text) ? withExactNumbers(text, value) : value
}

/** Puts such numbers into strings behind a random placeholder: JSON.parse gives source texts only from Node 21 on. */
function withExactNumbers(text: string, value: unknown): unknown {
  const placeholder = randomUUID()
  let inString = false
  let hasExactNumber = false
  const replaced = text.replace(token, (part) => {
    if (part === '"') inString = !inString
    if (part === '"' || inString || !(parseNumber(part) instanceof ExactNumber)) return part
    hasExactNumber = true
    return `"${placeholder}${part}"`
  })
  if (!hasExactNumber) return value
  return JSON.parse(replaced, (_, inner) =>
    typeof inner === 'string' && inner.startsWith(placeholder)
      ? new ExactNumber(inner.slice(placeholder.length))
      : inner,
  )
}
