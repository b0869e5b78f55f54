import type { Outcome } from '../errors.ts'
import { duplicateNames } from '../json/duplicate-names.ts'
import { formatPath, type JsonObject } from '../json/path.ts'
import type { Operation } from './contract/operations/operation.ts'
import { type Corrections, corrected } from './contract/operations/route-correction.ts'
import { type AttemptResult, createAttempt, type HttpResponse, type PreparedRequest } from './http/attempt.ts'
import { contentTypeOf } from './http/request-encoding.ts'
import { createRetryPolicy, type RetryResult } from './http/retry.ts'
import type { Fetch } from './http/web-classes.ts'
import { interpretResponse, type Reply } from './interpret-response.ts'
import { isWrite } from './outcome/call-failure.ts'
import { notUnderstood } from './outcome/status-failure.ts'
import { readRecord } from './response-body.ts'
import { type Parameters, pathOf } from './route-path.ts'

/** What happens during a call, for whoever listens. Never a header, never a body. */
export type CallEvent =
  /** A route is used that the document does not show and that nobody corrected. */
  | { readonly type: 'guess'; readonly operation: Operation }
  | (Route & { readonly type: 'request' })
  /** A request ended, with an answer or without. `ms`: how long it took. */
  | (Ended & Judged & { readonly type: 'answer' } & Head)
  | (Ended & Judged & { readonly type: 'lost'; readonly why: string })
  /** It is sent again after `ms`. */
  | (Ended & { readonly type: 'pause'; readonly why: string })

interface Route {
  /** The same for all requests of one call. */
  readonly call: symbol
  readonly method: string
  readonly path: string
  /** A POST that only reads. */
  readonly isRead?: true
}

/** What has become of a write by now, its earlier attempts counted. Undefined of a read. */
interface Judged {
  readonly outcome: Outcome | undefined
}

/** What the head of an answer tells. */
interface Head {
  readonly status: number
  readonly requestId?: string
  /** When the service says that it answered, in milliseconds since 1970. */
  readonly date?: number
}

interface Ended extends Route {
  readonly ms: number
}

export interface ClientOptions {
  readonly baseUrl: string
  /** "The path prefix segment that the service puts in front of its resource paths". */
  readonly prefix: string
  /** Routes that the user corrected. */
  readonly corrections: Corrections
  /** "Requests carry the header `Authorization` with an API key value": the bare key, asked for before each request. */
  readonly authorization: () => Promise<string>
  readonly fetch: Fetch
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  /** Waits that many milliseconds. */
  readonly wait: (ms: number) => Promise<void>
  /** From 0 to below 1. */
  readonly random: () => number
  /** For the whole of a call: all its attempts, and the body of the answer. */
  readonly timeoutMs: number
  readonly onEvent?: (event: CallEvent) => void
}

export interface CallRequest {
  readonly parameters?: Parameters
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: JsonObject
  /** An ETag: the write is to be carried out only while the record has it. */
  readonly ifMatch?: string
  /** The answer is to be written back: one that gives a name more than once is not understood. */
  readonly unambiguous?: true
  /** Is told the head of the answer that ended the call. */
  readonly onHead?: (head: { readonly status: number; readonly etag?: string }) => void
}

export interface Client {
  /** The request that `call` would send. Throws a Failure (exit 3) for an identifier that is none. */
  prepare(operation: Operation, request?: CallRequest): PreparedRequest
  /** One call of one operation. Throws a Failure that knows the outcome. */
  call(operation: Operation, request?: CallRequest): Promise<Reply>
  /**
   * The one record that an operation answers, out of its envelope; undefined when a write was carried out and
   * answered without it. Throws as `call` does, and exit 10 when a read holds none.
   */
  record(operation: Operation, request?: CallRequest): Promise<JsonObject | undefined>
}

export function createClient(options: ClientOptions): Client {
  const attempt = createAttempt(options)
  const origin = new URL(options.baseUrl).origin
  const patience = createRetryPolicy(options)
  const tell = (event: CallEvent) => options.onEvent?.(event)
  const keysSent = new Set<string>()
  const withoutKey = (text: string) =>
    [...keysSent].reduce((rest, key) => rest.replaceAll(key, '[key]'), text)

  function prepare(
    declared: Operation,
    { parameters = {}, query = {}, body, ifMatch }: CallRequest = {},
  ): PreparedRequest {
    const operation = corrected(declared, options.corrections)
    const url = new URL(options.baseUrl.replace(/\/+$/, '') + pathOf(operation, parameters, options.prefix))
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    return {
      method: operation.method,
      url: url.href,
      headers: {
        Accept: 'application/json',
        ...(body && { 'Content-Type': contentTypeOf(operation) }),
        ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      },
      ...(body && { body }),
    }
  }

  async function call(declared: Operation, request?: CallRequest): Promise<Reply> {
    const operation = corrected(declared, options.corrections)
    if (operation === declared && operation.known !== 'documented') tell({ type: 'guess', operation })
    const prepared = prepare(declared, request)
    const route = {
      call: Symbol(),
      method: prepared.method,
      path: new URL(prepared.url).pathname,
      ...(operation.isRead && { isRead: true as const }),
    }
    const settled = await patience.run(operation, options.timeoutMs, send, ({ ms, why }) =>
      tell({ type: 'pause', ...route, ms, why }),
    )
    const { answered } = settled.ending
    if (answered) request?.onHead?.({ status: answered.status, ...etagOf(answered) })
    const { reply, failure } = conclusion(settled)
    if (failure) throw failure
    const { requestId } = headOf(answered)
    const [twice] = request?.unambiguous && answered?.body.isJson ? duplicateNames(answered.body.text) : []
    if (twice) {
      const what = `The answer gives ${withoutKey(formatPath(twice))} more than once`
      throw notUnderstood({ operation, path: route.path, origin, requestId }, what, reply.status)
    }
    return { ...reply, ...(requestId !== undefined && { requestId }) }

    async function send(limitMs: number, doubts: readonly string[]): Promise<AttemptResult> {
      // Before the request counts as sent: without a key it is not.
      const authorization = await options.authorization()
      keysSent.add(authorization)
      const started = options.clock()
      tell({ type: 'request', ...route })
      const ending = await attempt(prepared, authorization, limitMs)
      const ms = options.clock() - started
      const { failure } = conclusion({ ending, doubts })
      const outcome = isWrite({ operation }) ? (failure ? failure.details.outcome : 'applied') : undefined
      const ended = { ...route, ms, outcome }
      if (ending.lost) tell({ type: 'lost', ...ended, why: ending.lost.reason })
      else tell({ type: 'answer', ...ended, ...headOf(ending.answered) })
      return ending
    }

    function conclusion(settled: RetryResult) {
      const { requestId } = headOf(settled.ending.answered)
      const { parameters, body } = request ?? {}
      const about = { operation, path: route.path, origin, requestId, parameters, body }
      return interpretResponse({ ...about, doubts: settled.doubts }, settled, withoutKey)
    }
  }

  async function record(operation: Operation, request?: CallRequest): Promise<JsonObject | undefined> {
    const { answers } = operation
    if (answers.kind !== 'one') throw new TypeError(`${operation.id} answers no record`)
    const { status, body, requestId } = await call(operation, request)
    const found = readRecord(answers, body)
    const about = {
      operation: corrected(operation, options.corrections),
      path: new URL(prepare(operation, request).url).pathname,
      origin,
      requestId,
    }
    if (!found && !isWrite(about)) throw notUnderstood(about, 'The answer holds no record', status)
    return found
  }

  return { prepare, call, record }
}

/** An ETag as it was given, weak or strong. What a header could not carry back is none. */
function etagOf({ headers }: HttpResponse): { readonly etag?: string } {
  const etag = headers.get('etag')
  return etag && /^[\x20-\x7e]{1,200}$/.test(etag) ? { etag } : {}
}

/** assumed: the request is named in one of the usual headers, by letters and digits. */
function headOf(answered: HttpResponse): Head
function headOf(answered: HttpResponse | undefined): Partial<Head>
function headOf(answered: HttpResponse | undefined): Partial<Head> {
  if (!answered) return {}
  const { status, headers } = answered
  const date = Date.parse(headers.get('date') ?? '')
  const requestId =
    headers.get('x-request-id') ?? headers.get('request-id') ?? headers.get('x-correlation-id')
  return {
    status,
    ...(requestId && /^[\w.:-]{1,80}$/.test(requestId) && { requestId }),
    ...(!Number.isNaN(date) && { date }),
  }
}
