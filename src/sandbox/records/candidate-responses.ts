import type { Fields } from '../../api/contract/fields/field.ts'
import type { StoredRecord } from '../database/record-table.ts'
import { isObject, type Json, type JsonObject } from '../http/json.ts'
import { buildResponse, fieldsOf } from './build-response.ts'

/**
 * "The response uses `bank` and `setting` where the request uses `bankSetting` and `payrollSetting`"; the
 * general fields are at the top, pensionSetting among them.
 */
export function answerCandidate({ id, body }: StoredRecord, asked: Fields, answer: Fields): JsonObject {
  const { generalSetting, bankSetting, payrollSetting, ...unknown } = body
  const general = buildResponse(generalSetting, fieldsOf(asked, 'generalSetting'), answer)
  return {
    ...unknown,
    ...general,
    bank: buildResponse(bankSetting, fieldsOf(asked, 'bankSetting'), fieldsOf(answer, 'bank')),
    setting: buildResponse(payrollSetting, fieldsOf(asked, 'payrollSetting'), fieldsOf(answer, 'setting')),
    id,
    status: 'ACTIVE',
    dateLeft: null,
    reason: null,
    registrationStatus: completedStatus(general.registrationStatus),
  }
}

/** "registrationStatus `ONGOING` (request) and `REGISTRATION_COMPLETE` (response)". "Transitions: not shown." */
function completedStatus(status: Json | undefined): Json {
  return status === 'ONGOING' ? 'REGISTRATION_COMPLETE' : (status ?? null)
}

/** The object; an empty one in the place of anything else. */
export function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
