import type { Field, Fields } from '../../api/contract/fields/field.ts'
import { isObject, type Json, type JsonObject } from '../http/json.ts'

/**
 * The answer for an object that was sent: every field that the answer declares, and every undeclared field. Leaves out
 * fields that the document has in the request only.
 *
 * assumed: a declared field without a value is null, a list is empty, and an object has its own fields, answered in
 * the same way.
 */
export function buildResponse(sent: Json | undefined, asked: Fields, answer: Fields): JsonObject {
  const given = isObject(sent) ? sent : {}
  const declared = Object.entries(answer).map(([name, field]) => [
    name,
    Object.hasOwn(given, name) ? inForm(given[name] ?? null, asked[name], field) : missing(field),
  ])
  const unknown = Object.entries(given).filter(
    ([name]) => !Object.hasOwn(asked, name) && !Object.hasOwn(answer, name),
  )
  return Object.fromEntries([...declared, ...unknown])
}

/** The fields inside a field; empty if it has none. */
export function fieldsOf(fields: Fields, name: string): Fields {
  return fields[name]?.fields ?? {}
}

function inForm(sent: Json, asked: Field | undefined, field: Field): Json {
  if (field.type === 'object' && isObject(sent))
    return buildResponse(sent, asked?.fields ?? {}, field.fields ?? {})
  // The pension's timestamps are answered as date strings.
  if (field.type === 'date' && typeof sent === 'string') {
    return sent.replace(/^(\d{4}-\d\d-\d\d)T.*$/s, '$1')
  }
  return sent
}

function missing(field: Field): Json {
  if (field.type === 'object') return buildResponse({}, {}, field.fields ?? {})
  return field.type === 'array' || field.type === 'lines' ? [] : null
}
