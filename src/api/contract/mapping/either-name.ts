import { type Json, parsePath, valueAt } from '../../../json/path.ts'
import type { FieldPaths } from '../records/record-type.ts'

/**
 * The value of a field in an answer or a list item; undefined if it is not there. assumed: it may also have the
 * request's name, because the document shows no fields for lists and for most single records.
 */
export function valueInResponse(record: Json, { request, item }: FieldPaths): Json {
  const [answered, sent] = [item, request].map((path) => valueAt(record, parsePath(path) ?? []))
  const isGiven = answered !== undefined && answered !== null && answered !== ''
  return isGiven || sent === undefined ? answered : sent
}
