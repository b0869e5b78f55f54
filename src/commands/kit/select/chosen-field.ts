import type { Field, Fields } from '../../../api/contract/fields/field.ts'
import { leafFields } from '../../../api/contract/fields/field-tree.ts'
import { didYouMean, findField } from '../../../api/contract/mapping/find-field.ts'
import { usage } from '../../../errors.ts'
import { pathsOf } from '../../../formats/flat.ts'
import { isObject, type Json, type JsonObject, parsePath, valueAt } from '../../../json/path.ts'

/** What the values of a field are compared as. Of a field that is not shown, it depends on each value. */
export type Kind = 'number' | 'date' | 'flag' | 'text' | 'any'

/** A field of the items of a list, as an option named it. */
export interface ChosenField {
  readonly name: string
  readonly kind: Kind
  /** Whether the contract has it. One that it has not must be in the items that come first. */
  readonly isDeclared: boolean
  /** Whether its values may be named in a message: it is in the contract, and not sensitive. */
  readonly isPublic: boolean
  readonly read: (item: Json) => Json
}

const kinds: Partial<Record<Field['type'], Kind>> = {
  number: 'number',
  integer: 'number',
  decimal: 'number',
  date: 'date',
  timestamp: 'date',
  boolean: 'flag',
  unknown: 'any',
}

/** The field that a name means. Throws a usage failure, with what was probably meant, for a name that can mean none. */
export function chooseField(fields: Fields, name: string): ChosenField {
  const { found, near = [], isAmbiguous } = findField(fields, name)
  if (isAmbiguous) {
    throw usage(
      `The field ${name} can mean ${near.join(' or ')}. Nothing was sent.`,
      'Write the one that you mean.',
    )
  }
  if (!found) {
    const segments = parsePath(name)
    if (!segments) throw noField(fields, name)
    const read = (item: Json) => valueAt(item, [name]) ?? valueAt(item, segments)
    return { name, kind: 'any', isDeclared: false, isPublic: false, read }
  }
  if (found.field.fields) throw severalFields(name, found.field.fields, found.answer ?? name)
  const paths = [found.answer, found.request].filter((path) => path !== undefined)
  const places = [...new Set(paths)].map((path) => parsePath(path) ?? [path])
  return {
    name,
    kind: kinds[found.field.type] ?? 'text',
    isDeclared: true,
    isPublic: !found.field.sensitive,
    // assumed: an item may have a field under its name in the request, as `get` reads it too.
    read: (item) => {
      for (const place of places) {
        const value = valueAt(item, place)
        if (value !== undefined && value !== null && value !== '') return value
      }
      return undefined
    },
  }
}

/** Throws a usage failure for a field that neither the contract nor any of these items has. */
export function assertThere(field: ChosenField, items: readonly Json[], fields: Fields): void {
  if (field.isDeclared || items.some((item) => field.read(item) !== undefined)) return
  throw noField(fields, field.name, items.filter(isObject))
}

function noField(fields: Fields, name: string, items: readonly JsonObject[] = []) {
  const own = pathsOf(items).filter((path) => path.toLowerCase().includes(name.toLowerCase()))
  const near = [...new Set([...(findField(fields, name).near ?? []), ...own])].slice(0, 3)
  return usage(
    `There is no field ${name} in this list.`,
    didYouMean(near) || 'To list the fields: payroll explain',
  )
}

function severalFields(name: string, fields: Fields, path: string) {
  const [first] = leafFields(fields)
  return usage(
    `${name} holds several fields. Nothing was sent.`,
    `Name one of them, such as ${path}.${first?.path}.`,
  )
}
