import type { JsonObject } from '../../files/json/path.ts'
import { capital } from '../../text/words.ts'
import { type Field, type Fields, type FieldType, sections } from '../fields/field.ts'
import type { RecordType } from '../records/record-type.ts'
import { knownWords } from '../standards/known-words.ts'

/** Whether we send a record or read it. */
export type Direction = 'sent' | 'answered'

/** The pointers to objects that are described once and referenced elsewhere, by their fields. */
type Places = ReadonlyMap<Fields, string>

/** The id of a record's schema. `name`: as a person types it, `candidates.ireland`. */
export const recordSchemaId = (name: string, direction: Direction) => `urn:payroll:${name}:${direction}`

/** The JSON Schema of a record (draft 2020-12). `name`: as a person types it, `candidates.ireland`. */
export function jsonSchema(name: string, type: RecordType, direction: Direction): JsonObject {
  const title = `${capital(type.displayName)}, as it is ${direction}`
  const schema = recordSchema(type, direction)
  const properties =
    direction === 'sent' ? { id: exportedId, ...(schema.properties as JsonObject) } : schema.properties
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: recordSchemaId(name, direction),
    title,
    ...schema,
    properties,
  }
}

/** An export writes the id of each record, so that a person can change it and send it back. No request has it. */
const exportedId: JsonObject = {
  title: 'Id',
  description: 'Of a record that was exported. update compares it with the record; it is not sent.',
  type: ['string', 'number'],
}

/** The schema of a record. Nothing is required; an unknown field is refused in a documented request only. */
export function recordSchema(type: RecordType, direction: Direction, places: Places = new Map()): JsonObject {
  const strict = direction === 'sent' && type.documented
  const schema = objectSchema(type.fields, { strict, places, nullable: direction === 'answered' })
  const hasId = direction === 'sent' || type.fields.id !== undefined
  return {
    ...(!type.documented && { description: 'Its fields are assumed; none is shown.', 'x-assumed': true }),
    ...schema,
    ...(!hasId && { properties: { id: answeredId, ...(schema.properties as JsonObject) } }),
  }
}

/** assumed: an answered record has the id that it is fetched by, even where none of its fields is shown. */
const answeredId: JsonObject = {
  title: 'Id',
  type: ['string', 'number', 'null'],
  readOnly: true,
  'x-assumed': true,
}

/** The schema of what this tool itself answers: each field is there that is not declared optional. */
export function answerSchema(fields: Fields): JsonObject {
  return objectSchema(fields, { strict: false, places: new Map(), nullable: false, complete: true })
}

interface Manner {
  readonly strict: boolean
  /** assumed: any field of an answer can be null, which stands for a value that is not there. */
  readonly nullable: boolean
  readonly places: Places
  /** Whether a field is required unless it is declared optional. */
  readonly complete?: true
}

/** Any value, spelled out: type generators take a field without a type for an object. */
const anyValue: JsonObject = { type: ['string', 'number', 'boolean', 'object', 'array', 'null'] }

/** The JSON form of each type, as in interface.md. */
const schemaByType: Readonly<Record<FieldType, JsonObject>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  timestamp: { type: 'string', format: 'date-time', pattern: '\\.\\d{3}Z$' },
  decimal: { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' },
  country: { type: 'string', pattern: '^[A-Za-z]{2}$' },
  lines: { type: 'array', items: { type: 'string' } },
  array: { type: 'array' },
  object: { type: 'object' },
  unknown: anyValue,
}

function jsonSchemaOf(field: Field, manner: Manner): JsonObject {
  const { label, help, sensitive, section, assumed } = field
  const words = Object.entries(knownWords(field))
  const meanings = words.filter(([code, meaning]) => code !== meaning)
  const sentence = `Known: ${meanings.map(([code, meaning]) => `${code} (${meaning})`).join(', ')}.`
  const description = [help, meanings.length > 0 && sentence].filter(Boolean).join(' ')
  return {
    ...(label !== '' && { title: label }),
    ...(description !== '' && { description }),
    ...formOf(field, manner),
    ...(words.length > 0 && { examples: words.map(([code]) => code) }),
    ...(sensitive && { 'x-sensitive': true }),
    ...(section && { 'x-section': sections[section] }),
    ...(assumed && { 'x-assumed': true }),
  }
}

function formOf(field: Field, manner: Manner): JsonObject {
  // The type is a guess, and nothing is refused because of a guess.
  if (field.assumed) return anyValue
  const place = field.fields && manner.places.get(field.fields)
  const nullable = field.nullable || manner.nullable
  if (place !== undefined) return nullable ? { anyOf: [{ $ref: place }, { type: 'null' }] } : { $ref: place }
  const form: JsonObject = {
    ...schemaByType[field.type],
    ...(field.oneOf && { enum: [...field.oneOf, ...(nullable ? [null] : [])] }),
    ...(field.item && { items: jsonSchemaOf(field.item, manner) }),
    ...(field.fields && objectSchema(field.fields, manner)),
  }
  return nullable && typeof form.type === 'string' ? { ...form, type: [form.type, 'null'] } : form
}

function objectSchema(fields: Fields, manner: Manner): JsonObject {
  const properties = Object.entries(fields).map(([name, field]) => [name, jsonSchemaOf(field, manner)])
  const required = Object.keys(fields).filter((name) => !fields[name]?.optional)
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(manner.complete && required.length > 0 && { required }),
    ...(manner.strict && { additionalProperties: false }),
  }
}
