import ky from 'ky'
import type { JsonObject } from '../../json/path.ts'
import { ConnectionLost } from './connection-lost.ts'
import { type Body, readBody } from './parse-body.ts'
import { encodeBody } from './request-encoding.ts'
import type { Fetch, Headers, Request, Response } from './web-classes.ts'

/** A request without the key. */
export interface PreparedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: JsonObject
}

/** The header that proves who sends a request. */
export interface Authorization {
  readonly header: string
  readonly value: string
  /** The key or token in it, which no text may repeat. */
  readonly key: string
}

/** A complete response. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Pick<Headers, 'get'>
  readonly body: Body
}

/** How one request ended: with a complete response, or without. */
export type AttemptResult =
  | { readonly response: HttpResponse; readonly lost?: never }
  | { readonly lost: ConnectionLost; readonly response?: never }

/**
 * Sends a prepared request once, with the key, and waits up to so many milliseconds for the complete response.
 * Never throws.
 */
export type Attempt = (
  request: PreparedRequest,
  authorization: Authorization | undefined,
  limitMs: number,
) => Promise<AttemptResult>

interface AttemptOptions {
  readonly fetch: Fetch
}

/** Makes the function that sends one request. */
export function createAttempt(options: AttemptOptions): Attempt {
  const http = ky.create({
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    redirect: 'manual',
    // ky passes a second argument of its own; the sandbox application would misread it.
    // Its types name the classes of the platform; the build gives it those of web-classes.ts.
    fetch: async (request) => {
      const response = await options.fetch(request as unknown as Request)
      return response as unknown as globalThis.Response
    },
  })
  return async ({ method, url, headers, body }, authorization, limitMs) => {
    // AbortSignal.timeout would keep each request in memory until its time is up, even after the response.
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), limitMs)
    try {
      const answer = await http(url, {
        method,
        headers: { ...headers, ...(authorization && { [authorization.header]: authorization.value }) },
        ...(body && { body: encodeBody(body, headers['Content-Type']) }),
        signal: deadline.signal,
      })
      const { status, headers: told, bytes } = answer as unknown as Response
      return { response: { status, headers: told, body: readBody(bytes) } }
    } catch (error) {
      // Any other error may contain the request and its key, so do not pass it on.
      return { lost: error instanceof ConnectionLost ? error : new ConnectionLost('reset', { sent: true }) }
    } finally {
      clearTimeout(timer)
    }
  }
}
