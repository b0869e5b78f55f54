import type { Issue } from '../errors.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../files/json/path.ts'
import { idOf } from '../model/records/identity.ts'
import type { Operation } from '../model/records/operation.ts'

/** One page of a list: its items, and "totalDocs: Total number of items available across all pages". */
export interface Page {
  readonly items: readonly Json[]
  readonly total: number
  /** What to do where another page repeats this one. */
  readonly hint?: (() => string | undefined) | undefined
}

/** A body of JSON, taken apart: documented forms as documented, others in the usual ones. */
export interface Envelope {
  /** The record: as documented, else under `data.candidate`, under `data` or without an envelope. */
  readonly record: JsonObject | undefined
  /** The records under `data` or `items`; undefined where neither is a list. */
  readonly items: readonly Json[] | undefined
  /** The page, or why it is none, as the end of a sentence. */
  readonly page: Page | string
  /** What `success` says at each level that has it, from the outside in. */
  readonly success: readonly Json[]
  /** What is filled of `error` and `errors`: an object, a list, a text. */
  readonly errors: readonly Json[]
  /** The levels at which a service may speak of the result: the body, and `data`. */
  readonly levels: readonly JsonObject[]
}

/** Takes an answer apart, whatever asked for it. */
export function readEnvelope(
  { response, names }: Pick<Operation, 'response' | 'names'>,
  body: Json,
): Envelope {
  const outside = isObject(body) ? body : {}
  const corrected = (name: string) => {
    const other = names?.[name]
    return other === undefined ? undefined : valueAt(outside, other)
  }
  const data = isObject(outside.data) ? outside.data : {}
  const candidate = isObject(data.candidate) ? data.candidate : {}
  const levels = [outside, data]
  // A record may have a field of that name.
  const speaking = idOf(data) === undefined ? levels : [outside]
  const total =
    corrected('totalDocs') ??
    outside.totalDocs ??
    (isObject(outside.meta) ? outside.meta.totalDocs : undefined)
  const itemsField = corrected('items')
  const items = itemsField ?? outside.data ?? outside.items ?? outside.data
  return {
    record: isObject(body)
      ? findRecord(response.kind === 'one' ? response.envelope : undefined, body)
      : undefined,
    items: [itemsField, outside.data, outside.items].find((each) => Array.isArray(each)),
    page: pageOf(items, total),
    success: [...levels, candidate].flatMap(({ success }) => (success === undefined ? [] : [success])),
    errors: speaking.flatMap(({ error, errors }) => [error, errors].filter(isFilled)),
    levels,
  }
}

function pageOf(given: Json, total: Json): Page | string {
  // An empty list is null in some languages. Whether it may be empty is for the total to say.
  const items = given === null ? [] : given
  if (Array.isArray(items) && Number.isSafeInteger(total) && (total as number) >= 0)
    return { items, total: total as number }
  return 'it needs an array of items and an integer totalDocs'
}

function findRecord(under: readonly string[] | undefined, body: JsonObject): JsonObject | undefined {
  if (Array.isArray(body.data)) return undefined
  const documented = under?.reduce<Json>((value, name) => (isObject(value) ? value[name] : undefined), body)
  const data = isObject(body.data) ? body.data : body
  const record = [documented, data.candidate, data].find(isObject)
  return record && Object.keys(record).some((name) => !isEnvelope(name, record[name])) ? record : undefined
}

/** Whether a member stands around a record and is not part of it: `{"error": null, "success": true}`. */
const isEnvelope = (name: string, value: Json) =>
  name === 'success' || (value === null && ['data', 'error', 'errors', 'message'].includes(name))

function isFilled(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}

/** The error that a service reports. */
export interface ServiceError {
  readonly message?: string
  readonly issues: readonly Issue[]
}

/**
 * The service's message, in the usual formats ("Error body shape …: not shown"), but no web page: `{ error: { message,
 * details } }`, `{ message, errors }`, `{ error }`, the problem of RFC 9457, or a text.
 */
export function readServiceError(body: Json): ServiceError {
  const outside = isObject(body) ? body : {}
  const { error, errors, error_description: described } = outside
  const inside = isObject(error) ? error : {}
  const lists = [inside.details, outside.details, errors, outside['invalid-params']]
  const issues =
    [...lists, inside.message, outside.message].map(issuesIn).find((list) => list.length > 0) ?? []
  // "error" and "error_description" of RFC 6749, 5.2.
  const words = typeof described === 'string' ? `${error}: ${described}` : error
  const texts = [inside.message, outside.message, words, outside.detail, outside.title, body]
  const said = texts.find((text) => typeof text === 'string')?.trim()
  if (said && !/^[<{[]/.test(said)) return { message: said, issues }
  const message = issues.flatMap((issue) => (issue.path === '' ? [issue.message] : [])).join('; ')
  return { ...(message !== '' && { message }), issues: issues.filter(({ path }) => path !== '') }
}

/** assumed: a list of texts or of `{ path, message }`, or texts by field. RFC 9457 and JSON:API have names of their own. */
function issuesIn(list: Json): Issue[] {
  if (isObject(list))
    return Object.entries(list).flatMap(([path, said]) =>
      [said].flat().flatMap((message) => (typeof message === 'string' ? [{ path, message }] : [])),
    )
  return Array.isArray(list) ? list.flatMap((each) => issueOf(each) ?? []) : []
}

function issueOf(item: Json): Issue | undefined {
  if (typeof item === 'string') return { path: '', message: item }
  if (!isObject(item)) return undefined
  const message = [item.message, item.detail, item.reason].find((each) => typeof each === 'string')
  if (message === undefined) return undefined
  const source = isObject(item.source) ? item.source.pointer : undefined
  // Beside a message a name may be that of the error.
  const named = item.message === undefined ? item.name : undefined
  const path = item.path ?? item.field ?? item.pointer ?? source ?? named
  if (Array.isArray(path)) return { path: path.join('.'), message }
  // A JSON pointer: `#/generalSetting/email`.
  return {
    path: typeof path === 'string' ? path.replace(/^#?\/(.*)/, (_, rest) => rest.replaceAll('/', '.')) : '',
    message,
  }
}

/** Whether a text is HTML or XML, which comes from a proxy or a login page: the service uses JSON. */
export function looksLikePage(text: string): boolean {
  return text.trimStart().startsWith('<')
}
