import { isEmpty, isIndex, isObject, type Json, parsePath, valueAt } from '../../files/json/path.ts'
import { onceFor } from '../../once.ts'
import type { Field, Fields } from './field.ts'

/** A field that holds a value rather than other fields, with its path. */
export interface Leaf {
  readonly path: string
  readonly field: Field
}

/** Every field that holds a value, in declared order. */
export const leafFields = onceFor((fields: Fields): readonly Leaf[] => leavesUnder(fields, ''))

function leavesUnder(fields: Fields, under: string): Leaf[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = under + name
    return field.fields ? leavesUnder(field.fields, `${path}.`) : [{ path, field }]
  })
}

/** The field at a path, which may be an object or an element of an array; undefined if there is none. */
export function fieldAt(fields: Fields, path: string): Field | undefined {
  const segments = parsePath(path)
  return segments && fieldAtPlace(fields, segments)
}

/** The field at the end of these names, one of which may contain a dot. */
export function fieldAtPlace(fields: Fields, place: readonly string[]): Field | undefined {
  let field: Field | undefined = { type: 'object', label: '', fields }
  for (const name of place) {
    if (!field) return undefined
    const inside: Fields = field.fields ?? {}
    field = isIndex(name) ? element(field) : Object.hasOwn(inside, name) ? inside[name] : undefined
  }
  return field
}

function element(field: Field): Field | undefined {
  if (field.type === 'lines') return { type: 'string', label: field.label }
  return field.type === 'array' ? field.item : undefined
}

/** Whether a field is to be asked for, by what the record says so far. */
export function isAskedFor({ path, field }: Leaf, body: Json): boolean {
  const { when } = field
  if (!when) return true
  if ('without' in when) {
    const other = siblingOf(path, when.without, body)
    // A rate or a salary of 0 is none.
    return isEmpty(other) || other === 0
  }
  const value = siblingOf(path, when.field, body)
  return 'is' in when ? when.is.some((each) => each === value) : !when.isNot.some((each) => each === value)
}

/** The value of another field of the same object. */
export function siblingOf(path: string, name: string, body: Json): Json {
  const above = valueAt(body, path.split('.').slice(0, -1))
  return path.includes('.') ? (isObject(above) ? above[name] : undefined) : valueAt(body, [name])
}

/** The value that clears a field of a record: null where interface.md shows it, an empty text or list. */
export function emptyValue({ type, nullable }: Field): Json {
  if (nullable) return null
  if (type === 'string') return ''
  return type === 'lines' || type === 'array' ? [] : undefined
}
