import type { Failure } from '../errors.ts'
import type { Json } from '../json/path.ts'
import type { HttpResponse } from './http/attempt.ts'
import type { RetryResult } from './http/retry.ts'
import { type Call, failure, inServiceWords, isWrite, unknownOutcome } from './outcome/call-failure.ts'
import { connectionFailure } from './outcome/connection-failure.ts'
import { isRaw, type Judgement, judgeHead, judgeSuccess } from './outcome/judge-success.ts'
import { otherRecord } from './outcome/same-record.ts'
import { notSuccessful, notUnderstood, statusFailure } from './outcome/status-failure.ts'
import { readRecord, readServiceError, type ServiceError } from './response-body.ts'

/** What a call answered: its status, and its body when there was one. */
export interface Reply {
  readonly status: number
  readonly body: Json
  /** What the service calls the request, when its answer told. */
  readonly requestId?: string
}

/**
 * What it means how a call ended: its reply, or a Failure that knows the outcome. The answer of a request is judged
 * nowhere else. `withoutKey` takes the key out of what the service says.
 */
export function interpretResponse(
  call: Call,
  { ending, retryAfterMs }: Pick<RetryResult, 'ending' | 'retryAfterMs'>,
  withoutKey: (text: string) => string,
):
  | { readonly reply: Reply; readonly failure?: never }
  | { readonly failure: Failure; readonly reply?: never } {
  if (ending.lost) {
    const { status } = ending.lost
    if (!isWrite(call) || !isSuccess(status)) return { failure: connectionFailure(call, ending.lost) }
    const judgement = judgeHead(status)
    if (judgement.is === 'success') return { reply: { status, body: undefined } }
    return { failure: failureOfJudgement(call, judgement, status, { issues: [] }) }
  }
  const { status, body } = ending.answered
  // What was deleted by the attempt before is not there any more.
  if (status === 404 && call.operation.method === 'DELETE' && call.doubts?.length) {
    return { reply: { status, body: undefined } }
  }
  const said = () => sanitizeServiceError(body.isJson ? body.value : body.text, withoutKey)
  if (!isSuccess(status)) {
    return {
      failure: statusFailure(call, status, {
        ...said(),
        text: body.isJson ? undefined : body.text,
        elsewhere: originAt(ending.answered, call.origin),
        retryAfterMs,
      }),
    }
  }
  const judgement = judgeSuccess(call.operation, status, body)
  if (judgement.is !== 'success') return { failure: failureOfJudgement(call, judgement, status, said()) }
  if (!body.isJson) return { reply: { status, body: undefined } }
  const another = otherRecordFailure(call, status, body.value)
  if (another) return { failure: another }
  return { reply: { status, body: call.operation.answers.kind === 'nothing' ? undefined : body.value } }
}

/** What it means that an answer with a status of 2xx is no success: exit 8 for a write, 10 for a read. */
function failureOfJudgement(
  call: Call,
  judgement: Exclude<Judgement, { is: 'success' }>,
  status: number,
  said: ServiceError,
): Failure {
  if (judgement.is === 'refused') return notSuccessful(call, status, said)
  if (judgement.is === 'doubtful') {
    const what = `The service answered ${status} ${judgement.why}${inServiceWords(said)}`
    return isWrite(call)
      ? unknownOutcome(call, what, status, { issues: said.issues })
      : notUnderstood(call, what, status)
  }
  // The service may never have seen the request.
  if (isWrite(call)) {
    return unknownOutcome(call, 'The answer is a web page; a proxy or a login page may have given it', status)
  }
  return notUnderstood(call, 'The answer is not JSON; a proxy or a login page may have given it', status)
}

/** Of an answer that is of another record: nothing may be done with it. */
function otherRecordFailure(call: Call, status: number, body: Json): Failure | undefined {
  const { answers } = call.operation
  // A raw call shows what came, whatever it is.
  if (answers.kind === 'page' || isRaw(call.operation)) return undefined
  const record = readRecord(answers.kind === 'one' ? answers : { kind: 'one' }, body)
  const other = record && otherRecord(call.operation, record, call)
  if (!other) return undefined
  const { asked, answered } = other
  if (isWrite(call)) {
    return unknownOutcome(call, `${asked} was sent, and the answer is of ${answered}`, status)
  }
  return failure(call, 'answer', undefined, {
    message: `The answer is of another record: ${asked} was asked for, and ${answered} came back. Nothing was changed.`,
    status,
    hint: 'If it happens again, a corrected route is wrong (payroll routes list) or the service is: tell whoever runs it.',
  })
}

/** More than this is a page, not a sentence. In characters. */
const longestWords = 300

/** What the service says of an error. When it repeats the key, that gets onto no screen and into no log. */
function sanitizeServiceError(body: Json, withoutKey: (text: string) => string): ServiceError {
  const { message, issues } = readServiceError(body)
  const printable = (text: string) => {
    const harmless = withoutKey(text)
    return harmless.length > longestWords ? `${harmless.slice(0, longestWords)}…` : harmless
  }
  return {
    ...(message !== undefined && { message: printable(message) }),
    issues: issues.map((issue) => ({ path: printable(issue.path), message: printable(issue.message) })),
  }
}

const isSuccess = (status: number | undefined): status is number =>
  status !== undefined && status >= 200 && status <= 299

/** Where a redirect leads, without path and query: they may hold anything. */
function originAt({ headers }: HttpResponse, base: string): string | undefined {
  const location = headers.get('location')
  if (!location || !URL.canParse(location, base)) return undefined
  const { protocol, origin } = new URL(location, base)
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined
}
