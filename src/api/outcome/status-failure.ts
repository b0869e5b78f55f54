import type { Failure, FailureCode } from '../../errors.ts'
import type { Operation } from '../contract/operations/operation.ts'
import { formatDuration } from '../http/retry-after.ts'
import type { ServiceError } from '../response-body.ts'
import {
  type Call,
  failure,
  inServiceWords,
  isWrite,
  nothingApplied,
  unknownOutcome,
} from './call-failure.ts'
import { gatewayMessage } from './gateway-messages.ts'

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
  412: { code: 'refused', says: 'says that the record was changed since it was read' },
  413: { code: 'refused', says: 'finds the request too large' },
  415: { code: 'refused', says: 'does not take this content type' },
  422: { code: 'refused', says: 'refused the data' },
  429: {
    code: 'temporary',
    says: 'is asked too often just now',
    hint: 'Wait a little, then run the same command again.',
  },
}

/** What the service said with its status: its words, already without the key, and where it points to. */
export interface StatusDetails extends ServiceError {
  /** The answer as it came, where it is no JSON. */
  readonly text?: string | undefined
  /** Scheme, host and port that a redirect leads to. */
  readonly elsewhere?: string | undefined
  /** How long it asks to be left alone, when that was not waited for. */
  readonly retryAfterMs?: number | undefined
}

/** What a status other than 2xx means. */
export function statusFailure(call: Call, status: number, told: StatusDetails): Failure {
  const { issues, retryAfterMs } = told
  const later = retryAfterMs === undefined ? undefined : waiting(retryAfterMs)
  const words = inServiceWords(told)
  const turned = status === 400 && told.text !== undefined ? gatewayMessage(told.text) : undefined
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
      hint: 'An earlier attempt may have made it: look at that record before you send this again.',
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
  const target = redirected && told.elsewhere ? ` to ${told.elsewhere}` : ''
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
    : 'gave an answer that is not understood'
  return failure(call, 'answer', undefined, {
    message: `The service ${says} (${status})${words}.`,
    status,
    hint: redirected ? 'Check the base address: payroll profiles show' : undefined,
  })
}

const waiting = (ms: number) =>
  `The service asks to be left alone for ${formatDuration(ms)}; run the same command again after that.`

/** The line that corrects a route that was guessed. */
export function routesSet({ id, method }: Operation): string {
  return `payroll routes set ${id} '${method} /svc/…'`
}

function hintOfRoute(operation: Operation): string {
  return operation.known === 'documented'
    ? 'Check the base address: payroll profiles show'
    : `This path is an assumption. To give the right one: ${routesSet(operation)}`
}

/** An answer that arrived whole and says something else than it should. Exit 10. */
export function notUnderstood(call: Call, what: string, status: number): Failure {
  return failure(call, 'answer', undefined, { message: `${what}.`, status })
}

/** "Success responses carry `success: true` in the envelope"; this one carries false. */
export function notSuccessful(call: Call, status: number, said: ServiceError): Failure {
  return failure(call, 'refused', isWrite(call) ? 'unknown' : 'refused', {
    message: `The service answered success: false${inServiceWords(said)}.`,
    status,
    issues: said.issues,
    hint: isWrite(call) ? 'It should not have been applied; look before you send it again.' : undefined,
  })
}
