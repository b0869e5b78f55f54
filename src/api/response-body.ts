import type { Issue } from '../errors.ts'
import { isObject, type Json, type JsonObject } from '../files/json/path.ts'
import type { ResponseShape } from '../model/operations/operation.ts'
import { plainName } from '../model/records/identity.ts'

/** Documented forms are read as documented, others in the usual ones; undefined if none fits. */

/** One page of a list: its items, and "totalDocs: Total number of items available across all pages". */
export interface Page {
  readonly items: readonly Json[]
  readonly total: number
}

/** "`{ data: array, totalDocs: integer }`", or `items`, or the total under `meta`. */
export function readPage(body: Json): Page | undefined {
  if (!isObject(body)) return undefined
  const { items, total } = pageParts(body)
  const understood = Array.isArray(items) && Number.isSafeInteger(total) && (total as number) >= 0
  return understood ? { items, total: total as number } : undefined
}

const pageParts = (body: JsonObject) => ({
  items: body.data ?? body.items,
  total: body.totalDocs ?? (isObject(body.meta) ? body.meta.totalDocs : undefined),
})

/** Why an answer is not a page of a list, as the end of a sentence. */
export function whyNoPage(body: Json): string {
  const needs = 'it needs an array of items and an integer totalDocs'
  if (!isObject(body)) return needs
  const { items, total } = pageParts(body)
  if (!Array.isArray(items) || total === undefined) return needs
  const kind = typeof total === 'string' ? 'a text' : typeof total === 'number' ? 'no count' : 'no number'
  return `${needs}, and totalDocs is ${kind}`
}

/** The record inside its envelope: as documented, else under `data.candidate`, `data` or without one. */
export function unwrapRecord(answer: ResponseShape & { kind: 'one' }, body: Json): JsonObject | undefined {
  if (!isObject(body) || Array.isArray(body.data)) return undefined
  const enveloped = answer.envelope?.reduce<Json>(
    (value, name) => (isObject(value) ? value[name] : undefined),
    body,
  )
  const data = isObject(body.data) ? body.data : body
  const record = [enveloped, data.candidate, data].find(isObject)
  return record && Object.keys(record).some((name) => !isEnvelope(name, record[name])) ? record : undefined
}

/** Whether a member stands around a record and is not part of it: `{"error": null, "success": true}`. */
const isEnvelope = (name: string, value: Json) =>
  name === 'success' || (value === null && ['data', 'error', 'errors', 'message'].includes(name))

/** The error that a service reports. */
export interface ServiceError {
  readonly message?: string
  readonly issues: readonly Issue[]
}

/** The service's message, in the usual formats ("Error body shape …: not shown"), but no web page. */
export function readServiceError(body: Json): ServiceError {
  const message = messageOf(body)?.trim()
  const issues = issuesOf(body)
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
function asSentence(said: Json): Json {
  const texts = Array.isArray(said)
    ? said.filter((each) => typeof each === 'string' && each.trim() !== '')
    : []
  return texts.length > 0 ? texts.join('; ') : said
}

/** assumed: other places of a service's sentence: `Message`, `fault.faultstring`, `data.reason`. */
function otherWords(body: JsonObject): Json[] {
  const sentence = /^(error_?|fault_?)?(message|msg|detail|string|reason)$/i
  const ofObject = (object: JsonObject) =>
    Object.entries(object).flatMap(([name, value]) => (sentence.test(name) ? [value] : []))
  return [body, ...Object.values(body).filter(isObject)].flatMap(ofObject)
}

/** assumed: a list of `{ path, message }`, or texts by field, beside the message or in `error`. */
function issuesOf(body: Json): Issue[] {
  const places = isObject(body) ? [body.error, body].filter(isObject) : []
  const lists = places.flatMap((place) =>
    Object.entries(place).map(([name, value]) => (issueLists.test(plainName(name)) ? issuesIn(value) : [])),
  )
  return lists.find((issues) => issues.length > 0) ?? []
}

const issueLists = /^(details|errors|fielderrors|validationerrors|violations|invalidparams)$/

function issuesIn(list: Json): Issue[] {
  if (Array.isArray(list)) return list.flatMap((each) => issueOf(each) ?? [])
  if (!isObject(list)) return []
  return Object.entries(list).flatMap(([path, said]) =>
    [said].flat().flatMap((message) => (typeof message === 'string' ? [{ path, message }] : [])),
  )
}

function issueOf(item: Json): Issue | undefined {
  if (typeof item === 'string') return { path: '', message: item }
  if (!isObject(item)) return undefined
  const textOf = (names: readonly string[]) =>
    names.map((name) => item[name]).find((value): value is string => typeof value === 'string')
  const message = textOf(['message', 'msg', 'reason', 'detail', 'description'])
  if (message === undefined) return undefined
  const path = textOf(['path', 'field', 'fieldName', 'property', 'propertyName', 'param', 'pointer']) ?? ''
  // A JSON pointer: `#/generalSetting/email`.
  const isPointer = /^#?\//.test(path)
  return { path: isPointer ? path.replace(/^#?\//, '').replaceAll('/', '.') : path, message }
}

/** Whether a text is HTML or XML, which comes from a proxy or a login page: the service uses JSON. */
export function looksLikePage(text: string): boolean {
  return text.trimStart().startsWith('<')
}
