import { candidate, candidateIreland } from '../../api/contract/candidate/candidate.ts'
import { candidateAnswer, candidateIrelandAnswer } from '../../api/contract/candidate/candidate-response.ts'
import type { Fields } from '../../api/contract/fields/field.ts'
import type { StoredRecord } from '../database/record-table.ts'
import { isObject, type Json, type JsonObject } from '../http/json.ts'
import { buildResponse, fieldsOf } from './build-response.ts'
import { irishDifferences, toBoolean } from './irish-setting.ts'

/** assumed: the answer for a UK candidate has the shape shown for an Irish one, and leaves nothing out. */
export function answerUk(record: StoredRecord): JsonObject {
  return answerCandidate(record, candidate.fields, candidateAnswer.fields)
}

/** "Ireland candidate (response of Create Ireland candidate)". */
export function answerIrish(record: StoredRecord): JsonObject {
  const answer = answerCandidate(record, candidateIreland.fields, candidateIrelandAnswer.fields)
  const { generalSetting, payrollSetting } = record.body
  return {
    ...answer,
    shareCodeVerified: toBoolean(asObject(generalSetting).shareCodeVerified),
    setting: { ...asObject(answer.setting), ...irishDifferences(asObject(payrollSetting)) },
  }
}

/**
 * "The response uses `bank` and `setting` where the request uses `bankSetting` and `payrollSetting`"; the
 * general fields are at the top, pensionSetting among them.
 */
function answerCandidate({ id, body }: StoredRecord, asked: Fields, answer: Fields): JsonObject {
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

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
