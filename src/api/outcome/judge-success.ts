import { duplicateNames } from '../../files/json/duplicate-names.ts'
import { formatPath, isObject, type Json, type JsonObject } from '../../files/json/path.ts'
import type { Operation } from '../../model/operations/operation.ts'
import { idOf } from '../../model/records/identity.ts'
import type { Body } from '../http/attempt.ts'
import { looksLikePage, readRecord } from '../response-body.ts'
import { isWrite } from './call-failure.ts'
import {
  complaintFields,
  complaintWord,
  doneFlags,
  envelopeNames,
  failureFlags,
  messageFields,
  plainName,
  refusalWord,
  resultFields,
  successFlags,
} from './refusal-words.ts'

/**
 * The meaning of a 2xx response. `success`: it worked. `refused`: it plainly says no, and `says` completes `The service
 * answered …`; `showsRecord`: of a write, but the record stands beside it, as if it had been applied. `doubtful`: it may not have worked, and `why` completes `The service answered 200 …`. `unreadable`: a web
 * page, or what a read cannot use.
 */
export type Judgement =
  | { readonly is: 'success' }
  | { readonly is: 'refused'; readonly says: string; readonly showsRecord?: true }
  | { readonly is: 'doubtful'; readonly why: string }
  | { readonly is: 'unreadable' }

const success: Judgement = { is: 'success' }
const doubtful = (why: string): Judgement => ({ is: 'doubtful', why })

/** 2xx that promise nothing: "Success statuses: 201 Created for the create operations shown." */
const unfinishedStatuses: Readonly<Record<number, string>> = {
  202: 'which does not say whether it will be applied',
  // "transferring one or more parts of the selected representation" (RFC 9110, 15.3.7): the rest may say no.
  206: 'which has only a part of the answer',
  207: 'which may mean that a part of it failed',
}

/**
 * Decides whether a 2xx response is a success, for every operation. A write is confirmed by what interface.md shows
 * ("Success responses carry `success: true` in the envelope", "201, no body"), by a record of the kind that was sent, or
 * by 204. An answer that says no is a refusal; any other answer to a write is a doubt.
 */
export function judgeSuccess(operation: Operation, status: number, body: Body): Judgement {
  const unfinished = unfinishedStatuses[status]
  if (!body.isJson) {
    if (!isWrite({ operation }) || looksLikePage(body.text)) return { is: 'unreadable' }
    if (unfinished !== undefined) return doubtful(unfinished)
    if (body.text.trim() === '') return judgeNothing(operation, status)
    return doubtful(/^\s*[[{]/.test(body.text) ? 'with damaged JSON' : withWords)
  }
  const objection = findObjection(operation, body.value)
  if (objection) return objection
  // JSON.parse has kept only the last of them: `{"success":false,"success":true}` says both.
  const twice = isWrite({ operation })
    ? duplicateNames(body.text, body.value).find((place) => place.every((part) => typeof part === 'string'))
    : undefined
  if (twice) return doubtful(`with ${formatPath(twice)} more than once`)
  if (unfinished !== undefined) return doubtful(unfinished)
  if (!isWrite({ operation })) return success
  if (holdsNothing(body.value)) return judgeNothing(operation, status)
  if (typeof body.value !== 'object') return doubtful(withWords)
  if (isConfirmed(operation, body.value)) return success
  return doubtful(documentsResponse(operation) ? withoutRecord : 'without saying that it was done')
}

const withoutRecord = 'without the record that the answer should contain'
const withWords = 'with text instead of JSON'

/** null, an empty text, object or list. */
const holdsNothing = (value: Json) =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)

/** Judges an answer without content: "201, no body". The user of a raw call sees that it has none. */
function judgeNothing(operation: Operation, status: number): Judgement {
  if (documentsResponse(operation)) return doubtful(withoutRecord)
  const isShown = operation.known === 'documented' && operation.response.kind === 'nothing' && status === 201
  return isShown || status === 204 || isRaw(operation) ? success : doubtful('without a body')
}

/** Whether a body says that a write worked. Raw calls and token requests have no shape to hold it against. */
function isConfirmed(operation: Operation, body: Json): boolean {
  const { response } = operation
  if (isRaw(operation)) return true
  if (!isObject(body)) return false
  if (body.success === true || (isObject(body.data) && body.data.success === true)) return true
  if (response.kind === 'one' && !response.type) return true
  const record = recordIn(operation, body)
  return record !== undefined && isRecord(operation, record)
}

/** What in a JSON body contradicts its 2xx status. */
function findObjection(operation: Operation, body: Json): Judgement | undefined {
  if (!isObject(body)) return undefined
  const parts = [body, ...inside(body), ...inside(body).flatMap(inside)].map((part) => ({
    part,
    isOwn: () => isOwnRecord(operation, part),
  }))
  const flags = parts.flatMap(({ part, isOwn }) =>
    flagsIn(operation, part).filter(({ name }) => name === 'success' || !isOwn()),
  )
  const no = [...flags, ...deeperRefusals(operation, parts)].find(({ says }) => says === 'no')
  const showsRecord = isWrite({ operation }) && showsOwnRecord(operation, body)
  if (no) return { is: 'refused', says: no.what, ...(showsRecord && { showsRecord }) }
  // The user of a raw read sees the body itself.
  if (isRaw(operation) && !isWrite({ operation })) return undefined
  if (flags.some(({ says }) => says === 'unclear')) return doubtful('without success: true')
  const isDone = flags.some(({ says }) => says === 'yes') || hasContent(operation, body)
  const reported = findReportedError(operation, body)
  if (reported !== undefined) {
    const { says, isServerFault } = reported
    return isDone || isServerFault || !isWrite({ operation }) ? doubtful(says) : { is: 'refused', says }
  }
  const refusal = parts.flatMap(({ part, isOwn }) => (isOwn() ? [] : (refusalIn(part) ?? [])))[0]
  if (refusal !== undefined && !isDone) return { is: 'refused', says: refusal }
  // Who reads has what was asked for.
  if (refusal !== undefined && isWrite({ operation })) return doubtful(refusal)
  const complaint = !isDone && parts.some(({ part }) => complains(part))
  return complaint ? { is: 'refused', says: 'with a message and nothing else' } : undefined
}

/**
 * The `success` flags one level below the envelope, under a name that the service chose: `data.candidate.success`. The
 * objects inside a record are fields of it and say nothing of the write.
 */
function deeperRefusals(
  operation: Operation,
  parts: readonly { readonly part: JsonObject; readonly isOwn: () => boolean }[],
): Flag[] {
  if (!isWrite({ operation })) return []
  const below = parts.flatMap(({ part, isOwn }) => (isOwn() ? [] : Object.values(part).filter(isObject)))
  return below.flatMap((each) => flagsIn(operation, each).filter(({ name }) => name === 'success'))
}

interface ReportedError {
  /** Completes `The service answered …`. */
  readonly says: string
  /** 408, or 500 and more: a write may have been applied, as after such a status of HTTP. */
  readonly isServerFault: boolean
}

/** The error that a body reports under `error` or `errors`, or as a status of 400 or more. */
function findReportedError(operation: Operation, body: JsonObject): ReportedError | undefined {
  const data = isObject(body.data) ? body.data : {}
  // A record may have a field of that name.
  const envelopes = idOf(data) === undefined ? [body, data] : [body]
  const errors = envelopes.flatMap(({ error, errors }) => [error, errors].filter(isFilled))
  const coded = [body, ...errors.filter(isObject)]
  // The code of a payment rate may be a number.
  const namesIn = (object: JsonObject) =>
    object === body && isRecord(operation, body) ? statusNames.slice(0, 2) : statusNames
  const statuses = coded.flatMap((object) =>
    namesIn(object).flatMap((name) => (isErrorStatus(object[name]) ? [{ name, value: object[name] }] : [])),
  )
  const isServerFault = statuses.some(({ value }) => /^(408$|5)/.test(String(value)))
  if (errors.length > 0) return { says: 'with an error', isServerFault }
  const [first] = statuses
  return first && { says: `with ${first.name} ${String(first.value)} in its body`, isServerFault }
}

/** Where a body repeats the status of HTTP. A record may have the last. */
const statusNames = ['statusCode', 'status', 'code'] as const

/** The objects in which a service may speak of the result. */
function inside(object: JsonObject): JsonObject[] {
  return Object.entries(object).flatMap(([name, value]) =>
    envelopeNames.has(plainName(name)) && isObject(value) ? [value] : [],
  )
}

interface Flag {
  readonly name: string
  readonly says: 'yes' | 'no' | 'unclear'
  /** As it stands in the body: `success: false`. */
  readonly what: string
}

function flagsIn(operation: Operation, object: JsonObject): Flag[] {
  const doneFlag = isWrite({ operation }) ? doneFlags[operation.method] : undefined
  return Object.entries(object).flatMap(([written, value]) => {
    const name = plainName(written)
    const says =
      successFlags.has(name) || doneFlag?.has(name)
        ? saidBy(value)
        : failureFlags.has(name)
          ? opposite[saidBy(value)]
          : undefined
    // Only of `success` the document says that it is true.
    if (says === undefined || (says === 'unclear' && name !== 'success')) return []
    return [{ name, says, what: `${written}: ${String(value)}` }]
  })
}

/** "success: boolean": true is the one value that says yes; a text is no flag, but its no is one. */
function saidBy(value: Json): Flag['says'] {
  if (value === true) return 'yes'
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value
  return [false, 0, 'false', 'no', '0'].some((each) => each === text) ? 'no' : 'unclear'
}

const opposite = { yes: 'no', no: 'yes', unclear: 'unclear' } as const

/** The word or the field with which an object says that it did not work: `with status: error`. */
function refusalIn(object: JsonObject): string | undefined {
  for (const [written, value] of Object.entries(object)) {
    const name = plainName(written)
    if (resultFields.has(name) && typeof value === 'string' && refusalWord.test(value.trim())) {
      return `with ${written}: ${value.trim()}`
    }
    if (complaintFields.has(name) && isFilled(value)) {
      return typeof value === 'object' ? `with ${written}` : `with ${written}: ${String(value)}`
    }
  }
  return undefined
}

/** Whether an object holds a sentence that says no: `{"message": "NI number already used"}`. */
function complains(object: JsonObject): boolean {
  const { always, inErrors } = messageFields
  const names = idOf(object) === undefined ? [...always, ...inErrors] : always
  return Object.entries(object).some(
    ([name, value]) =>
      names.includes(plainName(name)) && typeof value === 'string' && complaintWord.test(value),
  )
}

/** Whether the words of an object are a record's own: a timesheet may have been saved as REJECTED. */
const isOwnRecord = (operation: Operation, object: JsonObject) =>
  isWrite({ operation }) ? hasFieldOf(operation, object) : isRecord(operation, object)

/** Whether a body has a record or a list, besides what it says of the result: of a write, a list that has a record in it. */
function hasContent(operation: Operation, body: JsonObject): boolean {
  const lists = [body.data, body.items].filter((each) => Array.isArray(each))
  const hasOne = (list: Json[]) => list.some((item) => isObject(item) && isRecord(operation, item))
  if (isWrite({ operation }) ? lists.some(hasOne) : lists.length > 0) return true
  const record = recordIn(operation, body)
  return record !== undefined && isOwnRecord(operation, record)
}

/** Whether the answer to a write has its record: an error may have an id too, but not inside of an envelope. */
function showsOwnRecord(operation: Operation, body: JsonObject): boolean {
  const record = recordIn(operation, body)
  return hasContent(operation, body) || (record !== body && idOf(record) !== undefined)
}

/** Whether a person typed the method and the path: `payroll api GET /svc/…`. */
export const isRaw = ({ group }: Operation) => group === 'api'

function isFilled(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (isObject(value)) return Object.keys(value).length > 0
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 0
}

/** 400 or more, as a number or as text; "ACTIVE" is not an error status. */
function isErrorStatus(value: Json): boolean {
  return (
    (typeof value === 'number' || (typeof value === 'string' && /^\d{3,9}$/.test(value))) && +value >= 400
  )
}

/** Whether interface.md shows the record that a write answers. */
function documentsResponse({ known, response }: Operation): boolean {
  return known === 'documented' && response.kind === 'one' && response.type !== undefined
}

const recordIn = ({ response }: Operation, body: JsonObject): JsonObject | undefined =>
  readRecord(response.kind === 'one' ? response : { kind: 'one' }, body)

/** Field names that error bodies use too. */
const errorFieldNames = new Set([
  'id',
  'code',
  'status',
  'type',
  'name',
  'title',
  'reason',
  'description',
  'createdAt',
])

/** Whether an object is a record: it has an id, or a field that such a record has but an error does not. */
const isRecord = (operation: Operation, object: JsonObject) =>
  idOf(object) !== undefined || hasFieldOf(operation, object)

/** Whether an object has a field that a record of the operation has, as it is sent or answered, but an error does not. */
function hasFieldOf({ response, requestRecord }: Operation, object: JsonObject): boolean {
  const answered = response.kind === 'nothing' ? undefined : response.type
  return [answered, requestRecord, requestRecord?.answer?.type].some((type) =>
    Object.keys(type?.fields ?? {}).some((name) => !errorFieldNames.has(name) && Object.hasOwn(object, name)),
  )
}
