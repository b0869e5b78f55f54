import { Failure, type FailureCode, type Outcome } from '../errors.ts'
import type { ConnectionLost } from './connection-lost.ts'
import type { Operation } from './contract/operation.ts'

/** One call, as far as its outcome needs to know it. */
export interface Call {
  readonly operation: Operation
  readonly path: string
  /** Scheme, host and port, for the person who has to look. */
  readonly origin: string
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
export const isWrite = ({ operation }: Pick<Call, 'operation'>) => operation.method !== 'GET'

/** What a status other than 2xx means. `said` is the service's own message, already made safe to show. */
export function failureOfStatus(call: Call, status: number, said: string | undefined): Failure {
  const told = said === undefined ? '' : `: ${said}`
  const refusal = refusals[status]
  if (refusal) {
    const noSuchPath = status === 404 && !call.operation.path.includes('{')
    const says = noSuchPath ? `does not know ${call.path}` : refusal.says
    return failure(call, noSuchPath ? 'refused' : refusal.code, 'refused', {
      message: `The service ${says} (${status})${told}.${isWrite(call) ? ' Nothing was applied.' : ''}`,
      status,
      hint: status === 404 || status === 405 ? hintOfRoute(call.operation) : refusal.hint,
    })
  }
  if (isWrite(call)) return unknownOutcome(call, `The service answered ${status}${told}`, status)
  if (status >= 500 || status === 408) {
    return failure(call, 'temporary', undefined, {
      message: `The service answered ${status}${told}. Nothing was applied.`,
      status,
      hint: 'Run the same command again later.',
    })
  }
  const says =
    status >= 300 && status < 400
      ? 'tried to redirect the request; redirects are not followed'
      : 'gave an answer that is not understood'
  return failure(call, 'answer', undefined, { message: `The service ${says} (${status})${told}.`, status })
}

/** The line that corrects a route that was guessed. */
export function routesSet({ id, method, path }: Operation): string {
  return `payroll routes set ${id} '${method} ${path}'`
}

function hintOfRoute(operation: Operation): string {
  return operation.known === 'documented'
    ? 'Check the base address: payroll profiles show'
    : `This path is an assumption. With the right one: ${routesSet(operation)}`
}

/** What it means that there is no whole answer. */
export function failureOfLoss(call: Call, lost: ConnectionLost): Failure {
  if (!lost.sent) {
    return failure(call, 'temporary', 'not-sent', {
      message: `No connection to ${call.origin}: ${noConnection(lost.systemCode)}. Nothing was sent.`,
      hint: hintOf(lost.systemCode) ?? 'Run the same command again when it is reachable.',
    })
  }
  const what =
    lost.reason === 'timeout'
      ? 'The service did not answer in time'
      : 'The connection broke before the answer was there'
  if (isWrite(call)) return unknownOutcome(call, what, lost.status)
  if (lost.reason === 'too-large' || lost.reason === 'encoding') {
    return failure(call, 'answer', undefined, {
      message: `The answer is ${lost.reason === 'encoding' ? 'packed in a way that is not understood' : 'larger than 32 MiB'}; reading stopped.`,
    })
  }
  return failure(call, 'temporary', undefined, {
    message: `${what}. Nothing was applied.`,
    hint: 'Run the same command again.',
  })
}

/** An answer that arrived whole and says something else than it should. Exit 10. */
export function notUnderstood(call: Call, what: string, status: number): Failure {
  return failure(call, 'answer', undefined, { message: `${what}.`, status })
}

/** "Success responses carry `success: true` in the envelope"; this one carries false. */
export function notSuccessful(call: Call, status: number, said: string | undefined): Failure {
  return failure(call, 'refused', 'refused', {
    message: `The service answered success: false${said === undefined ? '' : `: ${said}`}.`,
    status,
    hint: isWrite(call) ? 'It should not have been applied; look before you send it again.' : undefined,
  })
}

function unknownOutcome(call: Call, what: string, status: number | undefined): Failure {
  return failure(call, 'unknown', 'unknown', {
    message: `${what}. It may or may not have been applied.`,
    status,
    hint: 'Do not simply run it again: look first whether the record is there.',
  })
}

function noConnection(code: string | undefined): string {
  if (code === undefined) return 'it did not come about in time'
  if (code === 'ECONNREFUSED') return 'nothing listens there'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name is not known'
  return isCertificate(code) ? `its certificate is not trusted (${code})` : code
}

function hintOf(code: string | undefined): string | undefined {
  if (code !== undefined && isCertificate(code)) {
    return 'If the certificate comes from your own authority, name its file in NODE_EXTRA_CA_CERTS.'
  }
  return code === 'ENOTFOUND' ? 'Check the base address: payroll profiles show' : undefined
}

const isCertificate = (code: string) => /CERT|SELF_SIGNED|ISSUER|ALTNAME/.test(code)

interface Said {
  readonly message: string
  readonly status?: number | undefined
  readonly hint?: string | undefined
}

function failure(
  call: Call,
  code: FailureCode,
  outcome: Outcome | undefined,
  { message, status, hint }: Said,
) {
  return new Failure(code, message, {
    method: call.operation.method,
    path: call.path,
    retryable: code === 'temporary',
    ...(outcome && { outcome }),
    ...(status !== undefined && { status }),
    ...(hint !== undefined && { hint }),
  })
}
