import { looksLikePage, readSaid, type Said, saysNo } from './answer.ts'
import type { Answered } from './attempt.ts'
import type { Json } from './contract/path.ts'
import {
  answeredByPage,
  type Call,
  failureOfLoss,
  failureOfStatus,
  isWrite,
  notSuccessful,
  notUnderstood,
} from './outcome.ts'
import type { Settled } from './retry.ts'

/** What a call answered: its status, and its body when there was one. */
export interface Reply {
  readonly status: number
  readonly body: Json
  /** What the service calls the request, when its answer told. */
  readonly requestId?: string
}

/**
 * What it means how a call ended. Throws a Failure that knows the outcome. `withoutKey` takes the key out of what
 * the service says.
 */
export function replyOf(call: Call, settled: Settled, withoutKey: (text: string) => string): Reply {
  const { ending, doubted } = settled
  if (ending.lost) {
    const { status } = ending.lost
    if (isWrite(call) && isSuccess(status)) return { status, body: undefined }
    throw failureOfLoss(call, ending.lost)
  }
  const { status, body } = ending.answered
  // What was deleted by the attempt before is not there any more.
  if (status === 404 && doubted) return { status, body: undefined }
  if (!isSuccess(status)) {
    throw failureOfStatus(call, status, {
      ...heard(body.isJson ? body.value : body.text, withoutKey),
      elsewhere: originAt(ending.answered, call.origin),
      retryAfterMs: settled.retryAfterMs,
    })
  }
  if (!body.isJson) {
    if (looksLikePage(body.text) && isWrite(call)) throw answeredByPage(call, status)
    // What a write answers cannot undo it: with a status of 2xx it is applied, readable or not.
    if (isWrite(call)) return { status, body: undefined }
    throw notUnderstood(call, 'The answer is not JSON; a proxy or a login page may have given it', status)
  }
  if (saysNo(body.value)) throw notSuccessful(call, status, heard(body.value, withoutKey))
  return { status, body: call.operation.answers.kind === 'nothing' ? undefined : body.value }
}

/** More than this is a page, not a sentence. In characters. */
const longestWords = 300

/** What the service says of an error. When it repeats the key, that gets onto no screen and into no log. */
function heard(body: Json, withoutKey: (text: string) => string): Said {
  const { message, issues } = readSaid(body)
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
function originAt({ headers }: Answered, base: string): string | undefined {
  const location = headers.get('location')
  if (!location || !URL.canParse(location, base)) return undefined
  const { protocol, origin } = new URL(location, base)
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined
}
