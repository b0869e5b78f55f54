import type { KyInstance } from 'ky'
import { type Body, readBody } from './body.ts'
import type { PreparedRequest } from './client.ts'
import { ConnectionLost } from './connection-lost.ts'

/** What came back, whole. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** How one request ended: with an answer that is there whole, or without. */
export type Ending =
  | { readonly answered: Answered; readonly lost?: never }
  | { readonly lost: ConnectionLost; readonly answered?: never }

/** Sends a request once. Throws nothing: an error of a request holds the key, and it goes no further than here. */
export async function attempt(
  http: KyInstance,
  { method, url, headers, body }: PreparedRequest,
  authorization: string,
  limitMs: number,
): Promise<Ending> {
  try {
    const response = await http(url, {
      method,
      headers: { ...headers, Authorization: authorization },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(Math.max(1, Math.round(limitMs))),
    })
    const { status, headers: told } = response
    return { answered: { status, headers: told, body: readBody(await response.arrayBuffer()) } }
  } catch (error) {
    return { lost: error instanceof ConnectionLost ? error : new ConnectionLost('reset', { sent: true }) }
  }
}
