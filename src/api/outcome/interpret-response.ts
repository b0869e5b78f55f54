import { type Failure, joinHints } from '../../errors.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../../files/json/path.ts'
import { idOf, idText } from '../../model/records/identity.ts'
import { answerType, isWrite, type Operation } from '../../model/records/operation.ts'
import {
  isCertificateError,
  isClientCertificateError,
  isNoTls,
  whyNotConnected,
} from '../../text/connection-codes.ts'
import type { ConnectionLost, HttpResponse, LostReason } from '../http/attempt.ts'
import type { RetryResult } from '../http/retry.ts'
import {
  type Envelope,
  looksLikePage,
  type Page,
  readEnvelope,
  readServiceError,
  type ServiceError,
} from '../response-body.ts'
import { isIdentifier } from '../route-path.ts'
import { type Call, clientCertificateRefusal, failure, quoteService, unknownOutcome } from './call-failure.ts'
import { isRaw, judgeSuccess } from './judge-success.ts'
import { answeredIds, findMismatch, type RecordMismatch } from './same-record.ts'
import { invalidResponse, refusalFailure, statusFailure } from './status-failure.ts'

/** The result of a call: its status, and its body if any. */
export interface Reply {
  readonly status: number
  readonly body: Json
  /** The ETag, if an update can name it. */
  readonly etag?: string | undefined
  /** The record of an operation that answers one, or its id alone; undefined when a write was applied without one. */
  readonly record?: JsonObject | undefined
  /** The page of a list, or why the answer is none, as the end of a sentence. */
  readonly page?: Page | string | undefined
  /** What to do where the answer of a list is no page, or repeats another. */
  readonly hint?: (() => string | undefined) | undefined
}

/** The reply of a call, or a Failure with the outcome. `withoutKey`: hides it in the service's texts. */
export function interpretResponse(
  call: Call,
  { ending, retryAfterMs }: Pick<RetryResult, 'ending' | 'retryAfterMs'>,
  withoutKey: (text: string) => string,
):
  | { readonly reply: Reply; readonly failure?: never }
  | { readonly failure: Failure; readonly reply?: never } {
  // A lost response confirms nothing, even with a good status: the rest of it may say no.
  if (ending.lost) return { failure: connectionFailure(call, ending.lost) }
  const { status, body } = ending.response
  // An earlier attempt has probably deleted it.
  if (status === 404 && call.operation.method === 'DELETE' && call.doubts?.length)
    return { reply: { status, body: undefined } }
  const isSuccess = status >= 200 && status <= 299
  const envelope = body.isJson ? withIds(call.operation, readEnvelope(call.operation, body.value)) : undefined
  const judgement = isSuccess ? judgeSuccess(call.operation, status, body, envelope) : undefined
  if (judgement?.kind === 'success') return acceptResponse(call, ending.response, envelope)
  const printable = (text: string) => shorten(withoutKey(text))
  const says = readServiceError(body.isJson ? body.value : body.text)
  const serviceError: ServiceError = {
    ...(says.message !== undefined && { message: printable(says.message) }),
    issues: says.issues.map(({ path, message }) => ({ path: printable(path), message: printable(message) })),
  }
  if (!judgement) {
    const text = body.isJson ? undefined : body.text
    const elsewhere = originAt(ending.response, call.origin)
    const asks = ending.response.headers.get('www-authenticate') ?? undefined
    return { failure: statusFailure(call, status, { ...serviceError, text, elsewhere, asks, retryAfterMs }) }
  }
  if (judgement.kind === 'unreadable') return { failure: notJsonFailure(call, status, body) }
  if (judgement.kind === 'refused')
    return { failure: refusalFailure(call, status, { ...serviceError, says: judgement.says }) }
  const what = `The service answered ${status} ${judgement.why}${quoteService(serviceError)}`
  const { issues } = serviceError
  return {
    failure: isWrite(call.operation)
      ? unknownOutcome(call, what, status, { issues })
      : invalidResponse(call, what, status, howToSee(call)),
  }
}

/** How to look at what a read was answered, where its record is not found in it. */
function howToSee({ operation: { method, path }, parameters = {} }: Call): string | undefined {
  if (method !== 'GET') return undefined
  const requestPath = path.replace(/\{(\w+)\}/g, (place, name: string) => parameters[name] ?? place)
  return `To see what the service answers: payroll api GET ${requestPath}`
}

/** The failure of an answer that is not JSON. The service may never have seen the request. */
function notJsonFailure(call: Call, status: number, { text }: HttpResponse['body']): Failure {
  if (isWrite(call.operation))
    return unknownOutcome(call, 'The answer is a web page; it may come from a proxy or a login page', status)
  if (text === '') return invalidResponse(call, 'The answer is empty', status)
  const what = 'The answer is not JSON; it may come from a proxy or a login page'
  return invalidResponse(call, what, status, looksLikePage(text) ? call.hints?.address : undefined)
}

/**
 * The answer with the id of each record as `id`, where the service calls it otherwise: by a name of its kind,
 * or as the route says. Of two that differ neither is used: one may be the
 * number that a payroll gave, and the id of somebody else.
 */
function withIds(operation: Operation, envelope: Envelope): Envelope {
  const { record, page } = envelope
  const name = operation.names?.id
  const hasId = (item: Json) => name === undefined && idOf(item) !== undefined
  const withId = <T extends Json>(item: T): T => {
    if (!isObject(item) || hasId(item)) return item
    const type = answerType(operation) ?? operation.requestRecord
    const [other, ...more] = new Set(type && answeredIds(type, item))
    const otherId = more.length === 0 ? other : undefined
    const id = name === undefined ? otherId : idText(valueAt(item, name))
    return id === undefined ? item : { ...item, id }
  }
  return {
    ...envelope,
    record: record && withId(record),
    page:
      typeof page === 'object' && !page.items.every(hasId)
        ? { ...page, items: page.items.map(withId) }
        : page,
  }
}

/** The reply of an answer that was judged a success, if it is for the right record and a read has what it asked for. */
function acceptResponse(call: Call, response: HttpResponse, envelope: Envelope | undefined) {
  const { status, body } = response
  const { operation, hints } = call
  const { kind } = operation.response
  const { record, page } = envelope ?? {}
  const value = body.isJson && kind !== 'nothing' ? body.value : undefined
  // A raw call prints the response whatever it is.
  if (isRaw(operation)) return { reply: { status, body: value, record, page } }
  if (kind === 'page') {
    const names = typeof page === 'object' ? pageNames : listNames
    return { reply: { status, body: value, page, hint: () => hints?.names(operation, names) } }
  }
  const other = record && findMismatch(operation, record, call)
  if (other) return { failure: recordMismatchFailure(call, status, other) }
  if (kind === 'nothing') {
    const id = idOf(record) ?? idInLocation(call, response)
    return { reply: { status, body: value, record: id === undefined ? undefined : { id } } }
  }
  if (!record && !isWrite(operation))
    return { failure: invalidResponse(call, 'The answer contains no record', status, howToSee(call)) }
  return { reply: { status, body: value, record } }
}

const pageNames = ['page', 'size']
const listNames = ['items', 'totalDocs']

/** The id of a new record, where the header Location ends in it (RFC 9110, 15.3.2). */
function idInLocation({ path, origin }: Call, { status, headers }: HttpResponse): string | undefined {
  const location = headers.get('location')
  if (status !== 201 || !location || !URL.canParse(location, origin)) return undefined
  const { pathname } = new URL(location, origin)
  const id = pathname.startsWith(`${path}/`) ? pathname.slice(path.length + 1) : ''
  return isIdentifier(id) ? id : undefined
}

/** The failure when the response is for another record: it must not be used. */
function recordMismatchFailure(call: Call, status: number, { asked, answered }: RecordMismatch): Failure {
  if (isWrite(call.operation)) {
    return unknownOutcome(call, `${asked} was sent, but the answer is for ${answered}`, status)
  }
  return failure(call, 'invalid-response', undefined, {
    message: `The answer is for another record: ${asked} was requested, and ${answered} was returned.`,
    status,
    hint: call.hints?.otherRecord,
  })
}

/** More than this is a page, not a sentence. In characters. */
const longestWords = 300

const shorten = (text: string) => (text.length > longestWords ? `${text.slice(0, longestWords)}…` : text)

/** The origin that a redirect leads to, without path and query, which may contain anything. */
function originAt({ headers }: HttpResponse, base: string): string | undefined {
  const location = headers.get('location')
  if (!location || !URL.canParse(location, base)) return undefined
  const { protocol, origin } = new URL(location, base)
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined
}

const connectionErrors: Readonly<Record<Exclude<LostReason, 'connect' | 'wrong-origin'>, string>> = {
  timeout: 'The service did not answer in time',
  reset: 'The connection was lost before the whole answer arrived',
  protocol: 'The server did not answer with valid HTTP',
  encoding: 'The answer has a compression that payroll does not support',
  'too-large': 'The answer is larger than 32 MiB, so it was not read to its end',
}

const ifSlow =
  'Run the same command again. If the service is only slow, give it more time: --timeout <seconds>, of which each try of a read gets a third, and all with --retry-for 0.'

/** The failure of a request without a complete response. */
export function connectionFailure(call: Call, lost: ConnectionLost): Failure {
  const { sent, status, systemCode, proxy } = lost
  if (lost.refusal) return failure(call, lost.refusal.code, 'not-sent', lost.refusal)
  if (!sent && isClientCertificateError(systemCode)) return clientCertificateFailure(call, systemCode)
  const earlier = isWrite(call.operation) ? [] : (call.doubts ?? [])
  // Where earlier attempts of a read had no answer, too little time was left for the last one to connect.
  const ranOut = lost.reason === 'connect' && systemCode === undefined && earlier.includes('timeout')
  const reason = ranOut ? 'timeout' : lost.reason
  if (reason === 'connect' || reason === 'wrong-origin' || (!sent && !ranOut)) {
    const through = proxy === undefined ? '' : ` through the proxy ${proxy}`
    const message = `No connection to ${call.origin}${through}: ${whyNotConnected(systemCode) ?? systemCode}.`
    const hint = connectHint(call, systemCode)
    // Running it again does not help: the settings, or the service, have to be put right first.
    if (isCertificateError(systemCode)) return failure(call, 'usage', 'not-sent', { message, hint })
    return failure(call, 'temporary', earlier.length > 0 ? undefined : 'not-sent', { message, hint })
  }
  if (isWrite(call.operation)) {
    if (status === undefined) return unknownOutcome(call, connectionErrors[reason], status)
    const what = reason === 'timeout' ? 'The whole answer did not arrive in time' : connectionErrors[reason]
    return unknownOutcome(call, `${what} (${status})`, status)
  }
  if (reason === 'timeout' || reason === 'reset') {
    return failure(call, 'temporary', undefined, {
      message: `${connectionErrors[reason]}.`,
      status,
      hint: reason === 'timeout' ? ifSlow : 'Run the same command again.',
    })
  }
  return failure(call, 'invalid-response', undefined, { message: `${connectionErrors[reason]}.`, status })
}

/** The service ended the handshake because of the client certificate, or for want of one: no request was read. */
function clientCertificateFailure(call: Call, code = ''): Failure {
  const { sentence, hint } = clientCertificateRefusal(call.hints)
  return failure(call, 'usage', 'not-sent', {
    message: `No connection to ${call.origin}. ${sentence} (${code}).`,
    hint,
  })
}

/** What to do where there is no connection. An http address is on this computer, and no concern of anybody else. */
function connectHint({ origin, hints }: Call, code = ''): string | undefined {
  if (isCertificateError(code)) return hints?.untrusted
  const again =
    code === 'ENOTFOUND' || isNoTls(code)
      ? hints?.address
      : 'Run the same command again when it is reachable.'
  const ask =
    'If that does not help, ask your IT department whether this computer, or its proxy (HTTPS_PROXY), may connect to it.'
  return origin.startsWith('https:') ? joinHints(again, ask) : again
}
