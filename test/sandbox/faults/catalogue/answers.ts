import { isObject, type Json, type JsonObject } from '../../../../src/files/json/path.ts'
import type { Operation } from '../../../../src/model/operations/operation.ts'
import {
  type Exchange,
  type Fault,
  jsonResponse,
  replaceResponse,
  withBody,
} from '../../../../src/sandbox/faults/fault.ts'

export const isPage = ({ response }: Operation) => response.kind === 'page'
export const isOne = ({ response }: Operation) => response.kind === 'one'

/** Runs the handler and changes the JSON of its answer before sending it. Refusals are sent unchanged. */
export function replaceJson(change: (json: JsonObject, exchange: Exchange) => JsonObject): Fault['act'] {
  return replaceResponse((answer, exchange) => {
    const { status, headers, body } = withBody(answer)
    const json: Json = JSON.parse(body.toString())
    return isObject(json) ? jsonResponse(status, change(json, exchange), headers) : answer
  })
}
