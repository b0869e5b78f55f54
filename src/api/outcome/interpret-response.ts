import type { Failure } from '../../errors.ts'
import type { Json } from '../../json/path.ts'
import type { HttpResponse } from '../http/attempt.ts'
import type { RetryResult } from '../http/retry.ts'
import { readRecord, readServiceError, type ServiceError } from '../response-body.ts'
import { type Call, failure, isWrite, quoteService, unknownOutcome } from './call-failure.ts'
import { connectionFailure } from './connection-failure.ts'
import { isRaw, type Judgement, judgeSuccess } from './judge-success.ts'
import { findMismatch } from './same-record.ts'
import { invalidResponse, refusalFailure, statusFailure } from './status-failure.ts'

/** The result of a call: its status, and its body if any. */
export interface Reply {
  readonly status: number
  readonly body: Json
  /** The request id of the service, if the response has one. */
  readonly requestId?: string
}

/**
 * Interprets how a call ended: returns the reply, or a Failure with the outcome. Responses are judged only here.
 * `withoutKey` removes the key from the service's texts.
 */
export function interpretResponse(
  call: Call,
  { ending, retryAfterMs }: Pick<RetryResult, 'ending' | 'retryAfterMs'>,
  withoutKey: (text: string) => string,
):
  | { readonly reply: Reply; readonly failure?: never }
  | { readonly failure: Failure; readonly reply?: never } {
  // A good status confirms nothing while the rest of the answer may say no.
  if (ending.lost) return { failure: connectionFailure(call, ending.lost) }
  const { status, body } = ending.response
  // An earlier attempt has probably deleted it.
  if (status === 404 && call.operation.method === 'DELETE' && call.doubts?.length) {
    return { reply: { status, body: undefined } }
  }
  const serviceError = () => sanitizeServiceError(body.isJson ? body.value : body.text, withoutKey)
  if (!isSuccess(status)) {
    return {
      failure: statusFailure(call, status, {
        ...serviceError(),
        text: body.isJson ? undefined : body.text,
        elsewhere: originAt(ending.response, call.origin),
        retryAfterMs,
      }),
    }
  }
  const judgement = judgeSuccess(call.operation, status, body)
  if (judgement.is !== 'success')
    return { failure: failureOfJudgement(call, judgement, status, serviceError(), withoutKey) }
  if (!body.isJson) return { reply: { status, body: undefined } }
  const another = recordMismatchFailure(call, status, body.value)
  if (another) return { failure: another }
  return { reply: { status, body: call.operation.response.kind === 'nothing' ? undefined : body.value } }
}

/** The failure of a 2xx response that is not a success: exit 8 for a write, 10 for a read. */
function failureOfJudgement(
  call: Call,
  judgement: Exclude<Judgement, { is: 'success' }>,
  status: number,
  serviceError: ServiceError,
  withoutKey: (text: string) => string,
): Failure {
  if (judgement.is === 'refused') {
    const says = printable(judgement.says, withoutKey)
    return refusalFailure(call, status, { ...serviceError, says, showsRecord: judgement.showsRecord })
  }
  if (judgement.is === 'doubtful') {
    const why = printable(judgement.why, withoutKey)
    const what = `The service answered ${status} ${why}${quoteService(serviceError)}`
    return isWrite(call)
      ? unknownOutcome(call, what, status, { issues: serviceError.issues })
      : invalidResponse(call, what, status)
  }
  // The service may never have seen the request.
  if (isWrite(call)) {
    return unknownOutcome(call, 'The answer is a web page; it may come from a proxy or a login page', status)
  }
  return invalidResponse(call, 'The answer is not JSON; it may come from a proxy or a login page', status)
}

/** The failure when the response is for another record: it must not be used. */
function recordMismatchFailure(call: Call, status: number, body: Json): Failure | undefined {
  const { response } = call.operation
  // A raw call prints the response whatever it is.
  if (response.kind === 'page' || isRaw(call.operation)) return undefined
  const record = readRecord(response.kind === 'one' ? response : { kind: 'one' }, body)
  const other = record && findMismatch(call.operation, record, call)
  if (!other) return undefined
  const { asked, answered } = other
  if (isWrite(call)) {
    return unknownOutcome(call, `${asked} was sent, but the answer is for ${answered}`, status)
  }
  return failure(call, 'invalid-response', undefined, {
    message: `The answer is for another record: ${asked} was requested, and ${answered} was returned.`,
    status,
    hint: 'If it happens again, check your corrected routes (payroll routes list), then tell the people who run the service.',
  })
}

/** More than this is a page, not a sentence. In characters. */
const longestWords = 300

/** The error text of the service, shortened and without the key, which must not get onto a screen or into a log. */
function sanitizeServiceError(body: Json, withoutKey: (text: string) => string): ServiceError {
  const { message, issues } = readServiceError(body)
  return {
    ...(message !== undefined && { message: printable(message, withoutKey) }),
    issues: issues.map((issue) => ({
      path: printable(issue.path, withoutKey),
      message: printable(issue.message, withoutKey),
    })),
  }
}

function printable(text: string, withoutKey: (text: string) => string): string {
  const harmless = withoutKey(text)
  return harmless.length > longestWords ? `${harmless.slice(0, longestWords)}…` : harmless
}

const isSuccess = (status: number) => status >= 200 && status <= 299

/** Where a redirect leads, without path and query, which may contain anything. */
function originAt({ headers }: HttpResponse, base: string): string | undefined {
  const location = headers.get('location')
  if (!location || !URL.canParse(location, base)) return undefined
  const { protocol, origin } = new URL(location, base)
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined
}
