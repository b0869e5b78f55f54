import { ExactNumber } from '../../../json/exact-number.ts'
import { isObject, type Json } from '../../../json/path.ts'

/**
 * The id of a record as text, digit for digit: "id (candidate identifier)". assumed: a service may give it as a
 * number. Undefined where the record has none.
 */
export function idOf(record: Json): string | undefined {
  const id = isObject(record) ? record.id : undefined
  if (typeof id === 'string') return id === '' ? undefined : id
  return typeof id === 'number' || id instanceof ExactNumber ? String(id) : undefined
}
