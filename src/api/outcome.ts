import { Failure, type FailureCode, type Issue, type Outcome } from '../errors.ts'
import type { Said } from './answer.ts'
import type { ConnectionLost, LostReason } from './connection-lost.ts'
import type { Operation } from './contract/operation.ts'
import { spoken } from './retry-after.ts'

/** One call, as far as its outcome needs to know it. */
export interface Call {
  readonly operation: Operation
  readonly path: string
  /** Scheme, host and port, for the person who has to look. */
  readonly origin: string
  /** What the service calls the request, when its answer told. */
  readonly requestId?: string | undefined
}

/** What a status says of a call that was answered and not carried out. */
const refusals: Readonly<Record<number, { code: FailureCode; says: string; hint?: string }>> = {
  400: { code: 'refused', says: 'refused the data' },
  401: { code: 'auth', says: 'refused the key', hint: 'Log in again: payroll auth login' },
  403: {
    code: 'auth',
    says: 'says that this key may not do that',
    hint: 'Ask for the permission, or log in with another key: payroll auth login',
  },
  404: { code: 'not-found', says: 'has no such record' },
  405: { code: 'refused', says: 'does not allow this method here' },
  409: { code: 'refused', says: 'says that this conflicts with a record it has' },
  411: { code: 'refused', says: 'wants to be told how long the request is' },
  413: { code: 'refused', says: 'finds the request too large' },
  415: { code: 'refused', says: 'does not take this content type' },
  422: { code: 'refused', says: 'refused the data' },
  429: {
    code: 'temporary',
    says: 'is asked too often just now',
    hint: 'Wait a little, then run the same command again.',
  },
}

/** Whether a call can change what the service holds. */
export const isWrite = ({ operation: { method, isRead } }: Pick<Call, 'operation'>) =>
  method !== 'GET' && !isRead

/** What the service said with its status: its words, already without the key, and where it points to. */
export interface Told extends Said {
  /** Scheme, host and port that a redirect leads to. */
  readonly elsewhere?: string | undefined
  /** How long it asks to be left alone, when that was not waited for. */
  readonly retryAfterMs?: number | undefined
}

/** What a status other than 2xx means. */
export function failureOfStatus(call: Call, status: number, told: Told): Failure {
  const { issues, retryAfterMs } = told
  const later = retryAfterMs === undefined ? undefined : waiting(retryAfterMs)
  const words = inWords(told)
  const refusal = refusals[status]
  if (status === 409 && isWrite(call)) {
    return failure(call, 'refused', 'unknown', {
      message: `The service ${refusal?.says} (409)${words}.`,
      status,
      issues,
      hint: 'An earlier attempt may have made it: look at that record before you send this again.',
    })
  }
  if (refusal) {
    const noSuchPath = status === 404 && !call.operation.path.includes('{')
    const says = noSuchPath ? `does not know ${call.path}` : refusal.says
    return failure(call, noSuchPath ? 'refused' : refusal.code, 'refused', {
      message: `The service ${says} (${status})${words}.${isWrite(call) ? ' Nothing was applied.' : ''}`,
      status,
      issues,
      hint: status === 404 || status === 405 ? hintOfRoute(call.operation) : (later ?? refusal.hint),
      retryAfterMs,
    })
  }
  const redirected = status >= 300 && status < 400
  const target = redirected && told.elsewhere ? ` to ${told.elsewhere}` : ''
  if (isWrite(call)) {
    const what = redirected ? `a redirect${target}, which is not followed` : ''
    return unknownOutcome(
      call,
      `The service answered ${status}${what && `, ${what}`}${words}`,
      status,
      retryAfterMs,
    )
  }
  if (status >= 500 || status === 408) {
    return failure(call, 'temporary', undefined, {
      message: `The service answered ${status}${words}. Nothing was applied.`,
      status,
      hint: later ?? 'Run the same command again later.',
      retryAfterMs,
    })
  }
  const says = redirected
    ? `tried to redirect the request${target}; redirects are not followed`
    : 'gave an answer that is not understood'
  return failure(call, 'answer', undefined, {
    message: `The service ${says} (${status})${words}.`,
    status,
    hint: redirected ? 'Check the base address: payroll profiles show' : undefined,
  })
}

const waiting = (ms: number) =>
  `The service asks to be left alone for ${spoken(ms)}; run the same command again after that.`

/** What follows a sentence of ours, whose full stop comes after it. */
function inWords({ message }: Said): string {
  return message === undefined ? '' : `: ${message.replace(/\.$/, '')}`
}

/** The line that corrects a route that was guessed. */
export function routesSet({ id, method }: Operation): string {
  return `payroll routes set ${id} '${method} /svc/…'`
}

function hintOfRoute(operation: Operation): string {
  return operation.known === 'documented'
    ? 'Check the base address: payroll profiles show'
    : `This path is an assumption. To give the right one: ${routesSet(operation)}`
}

/** Why there is no whole answer, of a request that left. */
const losses: Readonly<Record<Exclude<LostReason, 'connect' | 'wrong-origin'>, string>> = {
  timeout: 'The service did not answer in time',
  reset: 'The connection broke before the answer was there',
  protocol: 'What answered does not speak HTTP as it should',
  encoding: 'The answer is packed in a way that is not understood',
  'too-large': 'The answer is larger than 32 MiB; reading stopped',
}

/** What it means that there is no whole answer. */
export function failureOfLoss(call: Call, lost: ConnectionLost): Failure {
  const { reason, sent, status, systemCode, proxy } = lost
  if (proxy !== undefined) return failureOfProxy(call, proxy, systemCode)
  if (!sent || reason === 'connect' || reason === 'wrong-origin') {
    return failure(call, 'temporary', 'not-sent', {
      message: `No connection to ${call.origin}: ${noConnection(systemCode)}. Nothing was sent.`,
      hint: hintOf(systemCode) ?? 'Run the same command again when it is reachable.',
    })
  }
  if (isWrite(call)) return unknownOutcome(call, losses[reason], status)
  if (reason === 'timeout' || reason === 'reset') {
    return failure(call, 'temporary', undefined, {
      message: `${losses[reason]}. Nothing was applied.`,
      status,
      hint: 'Run the same command again.',
    })
  }
  return failure(call, 'answer', undefined, { message: `${losses[reason]}.`, status })
}

/** The proxy let nothing through. Its password is not among what is known here. */
function failureOfProxy(call: Call, proxy: string, code: string | undefined): Failure {
  if (code === '407') {
    return failure(call, 'usage', 'not-sent', {
      message: `The proxy ${proxy} wants credentials (407). Nothing was sent.`,
      hint: 'Put them into HTTPS_PROXY: http://name:password@host:port',
    })
  }
  const status = /^\d{3}$/.test(code ?? '')
  const why = status ? `it refuses the way to ${call.origin} (${code})` : noConnection(code)
  return failure(call, 'temporary', 'not-sent', {
    message: `No way through the proxy ${proxy}: ${why}. Nothing was sent.`,
    hint: 'Check HTTPS_PROXY. A service that is reached without it belongs into NO_PROXY.',
  })
}

/**
 * A write that a page answered, with a status of success: a proxy or a login page may have given it, and then
 * the service never saw the request.
 */
export function answeredByPage(call: Call, status: number): Failure {
  return unknownOutcome(call, 'The answer is a web page; a proxy or a login page may have given it', status)
}

/** An answer that arrived whole and says something else than it should. Exit 10. */
export function notUnderstood(call: Call, what: string, status: number): Failure {
  return failure(call, 'answer', undefined, { message: `${what}.`, status })
}

/** "Success responses carry `success: true` in the envelope"; this one carries false. */
export function notSuccessful(call: Call, status: number, said: Said): Failure {
  return failure(call, 'refused', isWrite(call) ? 'unknown' : 'refused', {
    message: `The service answered success: false${inWords(said)}.`,
    status,
    issues: said.issues,
    hint: isWrite(call) ? 'It should not have been applied; look before you send it again.' : undefined,
  })
}

function unknownOutcome(
  call: Call,
  what: string,
  status: number | undefined,
  retryAfterMs?: number,
): Failure {
  return failure(call, 'unknown', 'unknown', {
    retryAfterMs,
    message: `${what}. It may or may not have been applied.`,
    status,
    hint: 'Do not simply run it again: look first whether the record is there.',
  })
}

function noConnection(code: string | undefined): string {
  if (code === undefined) return 'it did not come about in time'
  if (code === 'ECONNREFUSED') return 'nothing listens there'
  if (code === 'ENOTFOUND') return 'its name is not known'
  if (code === 'EAI_AGAIN') return 'its name cannot be looked up just now'
  return isCertificate(code) ? `its certificate is not trusted (${code})` : code
}

function hintOf(code: string | undefined): string | undefined {
  if (code !== undefined && isCertificate(code)) {
    return 'If the certificate comes from your own authority, name its file in NODE_EXTRA_CA_CERTS.'
  }
  return code === 'ENOTFOUND' ? 'Check the base address: payroll profiles show' : undefined
}

const isCertificate = (code: string) => /CERT|SELF_SIGNED|ISSUER|ALTNAME|LEAF_SIGNATURE|INVALID_CA/.test(code)

interface Words {
  readonly message: string
  readonly status?: number | undefined
  readonly issues?: readonly Issue[] | undefined
  readonly hint?: string | undefined
  readonly retryAfterMs?: number | undefined
}

function failure(
  call: Call,
  code: FailureCode,
  outcome: Outcome | undefined,
  { message, status, issues, hint, retryAfterMs }: Words,
) {
  return new Failure(code, message, {
    method: call.operation.method,
    path: call.path,
    ...(call.requestId !== undefined && { requestId: call.requestId }),
    retryable: code === 'temporary',
    ...(outcome && { outcome }),
    ...(status !== undefined && { status }),
    ...(issues !== undefined && issues.length > 0 && { issues }),
    ...(hint !== undefined && { hint }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}
