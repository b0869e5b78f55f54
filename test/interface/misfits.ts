import type { FieldType } from '../../src/api/contract/fields/field.ts'
import type { Shape, Shapes } from './read/shape.ts'

const isString = (value: unknown, pattern: RegExp) => typeof value === 'string' && pattern.test(value)

/** What JSON must look like to have a type of the document. Arrays and objects are gone into. */
const holds: Record<Exclude<FieldType, 'array' | 'object'>, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  date: (value) => isString(value, /^\d{4}-\d\d-\d\d$/),
  timestamp: (value) => isString(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  decimal: (value) => isString(value, /^-?\d+(\.\d+)?$/),
  country: (value) => isString(value, /^[A-Z]{2}$/),
  lines: (value) => Array.isArray(value) && value.every((line) => typeof line === 'string'),
  unknown: () => true,
}

/**
 * Where JSON is not what the document shows: a key too few, a key too many, another type. One line each, with
 * the path; none when it fits.
 */
export function misfits(value: unknown, shape: Shape, path = 'body'): string[] {
  if (value === null && shape.nullable) return []
  if (shape.type === 'object') {
    return isRecord(value) ? misfitsOfObject(value, shape.fields ?? {}, path) : [`${path}: not an object`]
  }
  if (shape.type === 'array') {
    return Array.isArray(value) ? misfitsOfArray(value, shape, path) : [`${path}: not an array`]
  }
  return holds[shape.type](value) ? [] : [`${path}: not of type ${shape.type}`]
}

function misfitsOfObject(value: Record<string, unknown>, fields: Shapes, path: string): string[] {
  const missing = Object.keys(fields).filter((name) => !Object.hasOwn(value, name))
  return [
    ...missing.map((name) => `${path}.${name}: missing`),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const field = fields[name]
      return field ? misfits(inner, field, `${path}.${name}`) : [`${path}.${name}: not in the document`]
    }),
  ]
}

function misfitsOfArray(value: readonly unknown[], { item, lastLacks }: Shape, path: string): string[] {
  if (!item) return [`${path}: the document does not say what it holds`]
  return value.flatMap((element, index) => {
    const last = index === value.length - 1 && lastLacks !== undefined
    return misfits(element, last ? without(item, lastLacks) : item, `${path}[${index}]`)
  })
}

function without(item: Shape, name: string): Shape {
  const { [name]: _left, ...fields } = item.fields ?? {}
  return { ...item, fields }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
