import { duplicateNames } from '../../files/json/duplicate-names.ts'
import { formatPath, isObject, type Json, type JsonObject } from '../../files/json/path.ts'
import { idOf, idText } from '../../model/records/identity.ts'
import { answerType, isWrite, type Operation } from '../../model/records/operation.ts'
import type { Body } from '../http/attempt.ts'
import { type Envelope, looksLikePage } from '../response-body.ts'

/**
 * The meaning of a 2xx response. `refused`: it says no. `doubtful`: it may not have worked. `unreadable`: a read cannot
 * use it. `says` and `why` complete `The service answered …`.
 */
type Judgement =
  | { readonly kind: 'success' }
  | { readonly kind: 'refused'; readonly says: string }
  | { readonly kind: 'doubtful'; readonly why: string }
  | { readonly kind: 'unreadable' }

const success: Judgement = { kind: 'success' }
const doubtful = (why: string): Judgement => ({ kind: 'doubtful', why })

/**
 * 2xx that promise nothing: "Success statuses: 201 Created for the create operations shown." 202 is a request that
 * waits, 206 a part of an answer, and of 207 a part may have failed.
 */
const unfinishedStatuses = [202, 206, 207]

/**
 * Judges a 2xx response of any operation. A write is confirmed by what interface.md shows ("Success responses
 * carry `success: true` in the envelope", "201, no body"), by a record of its kind or by 204. Anything else
 * is a doubt, unless it says no.
 */
export function judgeSuccess(
  operation: Operation,
  status: number,
  body: Body,
  envelope: Envelope | undefined,
): Judgement {
  const isUnfinished = unfinishedStatuses.includes(status)
  if (!body.isJson || !envelope) {
    if (!isWrite(operation) || looksLikePage(body.text)) return { kind: 'unreadable' }
    if (isUnfinished) return doubtful(unfinished)
    return body.text.trim() === '' ? judgeNothing(operation, status) : doubtful(withWords)
  }
  const objection = findObjection(operation, envelope)
  if (objection) return objection
  // JSON.parse keeps only the last of equal names: `{"success":false,"success":true}` says both. What a write is answered
  // in a list says nothing of it.
  const twice = duplicateNames(body.text, body.value).find(
    (place) => !isWrite(operation) || place.every((part) => typeof part === 'string'),
  )
  if (twice) return doubtful(`with ${formatPath(twice)} more than once`)
  if (isUnfinished) return doubtful(unfinished)
  if (!isWrite(operation)) return isBareMessage(operation, envelope) ? doubtful(withoutRecord) : success
  if (holdsNothing(body.value)) return judgeNothing(operation, status)
  if (typeof body.value !== 'object') return doubtful(withWords)
  if (isConfirmed(operation, envelope)) return success
  return doubtful(documentsResponse(operation) ? withoutRecord : 'without saying that it was done')
}

const withoutRecord = 'without the record that the answer should contain'
const withWords = 'with text that is not JSON'
const unfinished = 'which does not say that all of it was done'

/** null, an empty text, object or list. */
const holdsNothing = (value: Json) =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)

/** Judges an answer without content: "201, no body". The user of a raw call sees that it has none. */
function judgeNothing(operation: Operation, status: number): Judgement {
  if (documentsResponse(operation)) return doubtful(withoutRecord)
  const isShown = operation.known === 'documented' && operation.response.kind === 'nothing' && status === 201
  return isShown || status === 204 || isRaw(operation) ? success : doubtful('without a body')
}

/** Whether an answer says that a write worked. Raw calls and token requests have no shape to hold it against. */
function isConfirmed(operation: Operation, { record, success }: Envelope): boolean {
  const { response } = operation
  if (isRaw(operation) || success.includes(true)) return true
  if (response.kind === 'one' && !response.type) return record !== undefined
  return record !== undefined && isRecord(operation, record)
}

/** assumed: where an answer without `success` says in a word, or by a status of HTTP, that it did not work. */
const resultNames = ['status', 'statusCode', 'result'] as const
const refusalStatus = /^[45]\d\d$/
const serverFault = /^(408|5\d\d)$/
const refusalWord = /^([45]\d\d|errors?|fail(ed|ure)?|rejected|refused)$/i

/** What an object says of the result, where that is a no: `with status: error`. */
function saidBy(object: JsonObject, no: RegExp): string | undefined {
  const name = resultNames.find((each) => no.test(String(object[each]).trim()))
  return name && `with ${name}: ${String(object[name]).trim()}`
}

/** The judgement of a JSON body that contradicts its 2xx status; undefined for any other. */
function findObjection(operation: Operation, envelope: Envelope): Judgement | undefined {
  const { success, errors, levels } = envelope
  const writes = isWrite(operation)
  const hasRecord = showsRecord(operation, envelope)
  if (success.includes(false))
    return writes && hasRecord
      ? doubtful('with the record and success: false')
      : { kind: 'refused', says: 'success: false' }
  // The user of a raw read sees the body itself.
  if (isRaw(operation) && !writes) return undefined
  if (success.some((each) => each !== true)) return doubtful('but did not say success: true')
  const isDone = success.includes(true) || hasRecord
  // A word in the record itself is a field of it: a timesheet may have been saved as REJECTED. A read with content got
  // what it asked for.
  const mayHaveWord = (level: JsonObject) =>
    hasFieldOf(operation, level) || (!writes && (isDone || idOf(level) !== undefined))
  const said = levels.flatMap((level) => {
    const word = saidBy(level, refusalWord)
    return (word !== undefined && mayHaveWord(level) ? saidBy(level, refusalStatus) : word) ?? []
  })
  const why = errors.length > 0 ? 'with an error' : said[0]
  if (why === undefined) return undefined
  // After such a status of HTTP a write may have been applied.
  const isFault = [...levels, ...errors.filter(isObject)].some((each) => saidBy(each, serverFault))
  return !writes || isDone || isFault ? doubtful(why) : { kind: 'refused', says: why }
}

/** Whether an answer has its record, or a list; for a write, a list with a record in it. */
function showsRecord(operation: Operation, { record, items }: Envelope): boolean {
  if (items) return !isWrite(operation) || items.some((item) => isObject(item) && isRecord(operation, item))
  return record !== undefined && isRecord(operation, record)
}

/** Whether a person typed the method and the path: `payroll api GET /svc/…`. */
export const isRaw = ({ group }: Operation) => group === 'api'

function documentsResponse({ known, response }: Operation): boolean {
  return known === 'documented' && response.kind === 'one' && response.type !== undefined
}

/** Field names that error bodies use too. */
const errorFieldNames =
  'id code status type name title reason description detail message msg createdAt'.split(' ')

/** assumed: names with which an answer speaks of the result, and not of a person or a rate. */
const resultWords = /^(code|msg|detail|reason|ok)$|message|error|fault|fail|succe/i

/** Whether the answer to a read speaks of the result alone: `{"message": "NI number already used"}`. */
function isBareMessage(operation: Operation, { record }: Envelope): boolean {
  const { response } = operation
  if (record === undefined || response.kind !== 'one' || !response.type) return false
  if (idOf(record) !== undefined || hasFieldOf(operation, record)) return false
  return Object.keys(record).some((name) => name === 'status' || resultWords.test(name))
}

/** Whether an object is a record: it has a field that its kind has but an error does not, or an id and no words of a result. */
function isRecord(operation: Operation, object: JsonObject): boolean {
  if (hasFieldOf(operation, object)) return true
  const names = knownFields(operation)
  const speaks = Object.keys(object).some((name) => resultWords.test(name) && !names.includes(name))
  return idOf(object) !== undefined && !speaks
}

/** Whether the answer to a create names its record, and shows nothing of it. */
export const saysOnlyId = (operation: Operation, record: JsonObject) =>
  !hasFieldOf(operation, record) &&
  Object.entries(record).every(
    ([name, value]) => errorFieldNames.includes(name) || idText(value) === idOf(record),
  )

/** Whether the answer to a create has neither an id nor a field of its record, nor a part with one: `{"success": true, "data": "7f3a"}`. */
export const showsNoRecord = (operation: Operation, record: JsonObject) =>
  idOf(record) === undefined && !Object.values(record).some(isObject) && !hasFieldOf(operation, record)

/** Whether an object has a field of the operation's record that no error has. */
const hasFieldOf = (operation: Operation, object: JsonObject) =>
  knownFields(operation).some((name) => !errorFieldNames.includes(name) && Object.hasOwn(object, name))

/** The fields of the operation's record, sent or answered. */
function knownFields(operation: Operation): string[] {
  const { requestRecord } = operation
  const types = [answerType(operation), requestRecord, requestRecord?.answer?.type]
  return types.flatMap((type) => Object.keys(type?.fields ?? {}))
}
