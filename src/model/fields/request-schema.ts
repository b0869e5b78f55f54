import * as z from 'zod'
import { isNumber, isWhole, plainNumber } from '../../files/json/numbers.ts'
import { onceFor } from '../../once.ts'
import type { RecordType } from '../records/record-type.ts'
import type { Field, Fields, FieldType } from './field.ts'

/** The message when a value does not have the documented form. */
export const expectations: Readonly<Record<FieldType, string>> = {
  string: 'expected text in quotes',
  number: 'expected a number',
  integer: 'expected a whole number',
  boolean: 'expected true or false',
  date: 'expected a date that exists, as YYYY-MM-DD',
  timestamp: 'expected a UTC time with milliseconds, as 2026-04-06T00:00:00.000Z',
  decimal: 'expected a decimal number in quotes, as "4000.00"',
  country: 'expected a two-letter country code, as GB or IE',
  lines: 'expected a list of lines, as ["1 Example Street"]',
  array: 'expected a list in [ ]',
  object: 'expected an object in { }',
  unknown: 'expected a value',
}

/** 1e400 is valid JSON but not a usable amount. */
const isFiniteNumber = (value: unknown) => isNumber(value) && Number.isFinite(Number(value))

const schemas: Readonly<Record<FieldType, (field: Field, error: string) => z.ZodType>> = {
  string: (_, error) => z.string({ error }),
  number: (_, error) => z.custom(isFiniteNumber, { error }),
  integer: (_, error) => z.custom((value) => isFiniteNumber(value) && isWhole(value), { error }),
  boolean: (_, error) => z.boolean({ error }),
  date: (_, error) => z.iso.date({ error }),
  timestamp: (_, error) => z.iso.datetime({ error, precision: 3 }),
  decimal: (_, error) => z.string({ error }).regex(plainNumber, { error }),
  country: (_, error) => z.string({ error }).regex(/^[A-Za-z]{2}$/, { error }),
  lines: (_, error) => z.array(z.string({ error: expectations.string }), { error }),
  array: (field, error) => z.array(field.item ? fieldSchema(field.item) : z.unknown(), { error }),
  object: (field, error) => objectOf(field.fields ?? {}, error),
  unknown: () => z.unknown(),
}

/** The schema of one field in a request. */
export function fieldSchema(field: Field): z.ZodType {
  if (field.assumed) return z.unknown()
  const schema = schemas[field.type](field, expectations[field.type])
  return field.nullable ? schema.nullable() : schema
}

/** The schema of a record to send: an unknown field is an error, and every field is optional. Slow to build. */
export const requestSchema = onceFor(({ fields }: RecordType) => objectOf(fields, expectations.object))

function objectOf(fields: Fields, error: string): z.ZodType {
  const shape = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, fieldSchema(field).optional()]),
  )
  return z.strictObject(shape, { error: (issue) => (issue.code === 'invalid_type' ? error : undefined) })
}
