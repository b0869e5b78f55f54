import { type DetailsOf, Failure, type FailureCode, type Issue, isTemporary } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { isWrite, type Operation } from '../../model/records/operation.ts'
import type { ServiceError } from '../response-body.ts'
import type { Parameters } from '../route-path.ts'
import type { Hints } from './hints.ts'

/** A call, as far as its outcome is described by it. */
export interface Call {
  readonly operation: Operation
  readonly path: string
  /** Scheme, host and port, for messages. */
  readonly origin: string
  readonly requestId?: string | undefined
  /** The path parameters and the body sent: the response must not be for another record. */
  readonly parameters?: Parameters | undefined
  readonly body?: JsonObject | undefined
  readonly hints?: Hints | undefined
  /** Why earlier attempts may have been applied although they failed: `500`, `reset`. */
  readonly doubts?: readonly string[] | undefined
}

interface Words {
  readonly message: string
  readonly status?: number | undefined
  readonly issues?: readonly Issue[] | undefined
  readonly hint?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly isOpen?: true | undefined
  readonly isPage?: true | undefined
}

const checkFirst = 'Do not run it again yet: check first whether the record is there.'

/** The failure of a call. If an earlier attempt may have been applied, the outcome is unknown (exit 8). */
export function failure<Code extends FailureCode>(
  call: Call,
  code: Code,
  outcome: DetailsOf<Code>['outcome'],
  words: Words,
): Failure {
  const earlier = isWrite(call.operation) ? earlierDoubts(call, words.status) : []
  if (earlier.length > 0) {
    const effect = call.operation.method === 'DELETE' ? 'deleted it' : 'been applied'
    const message = `${words.message} An earlier attempt (${earlier.join(', ')}) may have ${effect} anyway.`
    return buildFailure(call, 'unknown', 'unknown', { ...words, message, hint: checkFirst })
  }
  return buildFailure(call, code, outcome, words)
}

/** The failure of a write that may have been applied (exit 8). `what`: a sentence without its full stop. */
export function unknownOutcome(
  call: Call,
  what: string,
  status: number | undefined,
  more: Pick<Words, 'issues' | 'retryAfterMs'> = {},
): Failure {
  const words = { message: `${what}.`, status, hint: checkFirst, isOpen: true, ...more } as const
  return buildFailure(call, 'unknown', 'unknown', words)
}

/** The service's error text, to be appended to our sentence before its full stop. */
export function quoteService({ message }: ServiceError): string {
  return message === undefined ? '' : `: ${message.replace(/\.$/, '')}`
}

/** Why earlier attempts may have been applied. Equal statuses leave no doubt: a 409 twice is a conflict. */
function earlierDoubts({ doubts = [] }: Call, status: number | undefined): readonly string[] {
  return doubts.every((doubt) => doubt === String(status)) ? [] : doubts
}

function buildFailure<Code extends FailureCode>(
  call: Call,
  code: Code,
  outcome: DetailsOf<Code>['outcome'],
  { message, issues, ...words }: Words,
): Failure {
  return new Failure(code, message, {
    method: call.operation.method,
    path: call.path,
    requestId: call.requestId,
    retryable: isTemporary(code),
    outcome,
    issues: issues?.length ? issues : undefined,
    ...words,
  })
}

/** A refusal because of the client certificate, or for want of one. */
export const clientCertificateRefusal = (hints: Hints | undefined) => ({
  sentence: 'The server seems to want a client certificate that it accepts',
  hint: hints?.clientCertificate ?? 'Ask the people who run the service for a client certificate.',
})
