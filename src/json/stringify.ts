import { randomUUID } from 'node:crypto'
import { ExactNumber } from './exact-number.ts'

/** A value as JSON, as JSON.stringify writes it, every ExactNumber as its digits. */
export function stringifyJson(value: unknown, indent?: number): string {
  if (!holdsExactNumber(value)) return JSON.stringify(value, null, indent)
  // Like JSON.rawJSON from Node 21 on: a random mark, removed afterwards together with the quotation marks.
  const mark = randomUUID()
  function marked(this: Readonly<Record<string, unknown>>, name: string, inner: unknown): unknown {
    const own = this[name]
    return own instanceof ExactNumber ? mark + own.text : inner
  }
  return JSON.stringify(value, marked, indent).replace(new RegExp(`"${mark}([^"]+)"`, 'g'), '$1')
}

function holdsExactNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof ExactNumber) return true
  if (Array.isArray(value)) return value.some(holdsExactNumber)
  for (const name in value) {
    if (holdsExactNumber((value as Readonly<Record<string, unknown>>)[name])) return true
  }
  return false
}
