import type { Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { limits, type Operation } from '../../api/contract/operations/operation.ts'
import type { Issue } from '../../errors.ts'

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json
}

/** Whether a value is an object: not a list, not null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The error codes of the sandbox. 400, 401 and 500 are documented; the others are assumed. */
const codes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  500: 'SERVER_ERROR',
} as const

type RefusalStatus = keyof typeof codes

/** With more details the answer would be larger than the request. */
const mostDetails = 100

/** assumed: "Error body shape, error codes …: not shown." */
export function errorResponse(
  status: RefusalStatus,
  message: string,
  details: readonly Issue[] = [],
): Response {
  const error = {
    code: codes[status],
    message,
    ...(details.length > 0 && { details: details.slice(0, mostDetails) }),
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
export interface Route {
  readonly operation: Operation
  readonly handle: (c: Context) => Response | Promise<Response>
}

/** Registers the routes with the method and path of the contract. */
export function register(app: Hono, routes: readonly Route[]): void {
  for (const { operation, handle } of routes.toSorted(byPath)) {
    app.on(operation.method, operation.path.replace(/\{(\w+)\}/g, ':$1'), handle)
  }
}

/**
 * The first matching route wins, so `/svc/candidates/ireland` must come before `/svc/candidates/{id}`. A brace sorts
 * after every letter and digit.
 */
function byPath(a: Route, b: Route): number {
  return a.operation.path < b.operation.path ? -1 : 1
}

export interface Paging {
  /** From 1. */
  readonly page: number
  readonly size: number
}

/**
 * "`page`: default 1. `size`: default 20; maximum 100." assumed: anything else than a whole number in that range is
 * 400 ("Behaviour when size exceeds 100 or page is out of range …: not shown").
 */
export function readPaging(query: { page?: string | undefined; size?: string | undefined }): Paging {
  const page = wholeNumber(query.page, limits.defaultPage)
  const size = wholeNumber(query.size, limits.defaultSize)
  const wrong: Issue[] = []
  if (page === undefined || page < 1) wrong.push({ path: 'page', message: 'must be a whole number from 1' })
  if (size === undefined || size < 1 || size > limits.maximumSize) {
    wrong.push({ path: 'size', message: `must be a whole number from 1 to ${limits.maximumSize}` })
  }
  if (page === undefined || size === undefined || wrong.length > 0) {
    throw refusal(400, 'The query cannot be used', wrong)
  }
  return { page, size }
}

function wholeNumber(text: string | undefined, absent: number): number | undefined {
  if (text === undefined) return absent
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}
