import { isObject, type Json, type JsonObject } from '../../files/json/path.ts'
import type { Field, Fields } from '../../model/fields/field.ts'
import { onceFor } from '../../once.ts'
import type { SentRecord } from './sandbox-country.ts'

/** "The response uses `bank` and `setting` where the request uses `bankSetting` and `payrollSetting`". */
export function answerCandidate({ id, body }: SentRecord, requestFields: Fields, answer: Fields): JsonObject {
  const { generalSetting, bankSetting, payrollSetting, ...unknown } = body
  const general = buildAnswer(generalSetting, fieldsOfSection(requestFields, 'generalSetting'), answer)
  const { registrationStatus: status = null } = general
  return {
    ...unknown,
    ...general,
    bank: buildAnswer(
      bankSetting,
      fieldsOfSection(requestFields, 'bankSetting'),
      fieldsOfSection(answer, 'bank'),
    ),
    setting: buildAnswer(
      payrollSetting,
      fieldsOfSection(requestFields, 'payrollSetting'),
      fieldsOfSection(answer, 'setting'),
    ),
    id,
    status: 'ACTIVE',
    dateLeft: null,
    reason: null,
    // "registrationStatus `ONGOING` (request) and `REGISTRATION_COMPLETE` (response)". "Transitions: not shown."
    registrationStatus: status === 'ONGOING' ? 'REGISTRATION_COMPLETE' : status,
  }
}

/** The object, or an empty one for any other value. */
export const objectOrEmpty = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

/**
 * The answer for an object that was sent: every declared field of an answer, and every undeclared one.
 * assumed: without a value a field is null, a list empty, and an object has its own fields.
 */
export function buildAnswer(body: Json | undefined, requestFields: Fields, answer: Fields): JsonObject {
  const isAnswered = (name: string) => Object.hasOwn(answer, name)
  const entries = Object.entries(objectOrEmpty(body))
    .filter(([name]) => isAnswered(name) || !Object.hasOwn(requestFields, name))
    .map(([name, value]) => [
      name,
      isAnswered(name) ? inForm(value, requestFields[name], answer[name] as Field) : value,
    ])
  return { ...answerWithoutValues(answer), ...Object.fromEntries(entries) }
}

const answerWithoutValues = onceFor(
  (answer: Fields): JsonObject =>
    Object.fromEntries(Object.entries(answer).map(([name, field]) => [name, withoutValue(field)])),
)

function fieldsOfSection(fields: Fields, name: string): Fields {
  return fields[name]?.fields ?? {}
}

function inForm(value: Json, requestField: Field | undefined, field: Field): Json {
  if (field.type === 'object' && isObject(value))
    return buildAnswer(value, requestField?.fields ?? {}, field.fields ?? {})
  // The pension's timestamps are answered as date strings.
  if (field.type === 'date' && typeof value === 'string') {
    return value.replace(/^(\d{4}-\d\d-\d\d)T.*$/s, '$1')
  }
  return value
}

function withoutValue(field: Field): Json {
  if (field.type === 'object') return answerWithoutValues(field.fields ?? {})
  return field.type === 'array' || field.type === 'lines' ? [] : null
}
