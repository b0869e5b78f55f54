import { operations } from '../../api/contract/operations/operations.ts'
import type { VariantId } from '../../api/contract/variants.ts'
import type { JsonObject } from '../http/json.ts'
import { answerIrish, answerUk } from './candidate-responses.ts'
import type { Resource } from './resource-routes.ts'

const { createIreland, listIreland, getIreland, updateIreland, ...uk } = operations.candidates

const variants: Readonly<Record<VariantId, Pick<Resource, 'operations' | 'answer'>>> = {
  uk: { operations: uk, answer: answerUk },
  ireland: {
    operations: { create: createIreland, list: listIreland, get: getIreland, update: updateIreland },
    answer: answerIrish,
  },
}

/** Candidates of every variant. An id belongs to one variant only. */
export const candidates: readonly Resource[] = Object.entries(variants).map(([variant, own]) => ({
  ...own,
  variant,
  table: 'candidates',
  data: inEnvelope,
}))

/** "`{ data: { candidate: <object>, success: boolean }, success: boolean }`". */
function inEnvelope(candidate: JsonObject): JsonObject {
  return { candidate, success: true }
}
