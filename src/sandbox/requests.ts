import type { Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { Issue } from '../errors.ts'
import { isObject, type Json, type JsonObject } from '../files/json/path.ts'
import type { Field, Fields, FieldType } from '../model/fields/field.ts'
import { limits, type Operation } from '../model/records/operation.ts'
import type { RecordType } from '../model/records/record-type.ts'

/** The error codes of the sandbox. 400, 401 and 500 are documented; the others are assumed. */
const errorCodes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  500: 'SERVER_ERROR',
} as const

type RefusalStatus = keyof typeof errorCodes

/** assumed: "Error body shape, error codes …: not shown." */
export function errorResponse(
  status: RefusalStatus,
  message: string,
  details: readonly Issue[] = [],
): Response {
  const error = {
    code: errorCodes[status],
    message,
    ...(details.length > 0 && { details }),
  }
  return Response.json({ success: false, error }, { status })
}

/** An error answer to throw. Its message and details never repeat a value of the request. */
export function refusal(status: RefusalStatus, message: string, details?: readonly Issue[]): HTTPException {
  return new HTTPException(status, { res: errorResponse(status, message, details) })
}

/** The response to an error. Says nothing about an unexpected error, which may contain a request body. */
export function respondToError(error: unknown): Response {
  if (error instanceof HTTPException) return error.getResponse()
  return errorResponse(500, 'The sandbox failed')
}

/** An operation of the contract and its handler. */
export interface SandboxRoute {
  readonly operation: Operation
  readonly handle: (c: Context) => Response | Promise<Response>
}

/** Registers the routes with the method and path of the contract. */
export function register(app: Hono, routes: readonly SandboxRoute[]): void {
  // The first match wins, so `/candidates/ireland` comes before `/candidates/{id}`: a brace sorts last.
  const inOrder = routes.toSorted((one, other) => (one.operation.path < other.operation.path ? -1 : 1))
  for (const { operation, handle } of inOrder)
    app.on(operation.method, operation.path.replace(/\{(\w+)\}/g, ':$1'), handle)
}

/** The page that a list was asked for. */
export interface PageQuery {
  /** From 1. */
  readonly page: number
  readonly size: number
}

/** "Page number …; default 1", "Items per page; default 20; maximum 100". assumed: 400 for anything else. */
export function readPaging(query: { page?: string | undefined; size?: string | undefined }): PageQuery {
  const { page = String(limits.defaultPage), size = String(limits.defaultSize) } = query
  const isUpTo = (text: string, most: number) =>
    /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most
  const wrong: Issue[] = []
  if (!isUpTo(page, Number.MAX_SAFE_INTEGER))
    wrong.push({ path: 'page', message: 'must be a whole number from 1' })
  if (!isUpTo(size, limits.maximumSize))
    wrong.push({ path: 'size', message: `must be a whole number from 1 to ${limits.maximumSize}` })
  if (wrong.length > 0) throw refusal(400, 'The query cannot be used', wrong)
  return { page: Number(page), size: Number(size) }
}

/** Reads the object of a create or an update. Throws 415 or 400. assumed: an update takes null, and a body of any size is read. */
export async function readBody(request: Request, type: RecordType | undefined): Promise<JsonObject> {
  // "All request and response bodies are JSON (`Content-Type: application/json`)." This also keeps out forms
  // of web pages, which cannot send this type.
  if (mediaType(request) !== 'application/json') {
    throw refusal(415, 'The Content-Type must be application/json')
  }
  const body = parseBody(await request.arrayBuffer())
  if (!isObject(body)) throw refusal(400, 'The body must be a JSON object')
  const wrong = type?.documented ? wrongTypes(body, type.fields, request.method === 'PUT') : []
  if (wrong.length > 0) throw refusal(400, 'Some fields have a wrong type', wrong)
  return body
}

/** The media type of a body in lower case, without parameters. */
export function mediaType(request: Request): string | undefined {
  return request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
}

/** Reads a form. */
export const readForm = async (request: Request): Promise<JsonObject> =>
  Object.fromEntries(new URLSearchParams(await request.text()))

function parseBody(bytes: ArrayBuffer): Json {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw refusal(400, 'The body is not JSON in UTF-8')
  }
}

/** Text that holds what a test says. */
const text = (noun: string, holds: (text: string) => boolean = () => true) =>
  [noun, (value: Json) => typeof value === 'string' && holds(value)] as const

/** Whether this is a time that exists, written as JavaScript writes it: 31 February is written otherwise. */
const isTimeOfService = (text: string) => {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}

/** The JSON type of a value and how it is written, by the type of its field. */
const typeTests: Record<FieldType, readonly [noun: string, holds: (value: Json) => boolean]> = {
  string: text('a string'),
  // "Dates are `YYYY-MM-DD` strings unless a field is marked timestamp (ISO 8601 UTC with milliseconds …)."
  date: text('a date, as YYYY-MM-DD', (date) => isTimeOfService(`${date}T00:00:00.000Z`)),
  timestamp: text('a UTC time with milliseconds', isTimeOfService),
  // "decimal strings"
  decimal: text('a decimal string', (amount) => /^-?\d+(\.\d+)?$/.test(amount)),
  // "Country fields carry a two-letter country code."
  country: text('a two-letter country code', (code) => /^[a-z]{2}$/i.test(code)),
  // JSON.parse turns 1e999 into Infinity, which JSON cannot write.
  number: ['a number', (value) => Number.isFinite(value)],
  integer: ['a whole number', (value) => Number.isSafeInteger(value)],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  lines: [
    'an array of strings',
    (value) => Array.isArray(value) && value.every((line) => typeof line === 'string'),
  ],
  array: ['an array', (value) => Array.isArray(value)],
  object: ['an object', isObject],
  unknown: ['anything', () => true],
}

/** The paths of the wrong JSON types. assumed: that is "the conditions that produce 400: not shown". */
function wrongTypes(value: JsonObject, fields: Fields, takesNull: boolean, path = ''): Issue[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const member = value[name]
    if (member === undefined || (member === null && takesNull)) return []
    return wrongType(member, field, takesNull, path === '' ? name : `${path}.${name}`)
  })
}

function wrongType(value: Json, field: Field, takesNull: boolean, path: string): Issue[] {
  if (field.assumed || (value === null && field.nullable)) return []
  const [noun, holds] = typeTests[field.type]
  if (!holds(value)) return [{ path, message: `must be ${noun}${field.nullable ? ' or null' : ''}` }]
  if (isObject(value)) return wrongTypes(value, field.fields ?? {}, takesNull, path)
  const { item } = field
  if (item === undefined || !Array.isArray(value)) return []
  return value.flatMap((element: Json, index) => wrongType(element, item, takesNull, `${path}.${index}`))
}
