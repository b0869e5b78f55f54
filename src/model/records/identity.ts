import { isNumber } from '../../files/json/numbers.ts'
import { isObject, type Json } from '../../files/json/path.ts'

/** assumed: the names of the id of a record of any kind, in small letters, without hyphens and underscores. */
const idNames = 'id uuid guid oid identifier recordid objectid resourceid entityid'.split(' ')

/** Whether an id is a UUID, which is shown by its beginning where there is little room. */
export const isUuid = (id: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)

/** Every id in a record. `own`: the id names of its kind; in another kind these are ids of other records. */
export function idsOf(record: Json, own: readonly string[] = []): string[] {
  if (!isObject(record)) return []
  const names = new Set([...idNames, ...own.map(lettersOfName)])
  return Object.entries(record).flatMap(([name, value]) =>
    names.has(lettersOfName(name)) ? (idText(value) ?? []) : [],
  )
}

/** A name without regard to case, `_` and `-`: isSuccess, IsSuccess and is_success are one. */
export const lettersOfName = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()

/** The id of a record as text, with every digit: "id (candidate identifier)". */
export const idOf = (record: Json): string | undefined => (isObject(record) ? idText(record.id) : undefined)

/** A value as the text of an id; undefined for none. assumed: it may be a number. */
export function idText(value: Json): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  return isNumber(value) ? String(value) : undefined
}

/** The text of a value, or a number as text; empty for anything else. */
export const textIn = (value: Json): string => (idText(value) ?? '').trim()
