import { duplicateEnvelopeName } from '../../files/json/duplicate-names.ts'
import { formatPath, isObject, type Json, type JsonObject } from '../../files/json/path.ts'
import { isWrite, type Method, type Operation } from '../../model/operations/operation.ts'
import { idOf, plainName } from '../../model/records/identity.ts'
import type { Body } from '../http/attempt.ts'
import { looksLikePage, unwrapRecord } from '../response-body.ts'

/**
 * The meaning of a 2xx response. `refused`: it says no; `showsRecord`: but with the record, as if applied.
 * `doubtful`: it may not have worked. `unreadable`: a read cannot use it. `says` and `why` complete `The
 * service answered …`.
 */
type Judgement =
  | { readonly kind: 'success' }
  | { readonly kind: 'refused'; readonly says: string; readonly showsRecord?: boolean }
  | { readonly kind: 'doubtful'; readonly why: string }
  | { readonly kind: 'unreadable' }

const success: Judgement = { kind: 'success' }
const doubtful = (why: string): Judgement => ({ kind: 'doubtful', why })

/** 2xx that promise nothing: "Success statuses: 201 Created for the create operations shown." */
const unfinishedStatuses: Readonly<Record<number, string>> = {
  202: 'which does not say whether it will be applied',
  // "transferring one or more parts of the selected representation" (RFC 9110, 15.3.7): the rest may say no.
  206: 'which has only a part of the answer',
  207: 'which may mean that a part of it failed',
}

/**
 * Judges a 2xx response of any operation. A write is confirmed by what interface.md shows ("Success responses
 * carry `success: true` in the envelope", "201, no body"), by a record of its kind or by 204. Anything else
 * is a doubt, unless it says no.
 */
export function judgeSuccess(operation: Operation, status: number, body: Body): Judgement {
  const unfinished = unfinishedStatuses[status]
  if (!body.isJson) {
    if (!isWrite(operation) || looksLikePage(body.text)) return { kind: 'unreadable' }
    if (unfinished !== undefined) return doubtful(unfinished)
    if (body.text.trim() === '') return judgeNothing(operation, status)
    return doubtful(/^\s*[[{]/.test(body.text) ? 'with damaged JSON' : withWords)
  }
  const objection = findObjection(operation, body.value)
  if (objection) return objection
  // JSON.parse keeps only the last of equal names: `{"success":false,"success":true}` says both.
  const twice = isWrite(operation) ? duplicateEnvelopeName(body.text, body.value) : undefined
  if (twice) return doubtful(`with ${formatPath(twice)} more than once`)
  if (unfinished !== undefined) return doubtful(unfinished)
  if (!isWrite(operation)) return isBareMessage(operation, body.value) ? doubtful(withoutRecord) : success
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

/** assumed: how services say yes and no beside `success`, because error bodies are "not shown". */
const says = {
  /** Around an answer, or beside it. */
  envelope: /^(data|result|response|payload|body|meta|status)$/,
  /** True when it worked. */
  yes: /^(is|was)?(success|successful|succeeded|ok|valid)$/,
  /** True when it did not. */
  no: /^(failed|failure|(is|has)(failed|failures?|errors?))$/,
  /** The field that names the result in a word: `status: "error"`, `code: "VALIDATION_ERROR"`. */
  result:
    /^(status|statustext|state|result|outcome|type|kind|severity|level|ack|(result|response|return|status)?code|(result|response)status)$/,
  /** A field that an answer has only when something went wrong. */
  complaint:
    /^(error(code|message|msg|description|type|details?|reason|id)|faults?|fault(code|string)|exception|(validation|field)errors|validationmessages|violations|failures|(failure|rejection)reason|invalid(fields|params))$/,
} as const

/** Flags that are true when a write was done. A saved record may still be shown with `deleted: false`. */
const doneFlags: Readonly<Partial<Record<Method, RegExp>>> = {
  POST: /^(is|was)?(created|added|inserted|stored|saved)$/,
  PUT: /^(is|was)?(updated|changed|modified|stored|saved)$/,
  DELETE: /^(is|was)?(deleted|removed)$/,
}

/** A word in a field of the result that says that it did not work. */
const refusalWord = new RegExp(
  `^(${[
    '(.*[ _-])?(errors?|fail|failed|failure|fault|exception|invalid|rejected|refused|denied|declined)',
    '(err|error|invalid|missing|duplicate|not|bad|validation|illegal)[ _-].+',
    '(validation|server|internal|client|input|data)(error|failure|exception)',
    '(bad|invalid)request|unprocessable.*|unauthori[sz]ed|forbidden|conflict|duplicate|notfound',
    'err|ko|nok|nack|no|notok|unsuccessful|aborted',
  ].join('|')})$`,
  'i',
)

/** The judgement of a JSON body that contradicts its 2xx status; undefined for any other. */
function findObjection(operation: Operation, body: Json): Judgement | undefined {
  if (!isObject(body)) return undefined
  const writes = isWrite(operation)
  const parts = [body, ...inside(body), ...inside(body).flatMap(inside)]
  const foreign = parts.filter((part) => !isOwnRecord(operation, part))
  // One level below the envelope: `data.candidate.success`. What lies inside a record are fields of it.
  const below = writes ? foreign.flatMap((part) => Object.values(part).filter(isObject)) : []
  const flags = parts.flatMap((part) => flagsIn(operation, part, !foreign.includes(part)))
  const no = [...flags, ...below.flatMap((part) => flagsIn(operation, part, true))].find(
    (flag) => flag.answer === 'no',
  )
  const showsRecord = writes && showsOwnRecord(operation, body)
  if (no) return { kind: 'refused', says: no.what, showsRecord }
  // The user of a raw read sees the body itself.
  if (isRaw(operation) && !writes) return undefined
  if (flags.some((flag) => flag.answer === 'unclear')) return doubtful('but did not say success: true')
  const isDone = flags.some((flag) => flag.answer === 'yes') || hasContent(operation, body)
  const reported = findReportedError(operation, body)
  if (reported) {
    const { what, isServerFault } = reported
    return isDone || isServerFault || !writes ? doubtful(what) : { kind: 'refused', says: what }
  }
  const refusal = foreign.flatMap((part) => refusalIn(part) ?? [])[0]
  // A read whose answer has content got what it asked for.
  if (refusal === undefined || (isDone && !writes)) return undefined
  return isDone ? doubtful(refusal) : { kind: 'refused', says: refusal }
}

/** The error that a body reports under `error` or `errors`, or as a status of 400 or more. */
function findReportedError(operation: Operation, body: JsonObject) {
  const data = isObject(body.data) ? body.data : {}
  // A record may have a field of that name.
  const envelopes = idOf(data) === undefined ? [body, data] : [body]
  const errors = envelopes.flatMap(({ error, errors }) => [error, errors].filter(isFilled))
  const statuses = [body, ...errors.filter(isObject)].flatMap((object) => {
    // The code of a payment rate may be a number.
    const names = object === body && isRecord(operation, body) ? statusNames.slice(0, 2) : statusNames
    return names.flatMap((name) => (isErrorStatus(object[name]) ? [{ name, value: object[name] }] : []))
  })
  const [first] = statuses
  if (errors.length === 0 && !first) return undefined
  return {
    what: errors.length > 0 ? 'with an error' : `with ${first?.name} ${String(first?.value)} in its body`,
    // A write may have been applied, as after such a status of HTTP.
    isServerFault: statuses.some(({ value }) => /^(408$|5)/.test(String(value))),
  }
}

/** Names under which a body repeats the status of HTTP. A record may have the last. */
const statusNames = ['statusCode', 'status', 'code'] as const

/** The objects in which a service may speak of the result. */
function inside(object: JsonObject): JsonObject[] {
  return Object.entries(object).flatMap(([name, value]) =>
    says.envelope.test(plainName(name)) && isObject(value) ? [value] : [],
  )
}

interface Flag {
  readonly answer: 'yes' | 'no' | 'unclear'
  /** As it stands in the body: `success: false`. */
  readonly what: string
}

/** The flags of an object. Of a record only `success` counts: its other flags are fields of its own. */
function flagsIn(operation: Operation, object: JsonObject, isOwn: boolean): Flag[] {
  const done = isWrite(operation) ? doneFlags[operation.method] : undefined
  return Object.entries(object).flatMap(([written, value]) => {
    const name = plainName(written)
    const isYes = says.yes.test(name) || done?.test(name)
    if (isOwn ? name !== 'success' : !isYes && !says.no.test(name)) return []
    const said = saidBy(value)
    const answer = isYes || said === 'unclear' ? said : said === 'yes' ? 'no' : 'yes'
    // Only of `success` the document says that it is true.
    return answer === 'unclear' && name !== 'success'
      ? []
      : [{ answer, what: `${written}: ${String(value)}` }]
  })
}

/** "success: boolean": only true says yes. false, 0 and "no" say no, and anything else is unclear. */
function saidBy(value: Json): Flag['answer'] {
  if (value === true) return 'yes'
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value
  return [false, 0, 'false', 'no', '0'].some((each) => each === text) ? 'no' : 'unclear'
}

/** The word or the field with which an object says that it did not work: `with status: error`. */
function refusalIn(object: JsonObject): string | undefined {
  for (const [written, value] of Object.entries(object)) {
    const name = plainName(written)
    if (says.result.test(name) && typeof value === 'string' && refusalWord.test(value.trim()))
      return `with ${written}: ${value.trim()}`
    if (says.complaint.test(name) && isFilled(value))
      return typeof value === 'object' ? `with ${written}` : `with ${written}: ${String(value)}`
  }
  return undefined
}

/** Whether an object is the record, not the result: a timesheet may have been saved as REJECTED. */
const isOwnRecord = (operation: Operation, object: JsonObject) =>
  isWrite(operation) ? hasFieldOf(operation, object) : isRecord(operation, object)

/** Whether a body has a record or a list; for a write, only a list with a record in it. */
function hasContent(operation: Operation, body: JsonObject): boolean {
  const lists = [body.data, body.items].filter((each) => Array.isArray(each))
  const hasOne = (list: Json[]) => list.some((item) => isObject(item) && isRecord(operation, item))
  if (isWrite(operation) ? lists.some(hasOne) : lists.length > 0) return true
  const record = recordIn(operation, body)
  return record !== undefined && isOwnRecord(operation, record)
}

/** Whether the answer to a write shows its record. An error may have an id too, but not in an envelope. */
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

function documentsResponse({ known, response }: Operation): boolean {
  return known === 'documented' && response.kind === 'one' && response.type !== undefined
}

const recordIn = ({ response }: Operation, body: JsonObject): JsonObject | undefined =>
  unwrapRecord(response.kind === 'one' ? response : { kind: 'one' }, body)

/** Field names that error bodies use too. */
const errorFieldNames =
  'id code status type name title reason description detail message msg createdAt'.split(' ')

/** Whether the answer to a read has only fields of an error: `{"message": "NI number already used"}`. */
function isBareMessage(operation: Operation, body: Json): boolean {
  if (isRaw(operation) || operation.response.kind !== 'one' || !isObject(body)) return false
  const names = Object.keys(recordIn(operation, body) ?? {})
  const isOfError = (name: string) => name !== 'id' && errorFieldNames.includes(name)
  return names.every(isOfError) && names.some((name) => /^(message|msg|detail|reason)$/.test(name))
}

/** Whether an object is a record: it has an id, or a field that such a record has but an error does not. */
const isRecord = (operation: Operation, object: JsonObject) =>
  idOf(object) !== undefined || hasFieldOf(operation, object)

/** Whether an object has a field of the operation's record, sent or answered, that no error has. */
function hasFieldOf({ response, requestRecord }: Operation, object: JsonObject): boolean {
  const answered = response.kind === 'nothing' ? undefined : response.type
  return [answered, requestRecord, requestRecord?.answer?.type].some((type) =>
    Object.keys(type?.fields ?? {}).some(
      (name) => !errorFieldNames.includes(name) && Object.hasOwn(object, name),
    ),
  )
}
