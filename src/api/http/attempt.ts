import ky, { isTimeoutError } from 'ky'
import { parseJson } from '../../files/json/parse.ts'
import { isDeeperThan, type Json, type JsonObject } from '../../files/json/path.ts'
import { stringifyJson } from '../../files/json/stringify.ts'

/** A request without the key. */
export interface PreparedRequest {
  readonly method: string
  /** Below the base address, without a slash before it. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** The whole address, for people: ky makes the same of the base address, `path` and `query`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: JsonObject
  /** The body is sent as a form, not as JSON. */
  readonly isForm?: true
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
  readonly headers: Pick<globalThis.Headers, 'get'>
  readonly body: Body
}

/** How one request ended: with a complete response, or without. */
export type AttemptResult =
  | { readonly response: HttpResponse; readonly lost?: never }
  | { readonly lost: ConnectionLost; readonly response?: never }

/** Sends one request and waits for the whole response. Throws ConnectionLost where there is none. */
export type Fetch = (request: globalThis.Request) => Promise<globalThis.Response>

/** Called around a request. The attempt throws whatever one of them throws. */
interface AttemptHooks {
  /** The key to send; undefined for none. Until it is there, nothing is sent. */
  readonly authorize: () => Promise<Authorization | undefined>
  /** Another key instead of one that was answered 401; undefined: the request is not sent again. */
  readonly renew: (refused: Authorization) => Promise<Authorization | undefined>
  readonly onSend: () => void
  readonly onEnd: (ending: AttemptResult) => void
}

interface AttemptOptions {
  readonly baseUrl: string
  /** Who asks: `payroll/0.2.0 (linux; …)`. */
  readonly userAgent?: string | undefined
  readonly fetch: Fetch
  /** Monotonic milliseconds. */
  readonly monotonicNow: () => number
}

/**
 * Makes the function that sends a request, and once more if the first key was refused; it waits `limitMs` for
 * the whole response. Why ky does not repeat it: docs/decisions/ky.md.
 */
export function createAttempt({ baseUrl, userAgent, fetch: transport, monotonicNow }: AttemptOptions) {
  const http = ky.create({
    prefixUrl: withoutSlash(baseUrl),
    retry: 0,
    throwHttpErrors: false,
    redirect: 'manual',
  })

  /** One exchange. What is given to ky holds on to nothing but `running`, which is emptied at the end. */
  async function send(
    { method, path, query, headers }: PreparedRequest,
    running: Running,
    timeout: number,
    authorization: Authorization | undefined,
  ): Promise<HttpResponse> {
    const response = await http(path, {
      method,
      headers: headersOf({ ...(userAgent && { 'User-Agent': userAgent }), ...headers }, authorization),
      ...(Object.keys(query).length > 0 && { searchParams: query }),
      ...(running.content && { body: running.content as unknown as string }),
      timeout,
      // ky passes a second argument of its own; the sandbox application would misread it.
      fetch: async (request) => {
        if (!running.hooks) throw new ConnectionLost('timeout', { sent: false })
        running.hooks.onSend()
        running.exchange = transport(request as globalThis.Request).catch((error: unknown) => {
          // Any other error may contain the request and its key.
          throw error instanceof ConnectionLost ? error : new ConnectionLost('reset', { sent: true })
        })
        return running.exchange
      },
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, body: parseBody(bytes) }
  }

  return async (prepared: PreparedRequest, limitMs: number, hooks: AttemptHooks): Promise<AttemptResult> => {
    const { body, isForm } = prepared
    const running: Running = { hooks, ...(body && { content: new Content(body, isForm) }) }
    try {
      const authorization = await hooks.authorize()
      const first = await send(prepared, running, limitMs, authorization)
      hooks.onEnd({ response: first })
      if (first.status !== 401 || !authorization) return { response: first }
      const started = monotonicNow()
      const other = await hooks.renew(authorization)
      if (!other) return { response: first }
      const msLeft = limitMs - (monotonicNow() - started)
      const second = await send(prepared, running, msLeft, other)
      hooks.onEnd({ response: second })
      return { response: second }
    } catch (error) {
      const lost = isTimeoutError(error) ? await lostInTime(running.exchange) : error
      if (!(lost instanceof ConnectionLost)) throw lost
      const ending = { lost }
      hooks.onEnd(ending)
      return ending
    } finally {
      running.content?.empty()
      delete running.hooks
      delete running.exchange
    }
  }
}

/** What an attempt holds on to, emptied at its end: ky's promises outlive it, 25 MB of a long list. */
interface Running {
  hooks?: AttemptHooks
  readonly content?: Content
  exchange?: Promise<globalThis.Response>
}

/** The body of an attempt: its bytes for our Request, and for the platform's its text. */
class Content {
  bytes: Uint8Array

  constructor(body: JsonObject, isForm = false) {
    this.bytes = Buffer.from(
      isForm ? String(new URLSearchParams(body as Record<string, string>)) : stringifyJson(body),
    )
  }

  toString(): string {
    return new TextDecoder().decode(this.bytes)
  }

  empty(): void {
    this.bytes = new Uint8Array()
  }
}

/** A base address, to be put in front of a path. */
export const withoutSlash = (baseUrl: string) => baseUrl.replace(/\/+$/, '')

/** The headers with the key. ky has a hook `beforeRequest`, but compares its result with Node's own Response, which loads Node's fetch. */
function headersOf(headers: PreparedRequest['headers'], authorization: Authorization | undefined) {
  try {
    return new globalThis.Headers({
      ...headers,
      ...(authorization && { [authorization.header]: authorization.value }),
    })
  } catch {
    // The platform refuses a key with a line feed in it, and its error quotes the key, so that error is
    // dropped. Any unexpected error counts as if the request may have been sent.
    throw new ConnectionLost('reset', { sent: true })
  }
}

/** ky has given the request up; the transport knows whether a byte of it had left. */
async function lostInTime(exchange: Promise<unknown> | undefined): Promise<unknown> {
  try {
    await exchange
    return new ConnectionLost('timeout', { sent: true })
  } catch (lost) {
    return lost
  }
}

/**
 * Why there is no complete response. `connect`: no connection was made. `wrong-origin`: the address is not
 * that of the service. `timeout`, `reset`: the connection was lost. `protocol`, `encoding`, `too-large`: a
 * response came that cannot be read.
 */
export type LostReason =
  | 'connect'
  | 'wrong-origin'
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'encoding'
  | 'too-large'

/** How a proxy refused a connection, in words that show no credentials. */
export interface ProxyRefusal {
  readonly code: 'usage' | 'temporary'
  readonly message: string
  readonly hint: string
}

/** There is no complete response. Carries no request, header or foreign error: nothing that could contain a key. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  readonly reason: LostReason
  /** Whether a byte of the request may have left. */
  readonly sent: boolean
  /** The status, when the response headers arrived. */
  readonly status: number | undefined
  /** The system's own code: ECONNREFUSED, ENOTFOUND, CERT_HAS_EXPIRED, … */
  readonly systemCode: string | undefined
  /** Host and port of the proxy on the way. */
  readonly proxy: string | undefined
  /** What the proxy said, where it refused; `systemCode` is then its status, or the error code without one. */
  readonly refusal: ProxyRefusal | undefined

  constructor(
    reason: LostReason,
    details: {
      sent: boolean
      status?: number | undefined
      cause?: string
      proxy?: string | undefined
      refusal?: ProxyRefusal
    },
  ) {
    super(`connection lost: ${reason}`)
    this.reason = reason
    this.sent = details.sent
    this.status = details.status
    this.systemCode = details.cause
    this.proxy = details.proxy
    this.refusal = details.refusal
  }
}

/** The body of a response: usable JSON, or text. */
export type Body = { readonly text: string } & (
  | { readonly isJson: true; readonly value: Json }
  | { readonly isJson: false }
)

/** Levels of objects and arrays: far more than any record of the service has. */
const deepest = 64

/** Reads a body. JSON must be valid UTF-8 (RFC 8259, 8.1), or damage is sent back, and not too deep. */
function parseBody(bytes: Uint8Array): Body {
  // An empty body is not JSON. To let the parser find out takes as long as half of the request.
  if (bytes.length === 0) return { text: '', isJson: false }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { text: new TextDecoder().decode(bytes), isJson: false }
  }
  try {
    const value: Json = parseJson(text)
    return isDeeperThan(value, deepest) ? { text, isJson: false } : { text, isJson: true, value }
  } catch {
    return { text, isJson: false }
  }
}
