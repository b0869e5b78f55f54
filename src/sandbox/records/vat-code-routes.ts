import { operations } from '../../api/contract/operations/operations.ts'
import type { StoredRecord } from '../database/record-table.ts'
import type { JsonObject } from '../http/json.ts'
import type { Route } from '../http/register-route.ts'
import { resourceRoutes, type Service } from './resource-routes.ts'

/** The VAT codes: read only. */
export function vatCodeRoutes(service: Service): Route[] {
  return resourceRoutes(
    { operations: operations.vatCodes, table: 'vat_codes', variant: '', answer: answerVatCode },
    service,
  )
}

/** "VAT code (nested in a payment rate)". */
export function answerVatCode({ id, sequence, body, createdAt, updatedAt }: StoredRecord): JsonObject {
  return { id, incrementId: sequence, ...body, author: null, createdAt, updatedAt, deletedAt: null }
}
