import { operations } from '../../api/contract/operations/operations.ts'
import type { StoredRecord } from '../database/record-table.ts'
import type { JsonObject } from '../http/json.ts'
import type { Resource } from './resource-routes.ts'

const { list, listLegacy } = operations.payslips

/** The payslips. No operation creates them: they come from `sandbox seed`. */
export const payslips: readonly Resource[] = [
  { table: 'payslips', operations: { list }, answer: answerPayslip },
  { table: 'payslips', operations: { list: listLegacy }, answer: answerLegacy, page: legacyPage },
]

function answerPayslip({ id, body }: StoredRecord): JsonObject {
  return { id, ...body }
}

/** "a legacy-shape operation labelled v1". assumed: the same payslips, but three fields have shorter names. */
function answerLegacy({ id, body }: StoredRecord): JsonObject {
  const { taxPeriod = null, agencyName = null, subcontractorName = null, ...same } = body
  return { id, period: taxPeriod, agency: agencyName, subcontractor: subcontractorName, ...same }
}

/** assumed: the legacy shape of a page. */
function legacyPage(items: readonly JsonObject[], totalDocs: number): JsonObject {
  return { items, meta: { totalDocs } }
}
