import type { ServerResponse } from 'node:http'
import { isObject, type Json, type JsonObject } from '../http/json.ts'
import type { Answer, Exchange, Fault } from './fault.ts'

/** Makes a JSON answer. */
export function jsonResponse(status: number, value: Json, headers: Answer['headers'] = {}): Answer {
  const body = Buffer.from(JSON.stringify(value))
  return { status, headers: { 'content-type': 'application/json', ...headers }, body }
}

/** Sends an answer unchanged. */
export function send(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  // 204 has no body and no length (RFC 9110).
  const length = status === 204 ? {} : { 'content-length': body.byteLength }
  outgoing.writeHead(status, { ...headers, ...length }).end(body)
}

/** Runs the handler and changes its answer before sending it. Refusals are sent unchanged. */
export function replaceResponse(change: (answer: Answer, exchange: Exchange) => Answer): Fault['act'] {
  return async (exchange) => {
    const answer = await exchange.apply()
    send(exchange.outgoing, answer.status < 300 ? change(answer, exchange) : answer)
  }
}

/** The same for the JSON of the answer. */
export function replaceJson(change: (json: JsonObject, exchange: Exchange) => JsonObject): Fault['act'] {
  return replaceResponse((answer, exchange) => {
    const { status, headers, body } = withBody(answer)
    const json: Json = JSON.parse(body.toString())
    return isObject(json) ? jsonResponse(status, change(json, exchange), headers) : answer
  })
}

/** Gives an answer without a body the smallest successful one, so that there is something to break. */
export function withBody(answer: Answer): Answer {
  if (answer.body.byteLength > 0) return answer
  return jsonResponse(answer.status === 204 ? 200 : answer.status, { success: true }, answer.headers)
}
