import { operations } from '../../api/contract/operations/operations.ts'
import type { JsonObject } from '../http/json.ts'
import type { Route } from '../http/register-route.ts'
import { answerIrish, answerUk } from './candidate-responses.ts'
import { resourceRoutes, type Service } from './resource-routes.ts'

/** Both variants of candidates. An id of one is not known to the other. */
export function candidateRoutes(service: Service): Route[] {
  const { create, list, get, update, createIreland, listIreland, getIreland, updateIreland } =
    operations.candidates
  const uk = { operations: { create, list, get, update }, variant: 'uk', answer: answerUk }
  const ireland = {
    operations: { create: createIreland, list: listIreland, get: getIreland, update: updateIreland },
    variant: 'ireland',
    answer: answerIrish,
  }
  return [uk, ireland].flatMap((variant) =>
    resourceRoutes({ ...variant, table: 'candidates', data: inEnvelope }, service),
  )
}

/** "`{ data: { candidate: <object>, success: boolean }, success: boolean }`". */
function inEnvelope(candidate: JsonObject): JsonObject {
  return { candidate, success: true }
}
