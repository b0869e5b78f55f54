import { randomUUID } from 'node:crypto'
import { ExactNumber } from './numbers.ts'
import type { Json, JsonObject } from './path.ts'

/** Like JSON.stringify, but writes every ExactNumber with its own digits. */
export function stringifyJson(value: unknown, indent?: number): string {
  if (!holdsExactNumber(value)) return JSON.stringify(value, null, indent)
  // Like JSON.rawJSON from Node 21 on: a random mark, removed afterwards together with the quotation marks.
  const mark = randomUUID()
  function markExact(this: Readonly<Record<string, unknown>>, name: string, inner: unknown): unknown {
    const property = this[name]
    return property instanceof ExactNumber ? mark + property.text : inner
  }
  return JSON.stringify(value, markExact, indent).replace(new RegExp(`"${mark}([^"]+)"`, 'g'), '$1')
}

function holdsExactNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof ExactNumber) return true
  for (const name in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[name]
    // Most values are texts and numbers: a call for each would take longer than to write them.
    if (typeof inner === 'object' && holdsExactNumber(inner)) return true
  }
  return false
}

/** JSON with the names of every object sorted. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (value instanceof ExactNumber) return value.text
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  const object = value as JsonObject
  const members = Object.keys(object)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(object[name])}`)
  return `{${members.join()}}`
}
