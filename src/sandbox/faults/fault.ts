import type { ServerResponse } from 'node:http'
import type { Json } from '../../files/json/path.ts'
import type { Operation } from '../../model/records/operation.ts'

/** One way in which a service, or a proxy in front of it, can fail. */
export interface Fault {
  readonly name: string
  /** One sentence: what a client meets. */
  readonly summary: string
  /** Whether the request is carried out. */
  readonly applied: 'yes' | 'no'
  /** The operations that it can happen to; all by default. */
  readonly on?: (operation: Operation) => boolean
  /** The id of the operation that it happens to by default; without one, all that it can happen to. */
  readonly usualScope?: string
  readonly act: (exchange: Exchange) => void | Promise<void>
}

/** One request that meets a fault, and what can be done with it. */
export interface Exchange {
  readonly operation: Operation
  readonly url: URL
  /** The service's clock, in milliseconds since 1970. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Runs the handler without sending its answer. */
  readonly apply: () => Promise<FaultAnswer>
  readonly outgoing: ServerResponse
}

/** An answer that has not been sent. */
export interface FaultAnswer {
  readonly status: number
  /** Lower-case names. No content-length: `send` adds it. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Makes a JSON answer. */
export function jsonAnswer(status: number, value: Json, headers: FaultAnswer['headers'] = {}): FaultAnswer {
  const body = Buffer.from(JSON.stringify(value))
  return { status, headers: { 'content-type': 'application/json', ...headers }, body }
}

/** Sends an answer unchanged. 204 has no body and no length (RFC 9110). */
export function sendAnswer(outgoing: ServerResponse, { status, headers, body }: FaultAnswer): void {
  const length = status !== 204 && { 'content-length': body.byteLength }
  outgoing.writeHead(status, { ...headers, ...length }).end(body)
}

/** Runs the handler and changes its answer before sending it. Refusals are sent unchanged. */
export function replaceAnswer(
  change: (answer: FaultAnswer, exchange: Exchange) => FaultAnswer,
): Fault['act'] {
  return async (exchange) => {
    const answer = await exchange.apply()
    sendAnswer(exchange.outgoing, answer.status < 300 ? change(answer, exchange) : answer)
  }
}
