import { operations } from '../../api/contract/operations/operations.ts'
import type { StoredRecord } from '../database/record-table.ts'
import type { JsonObject } from '../http/json.ts'
import type { Resource } from './resource-routes.ts'

/** The VAT codes: read only. */
export const vatCodes: Resource = {
  operations: operations.vatCodes,
  table: 'vatCodes',
  answer: answerVatCode,
}

/** "VAT code (nested in a payment rate)". */
export function answerVatCode({ id, sequence, body, createdAt, updatedAt }: StoredRecord): JsonObject {
  return { id, incrementId: sequence, ...body, author: null, createdAt, updatedAt, deletedAt: null }
}
