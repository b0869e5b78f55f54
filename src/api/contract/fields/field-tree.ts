import { isIndex, parsePath } from '../../../json/path.ts'
import type { Field, Fields } from './field.ts'

/** A field that holds a value rather than other fields, with its path. */
export interface Leaf {
  readonly path: string
  readonly field: Field
}

/** Every field that holds a value, in declared order. */
export function leafFields(fields: Fields, under = ''): Leaf[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = under + name
    return field.fields ? leafFields(field.fields, `${path}.`) : [{ path, field }]
  })
}

/** The field at a path, which may be an object or an element of an array; undefined if there is none. */
export function fieldAt(fields: Fields, path: string): Field | undefined {
  let field: Field | undefined = { type: 'object', label: '', fields }
  for (const segment of parsePath(path) ?? [undefined]) {
    if (segment === undefined || !field) return undefined
    field = isIndex(segment) ? element(field) : own(field.fields, segment)
  }
  return field
}

function own(fields: Fields | undefined, name: string): Field | undefined {
  return fields && Object.hasOwn(fields, name) ? fields[name] : undefined
}

function element(field: Field): Field | undefined {
  if (field.type === 'lines') return { type: 'string', label: field.label }
  return field.type === 'array' ? field.item : undefined
}
