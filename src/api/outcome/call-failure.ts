import { Failure, type FailureCode, type Issue, type Outcome } from '../../errors.ts'
import type { JsonObject } from '../../json/path.ts'
import type { Operation } from '../contract/operations/operation.ts'
import type { ServiceError } from '../response-body.ts'
import type { Parameters } from '../route-path.ts'

/** One call, as far as its outcome needs to know it. */
export interface Call {
  readonly operation: Operation
  readonly path: string
  /** Scheme, host and port, for the person who has to look. */
  readonly origin: string
  /** What the service calls the request, when its answer told. */
  readonly requestId?: string | undefined
  /** What the path was filled with, and what was sent: the answer must not be of another record. */
  readonly parameters?: Parameters | undefined
  readonly body?: JsonObject | undefined
  /** Why attempts before this one may have been carried out although they failed: `500`, `reset`. */
  readonly doubts?: readonly string[] | undefined
}

/** Whether a call can change what the service holds. */
export const isWrite = ({ operation: { method, isRead } }: Pick<Call, 'operation'>) =>
  method !== 'GET' && !isRead

export interface Words {
  readonly message: string
  /** What became of the data. Left out where an earlier attempt makes it untrue. */
  readonly effect?: string | undefined
  readonly status?: number | undefined
  readonly issues?: readonly Issue[] | undefined
  readonly hint?: string | undefined
  readonly retryAfterMs?: number | undefined
  /** False where the same command fails again however long one waits. */
  readonly passing?: boolean
}

export const nothingApplied = 'Nothing was applied.'
export const nothingSent = 'Nothing was sent.'

const look = 'Do not simply run it again: look first whether the record is there.'

/**
 * The failure of a call. What an earlier attempt may have done, no later one undoes: refused, lost or never sent,
 * the outcome is unknown then (exit 8).
 */
export function failure(call: Call, code: FailureCode, outcome: Outcome | undefined, words: Words): Failure {
  const earlier = isWrite(call) && code !== 'unknown' ? earlierDoubts(call, words.status) : []
  if (earlier.length > 0) {
    const done = call.operation.method === 'DELETE' ? 'deleted it' : 'been applied'
    const message = `${words.message} An earlier attempt (${earlier.join(', ')}) may have ${done} all the same.`
    return buildFailure(call, 'unknown', 'unknown', { ...words, message, hint: look })
  }
  const { message, effect } = words
  return buildFailure(call, code, outcome, { ...words, message: effect ? `${message} ${effect}` : message })
}

/** `what`: a sentence without its full stop. */
export function unknownOutcome(
  call: Call,
  what: string,
  status: number | undefined,
  more: Pick<Words, 'issues' | 'retryAfterMs'> = {},
): Failure {
  const message = `${what}. It may or may not have been applied.`
  return failure(call, 'unknown', 'unknown', { message, status, hint: look, ...more })
}

/** What follows a sentence of ours, whose full stop comes after it. */
export function inServiceWords({ message }: ServiceError): string {
  return message === undefined ? '' : `: ${message.replace(/\.$/, '')}`
}

/** The same answer twice leaves no more in doubt than it does once: 409 and 409 again is a conflict. */
function earlierDoubts({ doubts = [] }: Call, status: number | undefined): readonly string[] {
  return doubts.every((doubt) => doubt === String(status)) ? [] : doubts
}

function buildFailure(
  call: Call,
  code: FailureCode,
  outcome: Outcome | undefined,
  { message, status, issues, hint, retryAfterMs, passing = true }: Words,
): Failure {
  return new Failure(code, message, {
    method: call.operation.method,
    path: call.path,
    ...(call.requestId !== undefined && { requestId: call.requestId }),
    retryable: code === 'temporary' && passing,
    ...(outcome && { outcome }),
    ...(status !== undefined && { status }),
    ...(issues !== undefined && issues.length > 0 && { issues }),
    ...(hint !== undefined && { hint }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}
