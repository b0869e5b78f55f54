import type { Failure, Outcome } from '../errors.ts'
import type { JsonObject } from '../json/path.ts'
import type { Operation } from './contract/operations/operation.ts'
import type { Corrections } from './contract/operations/route-correction.ts'
import type { Authorization, Fetch, PreparedRequest } from './http/attempt.ts'
import type { Reply } from './interpret-response.ts'
import type { Hints } from './outcome/hints.ts'
import type { Parameters } from './route-path.ts'

/** An event of a call, for listeners. Never contains headers or a body. */
export type CallEvent =
  | (Route & { readonly type: 'request' })
  /** A request ended, with or without an answer. `ms`: how long it took. */
  | (Ended & WithOutcome & { readonly type: 'answer' } & ResponseHead)
  | (Ended & WithOutcome & { readonly type: 'lost'; readonly why: string })
  /** It is sent again after `ms`. */
  | (Ended & { readonly type: 'pause'; readonly why: string })

export interface Route {
  /** The same for all requests of one call. */
  readonly call: symbol
  readonly method: string
  readonly path: string
  /** A POST that only reads. */
  readonly isRead?: true
}

/** The outcome of a write so far, including earlier attempts. Undefined for a read. */
interface WithOutcome {
  readonly outcome: Outcome | undefined
}

/** What the response headers say. */
export interface ResponseHead {
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
  /**
   * "Requests carry the header `Authorization` with an API key value". Asked for before each request, and once more for
   * a call that was answered 401 with it: a new one is sent, and the same one is not sent again. Undefined for a call
   * that needs none.
   */
  readonly authorization: (refused?: Authorization) => Promise<Authorization | undefined>
  readonly fetch: Fetch
  /** Monotonic milliseconds. */
  readonly monotonicNow: () => number
  /** Waits that many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>
  /** From 0 to below 1. */
  readonly random: () => number
  /** For the whole call: all its attempts, and reading the response body. */
  readonly timeoutMs: number
  /** How many times a request is sent at most, where not the usual number. */
  readonly attempts?: number
  /** The failure of every write, which is then not sent; undefined where writes are allowed. */
  readonly refuseWrites?: () => Promise<Failure>
  /** What to type after a failure. */
  readonly hints?: Hints
  readonly onEvent?: (event: CallEvent) => void
}

export interface CallRequest {
  readonly parameters?: Parameters
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: JsonObject
  /** An ETag: the service should carry out the write only if the record still has it. */
  readonly ifMatch?: string
  /** The response will be sent back in an update, so a name that appears more than once in it is an error. */
  readonly unambiguous?: true
  /** Called right before each attempt; what it throws is thrown, and that attempt is not sent. */
  readonly beforeSending?: () => void
  /** Receives the headers of the final response. */
  readonly onHead?: (head: { readonly status: number; readonly etag?: string }) => void
}

export interface Client {
  /** The request that `call` would send. Throws a Failure (exit 3) for an invalid identifier. */
  prepare(operation: Operation, request?: CallRequest): PreparedRequest
  /** One call of one operation. Throws a Failure that knows the outcome. */
  call(operation: Operation, request?: CallRequest): Promise<Reply>
  /**
   * The record in the response, without its envelope; undefined when a write was applied but its response has no
   * record. Throws as `call` does, and exit 10 when a read has no record.
   */
  record(operation: Operation, request?: CallRequest): Promise<JsonObject | undefined>
}
