import { operations } from '../../api/contract/operations/operations.ts'
import type { VariantId } from '../../api/contract/variants.ts'
import type { JsonObject } from '../http/json.ts'
import type { Route } from '../http/register-route.ts'
import { answerIrish, answerUk } from './candidate-responses.ts'
import { type Resource, resourceRoutes, type Service } from './resource-routes.ts'

const { createIreland, listIreland, getIreland, updateIreland, ...uk } = operations.candidates

const variants: Readonly<Record<VariantId, Pick<Resource, 'operations' | 'answer'>>> = {
  uk: { operations: uk, answer: answerUk },
  ireland: {
    operations: { create: createIreland, list: listIreland, get: getIreland, update: updateIreland },
    answer: answerIrish,
  },
}

/** Candidates of every variant. An id belongs to one variant only. */
export function candidateRoutes(service: Service): Route[] {
  return Object.entries(variants).flatMap(([variant, own]) =>
    resourceRoutes({ ...own, variant, table: 'candidates', data: inEnvelope }, service),
  )
}

/** "`{ data: { candidate: <object>, success: boolean }, success: boolean }`". */
function inEnvelope(candidate: JsonObject): JsonObject {
  return { candidate, success: true }
}
