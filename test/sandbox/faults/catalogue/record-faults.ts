import { isObject, type Json, type JsonObject } from '../../../../src/files/json/path.ts'
import { type Exchange, type Fault, jsonResponse, send } from '../../../../src/sandbox/faults/fault.ts'
import { isOne, replaceJson } from './answers.ts'

const answersRecords: Fault['on'] = ({ response }) => response.kind !== 'nothing'

/** Faults of `success` and of the record in an answer. */
export const recordFaults: readonly Fault[] = [
  {
    name: 'success-false',
    summary: 'answers 200 and success: false; nothing is done',
    applied: 'no',
    act: ({ outgoing }: Exchange) => {
      const error = { code: 'FAULT', message: 'The sandbox was told to fail' }
      send(outgoing, jsonResponse(200, { success: false, error }))
    },
  },
  {
    name: 'outer-success-false',
    summary: 'does what was asked, and answers it with success: false',
    applied: 'yes',
    act: replaceJson((json) => ({ ...json, success: false })),
  },
  {
    name: 'inner-success-false-before-commit',
    summary: 'answers 200, success: true outside and success: false inside of data; nothing is done',
    applied: 'no',
    on: isOne,
    act: ({ outgoing }: Exchange) =>
      send(outgoing, jsonResponse(200, { data: { success: false }, success: true })),
  },
  {
    name: 'inner-success-false',
    summary: 'does what was asked, and answers success: true outside and success: false inside of data',
    applied: 'yes',
    on: isOne,
    act: replaceJson((json) => ({
      ...json,
      success: true,
      data: { ...(isObject(json.data) && json.data), success: false },
    })),
  },
  {
    name: 'unknown-field',
    summary: 'gives every record an unknown field',
    applied: 'yes',
    on: answersRecords,
    act: replaceJson((json) => eachRecord(json, (record) => ({ ...record, addedLater: 'unknown' }))),
  },
  {
    name: 'missing-field',
    summary: 'leaves the id out of every record',
    applied: 'yes',
    on: answersRecords,
    act: replaceJson((json) => eachRecord(json, ({ id, ...record }) => record)),
  },
  {
    name: 'wrong-type',
    summary: 'gives every record an object for an id',
    applied: 'yes',
    on: answersRecords,
    act: replaceJson((json) =>
      eachRecord(json, (record) => ({ ...record, id: { value: record.id ?? null } })),
    ),
  },
]

/** Changes each record of an answer, under `data`, `data.candidate` or `items`. */
function eachRecord(json: JsonObject, change: (record: JsonObject) => JsonObject): JsonObject {
  const changed = (value: Json): Json => (isObject(value) ? change(value) : value)
  const { data, items } = json
  if (Array.isArray(data)) return { ...json, data: data.map(changed) }
  if (Array.isArray(items)) return { ...json, items: items.map(changed) }
  if (!isObject(data)) return change(json)
  const { candidate } = data
  return { ...json, data: isObject(candidate) ? { ...data, candidate: change(candidate) } : change(data) }
}
