import { randomUUID } from 'node:crypto'
import { ExactNumber } from './numbers.ts'
import type { Json, JsonObject } from './path.ts'

/** Like JSON.stringify, but writes every ExactNumber with its own digits. */
export function stringifyJson(value: unknown, indent?: number): string {
  if (!ExactNumber.isThere || !holdsExactNumber(value)) return JSON.stringify(value, null, indent)
  // Like JSON.rawJSON from Node 21 on: a random placeholder, removed afterwards together with the quotation marks.
  const placeholder = randomUUID()
  function withPlaceholder(this: Readonly<Record<string, unknown>>, name: string, inner: unknown): unknown {
    const property = this[name]
    return property instanceof ExactNumber ? placeholder + property.text : inner
  }
  return JSON.stringify(value, withPlaceholder, indent).replace(
    new RegExp(`"${placeholder}([^"]+)"`, 'g'),
    '$1',
  )
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
  if (typeof value === 'string' && unescaped.test(value)) return `"${value}"`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (value instanceof ExactNumber) return value.text
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  const object = value as JsonObject
  let text = ''
  for (const { name, written } of sortNames(Object.keys(object))) {
    text += `${text === '' ? '' : ','}${written}${canonicalJson(object[name])}`
  }
  return `{${text}}`
}

/** Text in which JSON escapes nothing, like most of it. */
const unescaped = /^[ !#-[\]-~]*$/

interface Name {
  readonly name: string
  /** The name as it stands in front of its value. */
  readonly written: string
}

/** The names used last as they came and sorted, by their number and the first: sorting takes longer than writing. */
const orders = new Map<string, { readonly names: readonly string[]; readonly sorted: readonly Name[] }>()
const mostOrders = 100

function sortNames(names: readonly string[]): readonly Name[] {
  const key = `${names.length} ${names[0]}`
  const earlierOrder = orders.get(key)
  if (earlierOrder?.names.every((name, at) => name === names[at])) return earlierOrder.sorted
  const inOrder = [...names].sort().map((name) => ({ name, written: `${JSON.stringify(name)}:` }))
  if (earlierOrder || orders.size < mostOrders) orders.set(key, { names, sorted: inOrder })
  return inOrder
}
