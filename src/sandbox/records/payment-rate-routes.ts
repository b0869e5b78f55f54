import { operations } from '../../api/contract/operations/operations.ts'
import { paymentRate, paymentRateAnswer } from '../../api/contract/records/payment-rate.ts'
import type { StoredRecord } from '../database/record-table.ts'
import type { Json, JsonObject } from '../http/json.ts'
import { refusal } from '../http/refusal.ts'
import type { Route } from '../http/register-route.ts'
import { buildResponse } from './build-response.ts'
import { resourceRoutes, type Service } from './resource-routes.ts'
import { answerVatCode } from './vat-code-routes.ts'

/** "author: string (user identifier)": the one user of the sandbox. */
const author = '00000000-0000-4000-8000-00000000a001'

export function paymentRateRoutes(service: Service): Route[] {
  const vatCode = (id: Json | undefined) =>
    typeof id === 'string' ? service.database.tables.vat_codes.find('', id) : undefined

  return resourceRoutes(
    {
      operations: operations.paymentRates,
      table: 'payment_rates',
      variant: '',
      check({ defaultVATCode }) {
        if (defaultVATCode === undefined || vatCode(defaultVATCode)) return
        throw refusal(400, 'Unknown VAT code', [
          { path: 'defaultVATCode', message: 'must be the id of a VAT code' },
        ])
      },
      answer: (record) => answerRate(record, vatCode(record.body.defaultVATCode)),
    },
    service,
  )
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
