import { onceForText } from '../../once.ts'
import { ExactNumber } from './numbers.ts'

/** Field paths as people write them: `generalSetting.address[0]`, or `generalSetting.address.0`. */

/** A JSON value; a number that a double would change is an ExactNumber. */
export type Json = unknown
/** An object of JSON. */
export type JsonObject = Record<string, Json>

/** Deeper than any record of the service, and far below what could exhaust memory. */
const mostSegments = 10
const highestIndex = 1000

/** Names with a meaning in JavaScript itself; no field has one. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

/** The segments of a text. Kept: each row of a file asks for the same few. */
const segmentsOf = onceForText((path): readonly string[] => path.replace(/\[(\d+)\]/g, '.$1').split('.'))

/** The segments of a path; undefined when it is not one. */
export const parsePath = onceForText((path): readonly string[] | undefined => {
  const segments = segmentsOf(path)
  const isPath = segments.every(
    (segment) =>
      /^[\w-]+$/.test(segment) && !forbidden.has(segment) && !(isIndex(segment) && +segment > highestIndex),
  )
  return isPath && segments.length <= mostSegments ? segments : undefined
})

/** The path of a place, with indexes in brackets. */
export function formatPath(segments: readonly PropertyKey[]): string {
  return segments
    .map((segment) => (isIndex(String(segment)) ? `[${String(segment)}]` : `.${String(segment)}`))
    .join('')
    .replace(/^\./, '')
}

/** Whether a segment of a path is the index of a list. */
export function isIndex(segment: string): boolean {
  return /^(0|[1-9]\d*)$/.test(segment)
}

/** Whether a field that holds this has no value: it is absent, null or an empty text. */
export const hasNoValue = (value: unknown): value is undefined | null | '' =>
  value === undefined || value === null || value === ''

/** Whether a value holds nothing: it is absent, null, an empty text, an empty list or an empty object. */
export const isEmpty = (value: Json): boolean =>
  hasNoValue(value) || (typeof value === 'object' && Object.keys(value).length === 0)

/** Whether a value is an object of JSON, and no list and no ExactNumber. */
export function isObject(value: Json): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  )
}

/** Whether objects and lists lie in each other deeper than so many levels. */
export function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const name in value) {
    const inner = (value as JsonObject)[name]
    // Most values are texts and numbers: a call for each would take longer than to read them.
    if (typeof inner === 'object' && isDeeperThan(inner, levels - 1)) return true
  }
  return false
}

/** The value at a path, or at its segments; undefined when there is none. */
export function valueAt(value: Json, path: string | readonly string[]): Json {
  let here = value
  for (const segment of typeof path === 'string' ? segmentsOf(path) : path) {
    if (typeof here !== 'object' || here === null || here instanceof ExactNumber) return undefined
    if (!Object.hasOwn(here, segment)) return undefined
    here = (here as JsonObject)[segment]
  }
  return here
}

/** A copy with another value at the path; missing objects and arrays on the way are created. */
export function withValueAt(value: Json, segments: readonly string[], put: Json): Json {
  if (segments.length === 0) return put
  const copy = assembleObject(isObject(value) ? value : {})
  copy.put(segments, put)
  return copy.whole
}

/**
 * An object that is put together field by field. What it shares is copied before it is changed. A name of digits makes a
 * list, unless `makesLists` is false.
 */
export function assembleObject(
  from: JsonObject = {},
  makesLists = true,
): {
  readonly whole: JsonObject
  readonly put: (segments: readonly string[], value: Json) => void
} {
  const whole: JsonObject = { ...from }
  const own = new WeakSet<object>([whole])
  return {
    whole,
    put(segments, value) {
      let inside: JsonObject | Json[] = whole
      const last = segments.length - 1
      for (let at = 0; at < last; at++) inside = open(inside, segments[at] ?? '', segments[at + 1])
      set(inside, segments[last] ?? '', value)
    },
  }

  /** The object or list at `name`, made or copied if needed. `next`: the name that is set in it. */
  function open(above: JsonObject | Json[], name: string, next = ''): JsonObject | Json[] {
    const there: Json = Object.hasOwn(above, name) ? (above as JsonObject)[name] : undefined
    if (typeof there === 'object' && there !== null && own.has(there)) return there as JsonObject | Json[]
    const isList = makesLists && isIndex(next) && (Array.isArray(there) || there === undefined)
    const copy = isList ? [...((there as Json[] | undefined) ?? [])] : { ...(isObject(there) ? there : {}) }
    own.add(copy)
    set(above, name, copy)
    return copy
  }

  /** Sets a member of the object's own, whatever its name: `__proto__` too. */
  function set(above: JsonObject | Json[], name: string, value: Json): void {
    if (name !== '__proto__') (above as JsonObject)[name] = value
    else Object.defineProperty(above, name, { value, enumerable: true, configurable: true, writable: true })
  }
}

/** Returns a function that makes a record of a row's values. A value without a place is left out. */
export function recordBuilder(
  places: readonly (readonly string[] | undefined)[],
): (values: readonly Json[]) => JsonObject {
  const leaves = places.flatMap((segments, at) => (segments ? [{ segments, at }] : []))
  const whole = partOf(leaves, 0)
  return (values) => (build(whole, values) ?? {}) as JsonObject
}

/** An object or a list to be made. `what` is in it: another part, or the number of a value. */
interface Part {
  readonly isList: boolean
  readonly inside: readonly { readonly name: string; readonly what: Part | number }[]
}

interface PlacedLeaf {
  readonly segments: readonly string[]
  readonly at: number
}

function partOf(leaves: readonly PlacedLeaf[], depth: number): Part {
  const names = [...new Set(leaves.map(({ segments }) => segments[depth] ?? ''))]
  const inside = names.map((name) => {
    const own = leaves.filter(({ segments }) => segments[depth] === name)
    const leaf = own.find(({ segments }) => segments.length === depth + 1)
    return { name, what: leaf ? leaf.at : partOf(own, depth + 1) }
  })
  return { isList: names.length > 0 && names.every(isIndex), inside }
}

/** Makes the object or list; undefined if it would be empty. */
function build({ isList, inside }: Part, values: readonly Json[]): JsonObject | Json[] | undefined {
  const holder: JsonObject | Json[] = isList ? [] : {}
  let isEmpty = true
  for (const { name, what } of inside) {
    const value = typeof what === 'number' ? values[what] : build(what, values)
    if (value === undefined) continue
    ;(holder as JsonObject)[name] = value
    isEmpty = false
  }
  if (isEmpty) return undefined
  // V8 may make an object that grows name by name a dictionary, which reads far slower. A copy is not one.
  return Array.isArray(holder) ? holder : { ...holder }
}

/** A copy of an object without the field at the path; the same object when it has none. */
export function withoutValueAt(value: Json, [head, ...rest]: readonly string[]): Json {
  if (head === undefined || !isObject(value) || !Object.hasOwn(value, head)) return value
  const { [head]: inside, ...others } = value
  return rest.length === 0 ? others : { ...value, [head]: withoutValueAt(inside, rest) }
}

/** Merges two values: objects field by field; anything else is replaced by `above`. */
export function mergeDeep(below: Json, above: Json): Json {
  if (!isObject(below) || !isObject(above)) return above
  const merged: JsonObject = { ...below }
  for (const [name, value] of Object.entries(above)) {
    merged[name] = Object.hasOwn(below, name) ? mergeDeep(below[name], value) : value
  }
  return merged
}

/** The last name in a path of names: `sortCode` of `bankSetting.sortCode`. */
export const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** A value as an object, which is what has columns: any other under the name `value`. */
export const asObject = (value: Json): JsonObject => (isObject(value) ? value : { value })
