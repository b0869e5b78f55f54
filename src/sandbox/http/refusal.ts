import { HTTPException } from 'hono/http-exception'
import type { Issue } from '../../errors.ts'

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
