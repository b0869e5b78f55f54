import ky from 'ky'
import { looksLikePage, readRecord, readSaid, type Said, saysNo } from './answer.ts'
import { ConnectionLost } from './connection-lost.ts'
import { type Corrections, corrected } from './contract/correction.ts'
import type { Operation } from './contract/operation.ts'
import type { Json, JsonObject } from './contract/path.ts'
import {
  answeredByPage,
  type Call,
  failureOfLoss,
  failureOfStatus,
  isWrite,
  notSuccessful,
  notUnderstood,
} from './outcome.ts'
import { type Parameters, pathOf } from './route.ts'

/** What happens during a call, for whoever listens. Never a header, never a body. */
export type CallEvent =
  /** A route is used that the document does not show and that nobody corrected. */
  | { readonly type: 'guess'; readonly operation: Operation }
  | { readonly type: 'request'; readonly method: string; readonly path: string }
  | {
      readonly type: 'answer'
      readonly method: string
      readonly path: string
      readonly status: number
      readonly ms: number
    }

export interface ClientOptions {
  readonly baseUrl: string
  /** "The path prefix segment that the service puts in front of its resource paths". */
  readonly prefix: string
  /** Routes that the user corrected. */
  readonly corrections: Corrections
  /** "Requests carry the header `Authorization` with an API key value": the bare key. */
  readonly authorization: string
  readonly fetch: (request: Request) => Promise<Response>
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  /** For the whole of a call, the answer's body included. */
  readonly timeoutMs: number
  readonly onEvent?: (event: CallEvent) => void
}

export interface CallRequest {
  readonly parameters?: Parameters
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: JsonObject
}

/** A request as it would be sent, without the key. */
export interface PreparedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: JsonObject
}

/** What a call answered: its status, and its body when there was one. */
export interface Reply {
  readonly status: number
  readonly body: Json
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
  const http = ky.create({
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    redirect: 'manual',
    // ky hands its own second argument on; a fetch that is an application would take it for something else.
    fetch: async (request) => options.fetch(request as Request),
  })
  const origin = new URL(options.baseUrl).origin

  function prepare(
    declared: Operation,
    { parameters = {}, query = {}, body }: CallRequest = {},
  ): PreparedRequest {
    const operation = corrected(declared, options.corrections)
    const url = new URL(options.baseUrl.replace(/\/+$/, '') + pathOf(operation, parameters, options.prefix))
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    return {
      method: operation.method,
      url: url.href,
      headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body }),
    }
  }

  async function call(declared: Operation, request?: CallRequest): Promise<Reply> {
    const operation = corrected(declared, options.corrections)
    if (operation === declared && operation.known !== 'documented')
      options.onEvent?.({ type: 'guess', operation })
    const { method, url, headers, body } = prepare(operation, request)
    const { pathname: path } = new URL(url)
    const about: Call = { operation, path, origin }
    const started = options.clock()
    options.onEvent?.({ type: 'request', method, path })
    const { status, text, location } = await send()
    options.onEvent?.({ type: 'answer', method, path, status, ms: options.clock() - started })
    const answer = parse(text)
    if (!isSuccess(status)) {
      const elsewhere = location ? originAt(location, url) : undefined
      throw failureOfStatus(about, status, { ...heard(answer.body), elsewhere })
    }
    if (saysNo(answer.body)) throw notSuccessful(about, status, heard(answer.body))
    if (!answer.isJson && looksLikePage(text) && isWrite(about)) throw answeredByPage(about, status)
    if (operation.answers.kind === 'nothing') return { status, body: undefined }
    if (answer.isJson) return { status, body: answer.body }
    // What a write answers cannot undo it: with a status of 2xx it is applied, readable or not.
    if (isWrite(about)) return { status, body: undefined }
    throw notUnderstood(about, 'The answer is not JSON; a proxy or a login page may have given it', status)

    async function send(): Promise<{ status: number; text: string; location?: string | null }> {
      try {
        const response = await http(url, {
          method,
          headers: { ...headers, Authorization: options.authorization },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(options.timeoutMs),
        })
        return {
          status: response.status,
          text: await response.text(),
          location: response.headers.get('location'),
        }
      } catch (error) {
        // Whatever else fails here holds the request, and with it the key: it goes no further.
        const lost = error instanceof ConnectionLost ? error : new ConnectionLost('reset', { sent: true })
        if (isWrite(about) && isSuccess(lost.status)) return { status: lost.status, text: '' }
        throw failureOfLoss(about, lost)
      }
    }
  }

  /** What the service says of an error. When it repeats the key, that gets onto no screen and into no log. */
  function heard(body: Json): Said {
    const { message, issues } = readSaid(body)
    const printable = (text: string) => {
      const harmless = text.replaceAll(options.authorization, '[key]')
      return harmless.length > longestWords ? `${harmless.slice(0, longestWords)}…` : harmless
    }
    return {
      ...(message !== undefined && { message: printable(message) }),
      issues: issues.map((issue) => ({ path: printable(issue.path), message: printable(issue.message) })),
    }
  }

  async function record(operation: Operation, request?: CallRequest): Promise<JsonObject | undefined> {
    const { answers } = operation
    if (answers.kind !== 'one') throw new TypeError(`${operation.id} answers no record`)
    const { status, body } = await call(operation, request)
    const found = readRecord(answers, body)
    const about = { operation, path: new URL(prepare(operation, request).url).pathname, origin }
    if (!found && !isWrite(about)) throw notUnderstood(about, 'The answer holds no record', status)
    return found
  }

  return { prepare, call, record }
}

/** Levels of objects and arrays: far more than any record of the service has. */
const deepestAnswer = 64

/** More than this is a page, not a sentence. In characters. */
const longestWords = 300

const isSuccess = (status: number | undefined): status is number =>
  status !== undefined && status >= 200 && status <= 299

/** The text itself where it is no JSON, or nested so deeply that nobody could print it. */
function parse(text: string): { isJson: boolean; body: Json } {
  try {
    const body: Json = JSON.parse(text)
    if (!isDeeperThan(deepestAnswer, body)) return { isJson: true, body }
  } catch {}
  return { isJson: false, body: text }
}

function isDeeperThan(levels: number, value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner))
}

/** Without path and query: they may hold anything. */
function originAt(location: string, base: string): string | undefined {
  const { protocol, origin } = URL.canParse(location, base) ? new URL(location, base) : {}
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined
}
