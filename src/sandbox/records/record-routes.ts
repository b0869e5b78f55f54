import { countries } from '../../api/contract/countries/countries.ts'
import { candidatesByCountry, operations } from '../../api/contract/operations/operations.ts'
import { paymentRate, paymentRateAnswer } from '../../api/contract/records/payment-rate.ts'
import { sandboxCountries } from '../countries/countries.ts'
import type { Database } from '../database/database.ts'
import type { StoredRecord } from '../database/record-table.ts'
import { type Json, type JsonObject, type Route, refusal } from '../requests.ts'
import { buildResponse } from './build-response.ts'
import { documentRoutes } from './document-routes.ts'
import { type Resource, resourceRoutes, type Service } from './resource-routes.ts'

/** Candidates of every country. An id belongs to one country only. */
const candidates: readonly Resource[] = countries.map(({ id }) => ({
  operations: candidatesByCountry[id],
  answer: sandboxCountries[id].answer,
  country: id,
  table: 'candidates',
  data: inEnvelope,
}))

/** "`{ data: { candidate: <object>, success: boolean }, success: boolean }`". */
function inEnvelope(candidate: JsonObject): JsonObject {
  return { candidate, success: true }
}

/** "author: string (user identifier)": the one user of the sandbox. */
const author = '00000000-0000-4000-8000-00000000a001'

const paymentRates: Resource = {
  operations: operations.paymentRates,
  table: 'paymentRates',
  check({ defaultVATCode }, database) {
    if (defaultVATCode === undefined || defaultVATCode === null || vatCodeOf(defaultVATCode, database)) return
    throw refusal(400, 'Unknown VAT code', [
      { path: 'defaultVATCode', message: 'must be the id of a VAT code' },
    ])
  },
  answer: (record, database) => answerRate(record, vatCodeOf(record.body.defaultVATCode, database)),
}

function vatCodeOf(id: Json | undefined, { tables }: Database): StoredRecord | undefined {
  return typeof id === 'string' ? tables.vatCodes.find('', id) : undefined
}

/**
 * "The request's includeInPayeCalculation appears as includeInPayeUmbrellaCalculation, and defaultVATCode is an
 * object rather than an identifier"; "hoursPerUnit: string (numeric text)".
 */
function answerRate(record: StoredRecord, vatCode: StoredRecord | undefined): JsonObject {
  const { id, sequence, body, createdAt, updatedAt } = record
  const { hoursPerUnit, includeInPayeCalculation } = body
  return {
    ...buildResponse(body, paymentRate.fields, paymentRateAnswer.fields),
    id,
    incrementId: sequence,
    hoursPerUnit: typeof hoursPerUnit === 'number' ? String(hoursPerUnit) : null,
    includeInPayeUmbrellaCalculation: includeInPayeCalculation ?? null,
    isStatutory: null,
    defaultVATCode: vatCode ? answerVatCode(vatCode) : null,
    author,
    createdAt,
    updatedAt,
  }
}

/** The VAT codes: read only. */
const vatCodes: Resource = {
  operations: operations.vatCodes,
  table: 'vatCodes',
  answer: answerVatCode,
}

/** "VAT code (nested in a payment rate)". */
function answerVatCode({ id, sequence, body, createdAt, updatedAt }: StoredRecord): JsonObject {
  return { id, incrementId: sequence, ...body, author: null, createdAt, updatedAt, deletedAt: null }
}

const { list, listLegacy } = operations.payslips

/** The payslips. No operation creates them: they come from `sandbox seed`. */
const payslips: readonly Resource[] = [
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

/** Every resource that is kept and answered in the usual way. Its table is made of its name in the contract. */
const resources: readonly Resource[] = [
  ...candidates,
  paymentRates,
  vatCodes,
  // "Fields of timesheet …: not shown." assumed: the answer is the timesheet as sent.
  { operations: operations.timesheets, table: 'timesheets' },
  ...payslips,
]

/** The routes of all resources. */
export function recordRoutes(service: Service): Route[] {
  return [...resources.flatMap((resource) => resourceRoutes(resource, service)), ...documentRoutes(service)]
}
