import type { Failure, FailureCode } from '../../errors.ts'
import type { Operation } from '../contract/operations/operation.ts'
import { formatDuration } from '../http/retry-after.ts'
import type { ServiceError } from '../response-body.ts'
import { type Call, failure, isWrite, nothingApplied, quoteService, unknownOutcome } from './call-failure.ts'
import { gatewayMessage } from './gateway-messages.ts'

/** The statuses that mean that a call was refused. */
const refusals: Readonly<Record<number, { code: FailureCode; says: string; hint?: string }>> = {
  400: { code: 'refused', says: 'refused the data' },
  401: { code: 'auth', says: 'refused the key', hint: 'Log in again: payroll auth login' },
  403: {
    code: 'auth',
    says: 'says that this key does not have the permission',
    hint: 'Ask for the permission, or log in with another key: payroll auth login',
  },
  404: { code: 'not-found', says: 'has no such record' },
  405: { code: 'refused', says: 'does not allow this method here' },
  409: { code: 'refused', says: 'says that this conflicts with an existing record' },
  411: { code: 'refused', says: 'requires a Content-Length' },
  412: { code: 'refused', says: 'says that the record was changed since it was read' },
  413: { code: 'refused', says: 'says that the request is too large' },
  415: { code: 'refused', says: 'does not accept this content type' },
  422: { code: 'refused', says: 'refused the data' },
  429: {
    code: 'temporary',
    says: 'is receiving too many requests',
    hint: 'Wait a little, then run the same command again.',
  },
}

/** The details of an error response: its texts, already without the key, and its redirect target. */
export interface StatusDetails extends ServiceError {
  /** The body, when it is not JSON. */
  readonly text?: string | undefined
  /** Scheme, host and port that a redirect leads to. */
  readonly elsewhere?: string | undefined
  /** How long the service asks clients to wait, when this run did not wait that long. */
  readonly retryAfterMs?: number | undefined
}

/** The failure of a status other than 2xx. */
export function statusFailure(call: Call, status: number, details: StatusDetails): Failure {
  const { issues, retryAfterMs } = details
  const later = retryAfterMs === undefined ? undefined : retryAfterHint(retryAfterMs)
  const words = quoteService(details)
  const turned = status === 400 && details.text !== undefined ? gatewayMessage(details.text) : undefined
  if (turned) {
    return failure(call, 'usage', 'refused', {
      message: `${turned.says} (400).`,
      effect: nothingApplied,
      status,
      hint: turned.hint,
    })
  }
  const refusal = refusals[status]
  if (status === 409 && isWrite(call)) {
    return failure(call, 'refused', 'unknown', {
      message: `The service ${refusal?.says} (409)${words}.`,
      status,
      issues,
      hint: 'An earlier attempt may have created it: check that record before you send this again.',
    })
  }
  if (refusal) {
    const noSuchPath = status === 404 && !call.operation.path.includes('{')
    const says = noSuchPath ? `does not know ${call.path}` : refusal.says
    return failure(call, noSuchPath ? 'refused' : refusal.code, 'refused', {
      message: `The service ${says} (${status})${words}.`,
      effect: isWrite(call) ? nothingApplied : undefined,
      status,
      issues,
      hint: status === 404 || status === 405 ? hintOfRoute(call.operation) : (later ?? refusal.hint),
      retryAfterMs,
    })
  }
  const redirected = status >= 300 && status < 400
  const target = redirected && details.elsewhere ? ` to ${details.elsewhere}` : ''
  if (isWrite(call)) {
    const what = redirected ? `a redirect${target}, which is not followed` : ''
    return unknownOutcome(call, `The service answered ${status}${what && `, ${what}`}${words}`, status, {
      retryAfterMs,
    })
  }
  if (status >= 500 || status === 408) {
    return failure(call, 'temporary', undefined, {
      message: `The service answered ${status}${words}.`,
      effect: nothingApplied,
      status,
      hint: later ?? 'Run the same command again later.',
      retryAfterMs,
    })
  }
  const says = redirected
    ? `tried to redirect the request${target}; redirects are not followed`
    : 'gave an answer that payroll does not understand'
  return failure(call, 'invalid-response', undefined, {
    message: `The service ${says} (${status})${words}.`,
    status,
    hint: redirected ? 'Check the base address: payroll profiles show' : undefined,
  })
}

const retryAfterHint = (ms: number) =>
  `The service asks you to wait ${formatDuration(ms)}; run the same command again after that.`

/** The command that corrects a guessed route. */
export function routesSetCommand({ id, method }: Operation): string {
  return `payroll routes set ${id} '${method} /svc/…'`
}

function hintOfRoute(operation: Operation): string {
  return operation.known === 'documented'
    ? 'Check the base address: payroll profiles show'
    : `This path is an assumption. To give the right one: ${routesSetCommand(operation)}`
}

/** The failure of a complete response that payroll does not understand. Exit 10. */
export function invalidResponse(call: Call, what: string, status: number): Failure {
  return failure(call, 'invalid-response', undefined, { message: `${what}.`, status })
}

/** "Success responses carry `success: true` in the envelope"; this one carries false. */
export function successFalseFailure(call: Call, status: number, said: ServiceError): Failure {
  return failure(call, 'refused', isWrite(call) ? 'unknown' : 'refused', {
    message: `The service answered success: false${quoteService(said)}.`,
    status,
    issues: said.issues,
    hint: isWrite(call)
      ? 'It was probably not applied; check the record before you send it again.'
      : undefined,
  })
}
