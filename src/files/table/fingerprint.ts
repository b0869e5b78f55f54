import { hash } from 'node:crypto'
import { type Hmac, hmacWith } from '../../text/hmac.ts'
import { ExactNumber } from '../json/numbers.ts'
import type { Json, JsonObject } from '../json/path.ts'

/** A fingerprint of a row, whatever the order of its fields. It reveals nothing without the salt. */
export function hashOf(record: JsonObject, salt: string): string {
  if (salted?.salt !== salt) salted = { salt, hmac: hmacWith(salt) }
  return salted.hmac(canonicalJson(record), 'hex').slice(0, 32)
}

/** All rows of an import have one salt. */
let salted: { readonly salt: string; readonly hmac: Hmac } | undefined

/** Tells whether a row of the file has changed since it was checked. Has no salt, so it must never be stored. */
export function digestOf(bytes: string | Uint8Array): string {
  return hash('sha256', bytes, 'base64url').slice(0, 16)
}

/** JSON with the names of every object sorted. */
function canonicalJson(value: Json): string {
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
  /** As it stands in front of its value. */
  readonly written: string
}

/** The names used last as they came and sorted, by their number and the first: sorting takes longer than writing. */
const orders = new Map<string, { readonly names: readonly string[]; readonly sorted: readonly Name[] }>()
const mostOrders = 100

function sortNames(names: readonly string[]): readonly Name[] {
  const key = `${names.length} ${names[0]}`
  const known = orders.get(key)
  if (known?.names.every((name, at) => name === names[at])) return known.sorted
  const sorted = [...names].sort().map((name) => ({ name, written: `${JSON.stringify(name)}:` }))
  if (known || orders.size < mostOrders) orders.set(key, { names, sorted })
  return sorted
}
