import { ExactNumber } from '../../../json/exact-number.ts'
import { isObject, type Json } from '../../../json/path.ts'

/**
 * The id of a record as text, with every digit: "id (candidate identifier)". assumed: a service may send a number.
 * Undefined if the record has none.
 */
export function idOf(record: Json): string | undefined {
  const id = isObject(record) ? record.id : undefined
  if (typeof id === 'string') return id === '' ? undefined : id
  return typeof id === 'number' || id instanceof ExactNumber ? String(id) : undefined
}
