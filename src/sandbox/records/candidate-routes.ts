import { candidatesByVariant } from '../../api/contract/operations/operations.ts'
import { variants } from '../../api/contract/variants.ts'
import { countries } from '../countries/countries.ts'
import type { JsonObject } from '../http/json.ts'
import type { Resource } from './resource-routes.ts'

/** Candidates of every variant. An id belongs to one variant only. */
export const candidates: readonly Resource[] = variants.map(({ id }) => ({
  operations: candidatesByVariant[id],
  answer: countries[id].answer,
  variant: id,
  table: 'candidates',
  data: inEnvelope,
}))

/** "`{ data: { candidate: <object>, success: boolean }, success: boolean }`". */
function inEnvelope(candidate: JsonObject): JsonObject {
  return { candidate, success: true }
}
