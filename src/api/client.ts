import type { Failure, Outcome } from '../errors.ts'
import type { JsonObject } from '../files/json/path.ts'
import { isWrite, type Operation } from '../model/records/operation.ts'
import { applyCorrection, type Corrections } from '../model/resources/route-correction.ts'
import type { Difference } from '../model/values/compare-stored.ts'
import {
  type AttemptResult,
  type Authorization,
  createAttempt,
  type Fetch,
  type HttpResponse,
  type PreparedRequest,
  withoutSlash,
} from './http/attempt.ts'
import type { Clock } from './http/clock.ts'
import { createRetryPolicy, type RetryResult } from './http/retry.ts'
import type { Hints } from './outcome/hints.ts'
import { interpretResponse, type Reply } from './outcome/interpret-response.ts'
import { outcomeSoFar } from './outcome/status-failure.ts'
import { type Parameters, routePath } from './route-path.ts'

export type { CallEvent, CallRequest, Client, ClientOptions }

/** The client of one service. It checks each call, sends it as often as it may, and judges the answers. */
export function createClient(options: ClientOptions): Client {
  const attempt = createAttempt(options)
  const origin = new URL(options.baseUrl).origin
  const sendWithRetries = createRetryPolicy(options)
  const emit = (event: CallEvent) => options.onEvent?.(event)
  const keysSent = new Set<string>()
  const withoutKey = (text: string) =>
    [...keysSent].reduce((rest, key) => rest.replaceAll(key, '[key]'), options.redact(text))

  function prepare(
    declared: Operation,
    { parameters = {}, query = {}, body, ifMatch }: CallRequest = {},
  ): PreparedRequest {
    const operation = applyCorrection(declared, options.corrections)
    const path = routePath(operation, parameters, options.prefix).slice(1)
    const url = new URL(`${withoutSlash(options.baseUrl)}/${path}`)
    for (const [name, value] of Object.entries(query))
      url.searchParams.set(parameterName(operation, name), String(value))
    const isForm = operation.encoding === 'form'
    return {
      method: operation.method,
      path,
      query: Object.fromEntries(url.searchParams),
      url: url.href,
      headers: {
        Accept: 'application/json',
        ...(body && { 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
        ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      },
      ...(body && { body: renameMembers(body, operation) }),
      ...(isForm && { isForm }),
    }
  }

  async function call(declared: Operation, request?: CallRequest): Promise<Reply> {
    const operation = applyCorrection(declared, options.corrections)
    if (options.refuseWrites && isWrite(operation)) throw options.refuseWrites()
    const prepared = prepare(declared, request)
    const route = {
      call: Symbol(),
      method: prepared.method,
      path: new URL(prepared.url).pathname,
      ...(request?.query?.page !== undefined && { page: String(request.query.page) }),
    }
    let success:
      | { readonly ending: AttemptResult; readonly reply: Reply; readonly failure?: never }
      | undefined
    let wasRenewed = false
    const result = await sendWithRetries(
      operation.method,
      options.timeoutMs,
      send,
      ({ ms, why }) => emit({ type: 'pause', ...route, ms, why }),
      request?.attempts,
    )
    const { response } = result.ending
    // A success was judged when it arrived. A failure is judged again, with what all attempts have shown.
    const { reply, failure } = result.ending === success?.ending ? success : conclude(result)
    if (failure) throw failure
    return { ...reply, etag: response && etagOf(response) }

    function send(limitMs: number, doubts: readonly string[]): Promise<AttemptResult> {
      let started = 0
      const keyOf = async (refusedKey?: Authorization) => {
        const authorization = await options.authorization(refusedKey)
        // The whole value first: the service may repeat either.
        if (authorization) for (const secret of [authorization.value, authorization.key]) keysSent.add(secret)
        return authorization
      }
      return attempt(prepared, limitMs, {
        authorize: () => keyOf(),
        async renew(refusedKey) {
          // A complete 401 is a refusal: the request may go again with another key. Only a deletion may have
          // been applied by an earlier attempt, and to delete twice does no harm.
          if (wasRenewed) return undefined
          wasRenewed = true
          const other = await keyOf(refusedKey)
          return other?.value === refusedKey.value ? undefined : other
        },
        onSend() {
          request?.beforeSending?.()
          started = options.monotonicNow()
          emit({ type: 'request', ...route })
        },
        onEnd(ending) {
          const ms = options.monotonicNow() - started
          const { reply, failure } = conclude({ ending, doubts })
          if (reply) success = { ending, reply }
          const ended = { ...route, ms, outcome: outcomeSoFar(operation, failure) }
          if (ending.lost) emit({ type: 'lost', ...ended, why: ending.lost.reason })
          else emit({ type: 'answer', ...ended, ...headOf(ending.response) })
        },
      })
    }

    function conclude(result: RetryResult) {
      const response = result.ending.response
      const requestId = response && headOf(response).requestId
      const { parameters, body } = request ?? {}
      const { hints } = options
      const about = { operation, path: route.path, origin, requestId, parameters, body, hints }
      return interpretResponse({ ...about, doubts: result.doubts }, result, withoutKey)
    }
  }

  return { prepare, call }
}

/** The body with the names that a corrected route gives its members. */
function renameMembers(body: JsonObject, operation: Operation): JsonObject {
  if (!operation.names || !operation.bodyMembers) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [parameterName(operation, name), value]),
  )
}

function parameterName({ names = {} }: Pick<Operation, 'names'>, name: string): string {
  return (Object.hasOwn(names, name) && names[name]) || name
}

/** The ETag, if an update can name it: If-Match takes no weak one (RFC 9110, 13.1.1). */
function etagOf({ headers }: HttpResponse): string | undefined {
  const etag = headers.get('etag')
  const isPlain = (headers.get('content-encoding') ?? 'identity') === 'identity'
  return etag && isPlain && /^"[\x20-\x7e]{0,200}"$/.test(etag) ? etag : undefined
}

/** Status and id of a response. assumed: the id is in a usual header, in letters and digits. */
function headOf({ status, headers }: HttpResponse): ResponseHead {
  const requestId =
    headers.get('x-request-id') ?? headers.get('request-id') ?? headers.get('x-correlation-id')
  const clock = Date.parse(headers.get('date') ?? '')
  return {
    status,
    ...(clock > 0 && { clock }),
    ...(requestId && /^[\w.:-]{1,80}$/.test(requestId) && { requestId }),
  }
}

/** An event of a call, for listeners. Never contains headers or a body. */
type CallEvent = {
  /** One symbol for all requests of a call. */
  readonly call: symbol
  readonly method: string
  readonly path: string
  readonly page?: string
} & (
  | { readonly type: 'request' }
  | (EndedRequest & ResponseHead & { readonly type: 'answer' })
  | (EndedRequest & { readonly type: 'lost'; readonly why: string })
  /** It is sent again after `ms`. */
  | { readonly type: 'pause'; readonly ms: number; readonly why: string }
)

/** A request ended after `ms`, with or without an answer. */
interface EndedRequest {
  readonly ms: number
  /** The outcome of a write so far, including earlier attempts. Undefined for a read. */
  readonly outcome: Outcome | undefined
}

interface ResponseHead {
  readonly status: number
  /** What the clock of the service says, in milliseconds; undefined where it says nothing. */
  readonly clock?: number | undefined
  readonly requestId?: string | undefined
}

interface ClientOptions extends Clock {
  readonly baseUrl: string
  readonly userAgent?: string | undefined
  /** "The path prefix segment that the service puts in front of its resource paths". */
  readonly prefix: string
  readonly corrections: Corrections
  /** The value of `Authorization`, asked for before each request, and once more after a 401 with it. */
  readonly authorization: (refused?: Authorization) => Promise<Authorization | undefined>
  readonly fetch: Fetch
  /** Takes the secrets of this run out of a text of the service, before it is cut. */
  readonly redact: (text: string) => string
  /** From 0 to below 1. */
  readonly random: () => number
  /** For the whole call: all its attempts, and reading the response body. */
  readonly timeoutMs: number
  /** The most times that a request is sent, in place of the usual number. */
  readonly attempts?: number | undefined
  /** How long a read is tried again after its first failure, in milliseconds; see `createRetryPolicy`. */
  readonly retryForMs?: number | undefined
  /** The failure of every write, which is then not sent; undefined where writes are allowed. */
  readonly refuseWrites?: (() => Failure) | undefined
  readonly hints?: Hints
  readonly onEvent?: (event: CallEvent) => void
}

interface CallRequest {
  readonly parameters?: Parameters | undefined
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: JsonObject | undefined
  /** The reference of the record, where the caller knows it without the body. */
  readonly reference?: string
  /** The caller's name for the record, where that is not its reference: it is settled under this name. */
  readonly key?: string | undefined
  /** An ETag: the service should carry out the write only if the record still has it. */
  readonly ifMatch?: string | undefined
  /** The changes of an update, and the writes of the history that it takes back: for the history. Not sent. */
  readonly changes?: readonly Difference[]
  readonly undoes?: readonly string[] | undefined
  /** The most times that it is sent, if that is fewer than the client would send it. */
  readonly attempts?: number
  /** Called right before each attempt; what it throws is thrown, and that attempt is not sent. */
  readonly beforeSending?: (() => void) | undefined
}

interface Client {
  /** The request that `call` would send. Throws a Failure (exit 3) for an invalid identifier. */
  prepare(operation: Operation, request?: CallRequest): PreparedRequest
  /** One call of one operation. Throws a Failure that knows the outcome, and exit 10 for a read of a record without one. */
  call(operation: Operation, request?: CallRequest): Promise<Reply>
}
