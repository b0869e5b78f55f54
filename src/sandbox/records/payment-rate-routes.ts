import { operations } from '../../api/contract/operations/operations.ts'
import { paymentRate, paymentRateAnswer } from '../../api/contract/records/payment-rate.ts'
import type { Database } from '../database/database.ts'
import type { StoredRecord } from '../database/record-table.ts'
import type { Json, JsonObject } from '../http/json.ts'
import { refusal } from '../http/refusal.ts'
import { buildResponse } from './build-response.ts'
import type { Resource } from './resource-routes.ts'
import { answerVatCode } from './vat-code-routes.ts'

/** "author: string (user identifier)": the one user of the sandbox. */
const author = '00000000-0000-4000-8000-00000000a001'

export const paymentRates: Resource = {
  operations: operations.paymentRates,
  table: 'paymentRates',
  check({ defaultVATCode }, database) {
    if (defaultVATCode === undefined || vatCodeOf(defaultVATCode, database)) return
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
