import type { FieldType } from '../../../src/model/fields/field.ts'
import { split } from './parse.ts'

/** What the document says of a field. A field of the contract has this form too. */
export interface Shape {
  readonly type: FieldType
  readonly nullable?: boolean
  /** The contract's own mark of a type that the document does not show. */
  readonly assumed?: true
  readonly fields?: Shapes
  readonly item?: Shape
  /** "(the last value has no yearlyUSCRateCutOff)". */
  readonly lastLacks?: string
}

export type Shapes = Readonly<Record<string, Shape>>

/** The words of the document for a type, and the contract's. Plurals and notes are taken off first. */
const types: Readonly<Record<string, FieldType>> = {
  string: 'string',
  'string with a percent sign': 'string',
  date: 'date',
  'date string': 'date',
  timestamp: 'timestamp',
  'decimal string': 'decimal',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  array: 'array',
  'array of string': 'lines',
  object: 'object',
}

/** The type that these words give a field of this name. `object` and `array` leave the inside to be told. */
export function shape(name: string, words: string): Shape {
  const [, nullable, rest] = /^(nullable)?\s*(.*)$/.exec(words.replace(/ \(.*\)$/, '')) ?? []
  const type =
    rest === '' && nullable ? 'unknown' : (types[rest ?? ''] ?? types[rest?.replace(/s$/, '') ?? ''])
  if (type === undefined)
    throw new Error(`${name}: "${words}" is not a type that the document is known to use`)
  // "Country fields carry a two-letter country code."
  const carries = type === 'string' && /country$/i.test(name) ? 'country' : type
  const inside = carries === 'array' ? { item: { type: 'unknown' } as const } : {}
  return { type: carries, ...(nullable && { nullable: true }), ...inside }
}

/** Rows of types and the names that have them, `| nullable | department (string) |`; objects are told apart. */
export function typeRows(rows: readonly string[][], objects: Shapes): Shapes {
  const entries = rows.flatMap(([words = '', cell = '']) =>
    split(cell, ',').map((piece): [string, Shape] => {
      const [, name, note] = /^(\w+)(?: \((.+)\))?$/.exec(piece) ?? []
      if (name === undefined) throw new Error(`"${piece}" is not a field name`)
      return [name, words === 'object' ? object(name, objects) : shape(name, typeIn(words, note))]
    }),
  )
  return unique(entries)
}

/** A list that gives each type after its names: `createdAt, updatedAt (timestamps), author (nullable)`. */
export function typedList(text: string): Shapes {
  const waiting: string[] = []
  const entries = split(text, ',').flatMap((piece): [string, Shape][] => {
    const [, name, words] = /^(\w+)(?: \(([^)]+)\))?$/.exec(piece) ?? []
    if (name === undefined) throw new Error(`"${piece}" is not a field`)
    waiting.push(name)
    return words === undefined ? [] : waiting.splice(0).map((each) => [each, shape(each, words)])
  })
  if (waiting.length > 0) throw new Error(`no type for ${waiting.join(', ')}`)
  return unique(entries)
}

/** `{ data: { candidate: <object>, success: boolean } }`: what stands in angle brackets is filled in. */
export function braces(text: string, filling?: Shape): Shape {
  const inside = /^\{(.+)\}$/.exec(text.trim())?.[1]
  if (inside === undefined) throw new Error(`"${text}" is not an object in braces`)
  const entries = split(inside, ',').map((piece): [string, Shape] => {
    const [, name = '', value = ''] = /^(\w+): (.+)$/.exec(piece) ?? []
    if (value.startsWith('{')) return [name, braces(value, filling)]
    if (!value.startsWith('<')) return [name, shape(name, value)]
    if (!filling) throw new Error(`nothing to put in ${value}`)
    return [name, filling]
  })
  return { type: 'object', fields: unique(entries) }
}

/** The field that an object row names; throws when the document does not tell what it holds. */
export function object(name: string, objects: Shapes): Shape {
  const found = objects[name]
  if (!found) throw new Error(`the document does not say what the object ${name} holds`)
  return found
}

/** Fields by name; a name that comes twice is a mistake of the reader or of the document. */
export function unique(entries: readonly (readonly [string, Shape])[]): Shapes {
  const shapes = Object.fromEntries(entries)
  if (entries.length === 0) throw new Error('no fields were read')
  if (Object.keys(shapes).length !== entries.length) throw new Error('a field name comes twice')
  return shapes
}

/** A note is a type only in the row that is headed "nullable" and nothing more. */
function typeIn(words: string, note: string | undefined): string {
  return words === 'nullable' && note !== undefined ? `nullable ${note}` : words
}
