import type { Json } from '../json/path.ts'
import { stringifyJson } from '../json/stringify.ts'
import { safeJson } from './text/safe-text.ts'

/** JSON as the service sent it, real values included: scripts need them. */
export function json(value: Json): string {
  return `${safeJson(stringifyJson(value ?? null, 2))}\n`
}

/** JSON on one line, for NDJSON. */
export function line(value: Json): string {
  return `${safeJson(stringifyJson(value ?? null))}\n`
}

/** Values one to a line. */
export function lines(values: readonly Json[]): string {
  // Made safe together: a list is many short lines.
  return safeJson(values.map((value) => `${stringifyJson(value ?? null)}\n`).join(''))
}

/** A result as plain text: a string without quotes, the elements of a list one to a line, anything else as JSON. */
export function rawText(result: Json): string {
  const values = Array.isArray(result) ? result : [result]
  return values.map((value) => (typeof value === 'string' ? `${value}\n` : line(value))).join('')
}
