import { isObject, type Json, type JsonObject } from '../../json/path.ts'
import type { Operation } from '../contract/operations/operation.ts'
import { idOf } from '../contract/records/identity.ts'
import type { RecordType } from '../contract/records/record-type.ts'
import type { Body } from '../http/parse-body.ts'
import { looksLikePage, readRecord } from '../response-body.ts'
import { isWrite } from './call-failure.ts'

/**
 * The meaning of a 2xx response. `success`: it worked. `refused`: `success: false`. `doubtful`: it may not have worked,
 * and `why` completes "The service answered 200 …". `unreadable`: the body is damaged or a web page.
 */
export type Judgement =
  | { readonly is: 'success' }
  | { readonly is: 'refused' }
  | { readonly is: 'doubtful'; readonly why: string }
  | { readonly is: 'unreadable' }

const success: Judgement = { is: 'success' }
const doubtful = (why: string): Judgement => ({ is: 'doubtful', why })

/** 2xx that promise nothing: "Success statuses: 201 Created for the create operations shown." */
const unfinishedStatuses: Readonly<Record<number, string>> = {
  202: 'which does not say whether it will be applied',
  207: 'which may mean that a part of it failed',
}

/** Judges a 2xx status whose body did not arrive completely: the rest of the body cannot undo a write. */
export function judgeHead(status: number): Judgement {
  const why = unfinishedStatuses[status]
  return why === undefined ? success : doubtful(why)
}

/**
 * Decides whether a 2xx response is a success, for every operation. "Success responses carry `success: true` in the
 * envelope." If the document shows the answer of a create, the response needs that, or the record. If not, it is a
 * success unless it says otherwise; even if it is empty, as for Create Candidate: "201, no body".
 */
export function judgeSuccess(operation: Operation, status: number, body: Body): Judgement {
  const head = judgeHead(status)
  if (!body.isJson) {
    if (looksLikePage(body.text)) return { is: 'unreadable' }
    if (!isWrite({ operation })) return { is: 'unreadable' }
    if (head.is !== 'success') return head
    const text = body.text.trim()
    if (text === '') return documentsResponse(operation) ? doubtful(withoutRecord) : success
    // Damaged JSON confirms the write; other text may say anything.
    return /^[[{]/.test(text) ? success : doubtful(withWords)
  }
  const said = findContradiction(operation, body.value)
  if (said || head.is !== 'success') return said ?? head
  if (!isWrite({ operation })) return success
  if (isScalar(body.value)) return doubtful(withWords)
  if (documentsResponse(operation) && !hasDocumentedContent(operation, body.value))
    return doubtful(withoutRecord)
  return success
}

const withoutRecord = 'without the record that the answer should contain'
const withWords = 'with text instead of JSON'

const isScalar = (value: Json) => value !== null && typeof value !== 'object'

/** What in a JSON body contradicts its 2xx status. */
function findContradiction(operation: Operation, body: Json): Judgement | undefined {
  if (!isObject(body)) return undefined
  const inside = isObject(body.data) ? body.data : {}
  const flags = [body.success, inside.success].filter((flag) => flag !== undefined)
  if (flags.includes(false)) return { is: 'refused' }
  // The user of a raw read sees the body itself.
  if (isRaw(operation) && !isWrite({ operation })) return undefined
  if (flags.some((flag) => flag !== true)) return doubtful('without success: true')
  // A record may have a field of that name.
  const envelopes = idOf(inside) === undefined ? [body, inside] : [body]
  if (envelopes.some(({ error, errors }) => isFilled(error) || isFilled(errors))) {
    return doubtful('and reports an error')
  }
  for (const name of ['statusCode', 'status', 'code'] as const) {
    // The code of a payment rate may be a number.
    if (name === 'code' && isRecord(operation, body)) continue
    if (isErrorStatus(body[name])) return doubtful(`with ${name} ${String(body[name])} in its body`)
  }
  return undefined
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

function hasDocumentedContent(operation: Operation, body: Json): boolean {
  if (!isObject(body)) return false
  if (body.success === true || (isObject(body.data) && body.data.success === true)) return true
  const record = operation.response.kind === 'one' ? readRecord(operation.response, body) : undefined
  return record !== undefined && isRecord(operation, record)
}

/** Field names that error bodies use too. */
const errorFieldNames = new Set(['id', 'code', 'status', 'type', 'title', 'reason', 'description'])

/** Whether an object is a record: it has an id, or a field that such a record has but an error does not. */
function isRecord({ response }: Operation, object: JsonObject): boolean {
  const type: RecordType | undefined = response.kind === 'nothing' ? undefined : response.type
  const fields = Object.keys(type?.fields ?? {}).filter((name) => !errorFieldNames.has(name))
  return idOf(object) !== undefined || fields.some((name) => Object.hasOwn(object, name))
}
