import type { Issue } from '../errors.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../files/json/path.ts'
import { idOf, lettersOfName } from '../model/records/identity.ts'
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
  const isList = Array.isArray(items)
  if (isList && Number.isSafeInteger(total) && (total as number) >= 0)
    return { items, total: total as number }
  const needs = 'it needs an array of items and an integer totalDocs'
  if (!isList || total === undefined) return needs
  const kind = typeof total === 'string' ? 'a text' : typeof total === 'number' ? 'no count' : 'no number'
  return `${needs}, and totalDocs is ${kind}`
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

/** The service's message, in the usual formats ("Error body shape …: not shown"), but no web page. */
export function readServiceError(body: Json): ServiceError {
  const message = messageOf(body)?.trim()
  const issues = serviceIssues(body)
  if (!message || /^[<{[]/.test(message)) return { issues }
  // The message may be the first issue of the list: it is not said twice.
  return { message, issues: issues.filter((issue) => issue.path !== '' || issue.message !== message) }
}

function messageOf(body: Json): string | undefined {
  if (!isObject(body)) return typeof body === 'string' ? body : undefined
  const { error, errors, error_description } = body
  const message = asSentence(body.message)
  // "error" and "error_description" of RFC 6749, 5.2.
  if (typeof error === 'string' && typeof error_description === 'string')
    return `${error}: ${error_description}`
  const [first] = Array.isArray(errors) ? errors : [errors]
  const of = (each: Json) => (isObject(each) ? each.message : undefined)
  const words = [asSentence(of(error)), message, asSentence(error), of(first), first, ...otherWords(body)]
  return words.find((text) => typeof text === 'string')
}

/** Some services say all that is wrong as a list of texts: `{"message": ["DOB must be a date"]}`. */
function asSentence(value: Json): Json {
  const texts = Array.isArray(value)
    ? value.filter((each) => typeof each === 'string' && each.trim() !== '')
    : []
  return texts.length > 0 ? texts.join('; ') : value
}

/** assumed: other places of a service's sentence: `Message`, `fault.faultstring`, `data.reason`. */
function otherWords(body: JsonObject): Json[] {
  const sentence = /^(error_?|fault_?)?(message|msg|detail|string|reason)$/i
  const ofObject = (object: JsonObject) =>
    Object.entries(object).flatMap(([name, value]) => (sentence.test(name) ? [value] : []))
  return [body, ...Object.values(body).filter(isObject)].flatMap(ofObject)
}

/** assumed: a list of `{ path, message }`, or texts by field, beside the message or in `error`; or such a list alone. */
function serviceIssues(body: Json): Issue[] {
  if (Array.isArray(body)) return issuesIn(body)
  const places = isObject(body) ? [body.error, body].filter(isObject) : []
  const lists = places.flatMap((place) =>
    Object.entries(place).map(([name, value]) =>
      isIssueList(lettersOfName(name), value) ? issuesIn(value) : [],
    ),
  )
  return lists.find((issues) => issues.length > 0) ?? []
}

/** `detail` is more often a sentence, or an object that speaks of no field. */
const isIssueList = (name: string, value: Json) =>
  issueLists.test(name) || (name === 'detail' && Array.isArray(value))

const issueLists = /^(details|errors|fielderrors|validationerrors|violations|invalidparams)$/

function issuesIn(list: Json): Issue[] {
  if (Array.isArray(list)) return list.flatMap((each) => serviceIssue(each) ?? [])
  if (!isObject(list)) return []
  return Object.entries(list).flatMap(([path, said]) =>
    [said].flat().flatMap((message) => (typeof message === 'string' ? [{ path, message }] : [])),
  )
}

function serviceIssue(item: Json): Issue | undefined {
  if (typeof item === 'string') return { path: '', message: item }
  if (!isObject(item)) return undefined
  const textUnder = (names: readonly string[]) =>
    names.map((name) => item[name]).find((value): value is string => typeof value === 'string')
  const message = textUnder(['message', 'msg', 'reason', 'detail', 'description'])
  if (message === undefined) return undefined
  const source = isObject(item.source) ? item.source.pointer : undefined
  // RFC 7807 has `{ name, reason }`. Elsewhere a name may be that of the error.
  const named = item.message === undefined && item.reason === message ? item.name : undefined
  const path = [...pathNames.map((name) => item[name]), source, named].map(pathIn).find(Boolean) ?? ''
  return { path, message }
}

const pathNames = ['path', 'field', 'fieldName', 'property', 'propertyName', 'param', 'pointer', 'loc']

/** A path as we write it: `#/generalSetting/email` is a JSON pointer, and `["generalSetting", "email"]` its names. */
function pathIn(value: Json): string | undefined {
  // FastAPI says in which part of the request it is: `["body", "generalSetting", "email"]`.
  if (Array.isArray(value)) return value.slice(value[0] === 'body' ? 1 : 0).join('.')
  if (typeof value !== 'string') return undefined
  return /^#?\//.test(value) ? value.replace(/^#?\//, '').replaceAll('/', '.') : value
}

/** Whether a text is HTML or XML, which comes from a proxy or a login page: the service uses JSON. */
export function looksLikePage(text: string): boolean {
  return text.trimStart().startsWith('<')
}
