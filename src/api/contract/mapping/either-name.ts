import { type Json, parsePath, valueAt } from '../../../json/path.ts'
import type { FieldPaths } from '../records/record-type.ts'

/**
 * What an answered record, or an item of a list, has of a field. assumed: it may come under the names of the request
 * too, because of a list, and of most single records, the document shows no field. Undefined where it has no place.
 */
export function valueInResponse(record: Json, { request, item }: FieldPaths): Json {
  const [answered, sent] = [item, request].map((path) => valueAt(record, parsePath(path) ?? []))
  const isGiven = answered !== undefined && answered !== null && answered !== ''
  return isGiven || sent === undefined ? answered : sent
}
