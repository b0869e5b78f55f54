import { type Failure, type FailureCode, type FailureDetails, joinHints, type Outcome } from '../../errors.ts'
import { answerType, isWrite, type Operation } from '../../model/records/operation.ts'
import { nounOfType } from '../../model/records/record-type.ts'
import { formatDuration } from '../../text/duration.ts'
import { looksLikePage, type ServiceError } from '../response-body.ts'
import { type Call, clientCertificateRefusal, failure, quoteService, unknownOutcome } from './call-failure.ts'
import { isRaw } from './judge-success.ts'

interface Refusal {
  readonly code: FailureCode
  readonly sentence: string
  /** The sentence for a read, which sends no data. */
  readonly ofRead?: string
  readonly hint?: string
}

const refusedData: Refusal = {
  code: 'refused',
  sentence: 'The service refused the data',
  ofRead: 'The service refused the request',
}

const refusals: Readonly<Record<number, Refusal>> = {
  400: refusedData,
  401: { code: 'auth', sentence: 'The service refused the key' },
  403: { code: 'auth', sentence: 'The service says that this key does not have the permission' },
  404: { code: 'not-found', sentence: 'The service has no such record' },
  405: { code: 'refused', sentence: 'The service does not allow this method here' },
  409: { code: 'refused', sentence: 'The service says that this conflicts with an existing record' },
  411: { code: 'refused', sentence: 'The service requires a Content-Length' },
  412: { code: 'refused', sentence: 'The service says that the record was changed since it was read' },
  413: { code: 'refused', sentence: 'The service says that the request is too large' },
  415: { code: 'refused', sentence: 'The service does not accept this content type' },
  422: refusedData,
  429: {
    code: 'temporary',
    sentence: 'The service is receiving too many requests',
    hint: 'Wait a little, then run the same command again.',
  },
}

/** The details of an error response: its texts, already without the key, and its redirect target. */
interface StatusDetails extends ServiceError {
  /** The body, when it is not JSON. */
  readonly text?: string | undefined
  /** Scheme, host and port that a redirect leads to. */
  readonly elsewhere?: string | undefined
  /** The header WWW-Authenticate. */
  readonly asks?: string | undefined
  /** How long the service asks clients to wait, when this run did not wait that long. */
  readonly retryAfterMs?: number | undefined
}

/** The failure of a status other than 2xx. */
export function statusFailure(call: Call, status: number, details: StatusDetails): Failure {
  const inFront = failureInFront(call, status, details.text)
  if (inFront) return inFront
  const refusal = refusals[status]
  return refusal ? refusedFailure(call, status, details, refusal) : otherFailure(call, status, details)
}

/** The failure of an answer that does not come from the service; undefined for any other. */
function failureInFront(call: Call, status: number, text = ''): Failure | undefined {
  // As nginx says it, before a request reaches the service.
  if (status === 400 && /No required SSL certificate was sent|The SSL certificate error/i.test(text)) {
    const { sentence, hint } = clientCertificateRefusal(call.hints)
    return failure(call, 'usage', 'refused', { message: `${sentence} (400).`, status, hint })
  }
  // A service says in its own words that a key may not do something; what stands in front of it has pages.
  if (status !== 403 || !looksLikePage(text)) return undefined
  return failure(call, 'auth', 'refused', {
    message: 'A web page says no (403), perhaps that of a firewall or a proxy and not the service.',
    status,
    hint: `Ask your IT department whether this computer may reach ${call.origin}. If it may, ask the people who run the service.`,
    isPage: true,
  })
}

function refusedFailure(call: Call, status: number, details: StatusDetails, refusal: Refusal): Failure {
  const { path, method, refuses } = call.operation
  const { issues, retryAfterMs } = details
  const words = quoteService(details)
  // Both may come after the write was stored: the request met its own first attempt, or a gateway answered.
  if ((status === 409 || status === 412) && isWrite(call.operation)) {
    return failure(call, 'unknown', 'unknown', {
      message: `${refusal.sentence} (${status})${words}.`,
      status,
      issues,
      hint:
        method === 'POST'
          ? 'It may be there already, also from an earlier run: check that record before you send this again.'
          : 'Somebody may have changed it meanwhile: read the record again before you send this again.',
    })
  }
  const noSuchPath = status === 404 && !path.includes('{') && refuses?.[404] === undefined
  const usual = (method === 'GET' && refusal.ofRead) || refusal.sentence
  const sentence = noSuchPath
    ? `The service does not know ${call.path}`
    : (missingRecord(call, status) ?? refuses?.[status] ?? usual)
  // The path of `payroll api` was typed by the user: a 404 may mean a wrong path, or a record that is not there.
  const isUsed = noSuchPath && !isRaw(call.operation)
  const isExplained = words !== '' || issues.length > 0
  return failure(call, isUsed ? 'refused' : refusal.code, 'refused', {
    message: `${sentence} (${status})${words}.`,
    status,
    issues,
    hint: waitHint(details) ?? refusal.hint ?? statusHint(call, status, isExplained, details.asks),
    retryAfterMs,
  })
}

/** The failure of a status that is no refusal: a redirect, or a fault of the service. */
function otherFailure(call: Call, status: number, details: StatusDetails): Failure {
  const { retryAfterMs } = details
  const words = quoteService(details)
  // 304 leads nowhere: it says that what the client has is still right.
  const redirected = status >= 300 && status < 400 && status !== 304
  const target = redirected && details.elsewhere ? ` to ${details.elsewhere}` : ''
  if (isWrite(call.operation)) {
    const redirect = redirected ? `, a redirect${target}, which is not followed` : ''
    return unknownOutcome(call, `The service answered ${status}${redirect}${words}`, status, { retryAfterMs })
  }
  if (status >= 500 || status === 408) {
    return failure(call, 'temporary', undefined, {
      message: `The service answered ${status}${words}.`,
      status,
      hint: waitHint(details) ?? 'Run the same command again later.',
      retryAfterMs,
    })
  }
  const sentence = redirected
    ? `The service tried to redirect the request${target}; redirects are not followed`
    : 'The service gave an answer that payroll does not understand'
  return failure(call, 'invalid-response', undefined, {
    message: `${sentence} (${status})${words}.`,
    status,
    hint: redirected ? call.hints?.address : undefined,
  })
}

const waitHint = ({ retryAfterMs }: StatusDetails) =>
  retryAfterMs === undefined
    ? undefined
    : `The service asks you to wait ${formatDuration(retryAfterMs)}; run the same command again after that.`

/** Whether an operation sends a record that is there already. */
const isChange = (operation: Operation) => isOfOneRecord(operation) && operation.requestRecord !== undefined

/** The sentence for a 404 of one record, or of the records of a person; undefined for any other. */
function missingRecord(
  { operation, path, parameters = {}, hints }: Call,
  status: number,
): string | undefined {
  if (status !== 404) return undefined
  const type = answerType(operation) ?? operation.requestRecord
  const { id, employeeId } = parameters
  if (isOfOneRecord(operation)) {
    if (!id) return undefined
    const missing = `The service has no ${type ? nounOfType(type) : 'record'} with the id ${id}`
    // A record is read before it is changed: then it was there.
    return isChange(operation) && hints?.route(operation) ? `${missing}, or does not know ${path}` : missing
  }
  if (employeeId === undefined) return undefined
  return `The service has no person with the id ${employeeId}, or does not know ${path}`
}

const isOfOneRecord = ({ path }: Operation) => path.endsWith('}')

/** The hint for a refusal. Only a 404 of a list or a create, or a write's 405, puts its path in doubt. */
function statusHint(call: Call, status: number, isExplained: boolean, asks = ''): string | undefined {
  const { operation, hints } = call
  if (status === 400 || status === 422) {
    const isById = !isWrite(call.operation) && isOfOneRecord(operation) && !isRaw(operation)
    return isById ? hints?.record(operation, call.parameters) : refusalHint(call, isExplained)
  }
  if (status === 401) return hints?.refusedKey(/^(bearer|token|api-?key)\b(?!.*\berror=)/i.exec(asks)?.[0])
  if (status === 403) return hints?.forbidden
  if (status !== 404 && status !== 405) return undefined
  const route = hints?.route(operation)
  if (isRaw(operation)) return joinHints(hints?.typedPath, route)
  if (!isOfOneRecord(operation)) {
    const hint = call.parameters?.employeeId === undefined ? undefined : hints?.person
    return joinHints(hint, route) || undefined
  }
  if (status === 404)
    return joinHints(isChange(operation) && route, hints?.record(operation, call.parameters)) || undefined
  return route
}

/** The hint for a refusal in the service's own words: the verb knows where the values were given. */
function refusalHint(call: Call, isExplained: boolean): string | undefined {
  if (!isExplained) return 'payroll finds no reason in its answer: ask the people who run the service.'
  // Nothing that was typed for a read can be put right.
  return isWrite(call.operation) || isRaw(call.operation)
    ? undefined
    : 'If you cannot tell what it means, ask the people who run the service.'
}

/** The failure of a complete response that payroll does not understand. Exit 10. */
export function invalidResponse(call: Call, what: string, status: number, hint?: string): Failure {
  return failure(call, 'invalid-response', undefined, { message: `${what}.`, status, hint })
}

/** Whether a failure is a refusal in a 2xx, which some services give although they stored the write. */
export const isDenial = ({ outcome, status = 0 }: FailureDetails): boolean =>
  outcome === 'refused' && status >= 200 && status <= 299

/** The outcome of a write until its record is looked at: that of a raw call or a sign-in is not. Undefined for a read. */
export function outcomeSoFar(operation: Operation, failure: Failure | undefined): Outcome | undefined {
  if (!isWrite(operation)) return undefined
  if (!failure) return 'applied'
  const isLookedAt = operation.group !== 'api' && operation.group !== 'Authentication'
  return isLookedAt && isDenial(failure.details) ? 'unknown' : failure.details.outcome
}

/** A 2xx that says no: nothing was applied. `says`: `success: false`. */
export function refusalFailure(
  call: Call,
  status: number,
  { says, ...answered }: ServiceError & { readonly says: string },
): Failure {
  const { message, issues } = answered
  return failure(call, 'refused', 'refused', {
    message: `The service answered ${says}${quoteService(answered)}.`,
    status,
    issues,
    hint: refusalHint(call, message !== undefined || issues.length > 0),
  })
}
