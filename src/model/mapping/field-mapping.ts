import { hasNoValue, type Json, parsePath, valueAt } from '../../files/json/path.ts'
import { once, onceFor, onceForText } from '../../once.ts'
import type { Field, Fields } from '../fields/field.ts'
import { fieldAt, leafFields } from '../fields/field-tree.ts'
import type { RecordType } from '../records/record-type.ts'
import { allOperations } from '../resources/operations.ts'

type Answered = Pick<RecordType, 'answer'>

/** The kinds of record that come back in another form than they are sent in. */
const renamedTypes = once(() =>
  allOperations.flatMap(({ requestRecord }) => (requestRecord?.answer ? [requestRecord] : [])),
)

/** The type in which an answered record is sent; the type itself if there is no other. */
export const sentTypeOf = onceFor(
  (type: RecordType): RecordType => renamedTypes().find(({ answer }) => answer?.type === type) ?? type,
)

/** The path in the answer, for a path in the request. */
export function answerPath(type: Answered, path: string): string {
  return answerPlace(type, path.split('.')).join('.')
}

/** The place in the answer, for a place in the request. */
export function answerPlace(type: Answered, place: readonly string[]): readonly string[] {
  for (const { request, answered } of renamedPlaces(type)) {
    const renamed = rename(place, request, answered)
    if (renamed) return renamed
  }
  return place
}

/** The path in the request, for a path in the answer. */
export function requestPath(type: Answered, path: string): string {
  return requestPlace(type, path.split('.')).join('.')
}

/** The place in the request, for a place in the answer. An answer may also use the request's names. */
export function requestPlace(type: Answered, place: readonly string[]): readonly string[] {
  for (const { request, answered } of renamedPlaces(type)) {
    if (request.length > 0 && rename(place, request, request)) return place
    const renamed = rename(place, answered, request)
    if (renamed) return renamed
  }
  return place
}

const renamedPlaces = onceFor(({ answer }: Answered) =>
  (answer?.names ?? []).map(([request, answered]) => ({
    request: parsePath(request) ?? [],
    answered: parsePath(answered) ?? [],
  })),
)

function rename(
  place: readonly string[],
  from: readonly string[],
  to: readonly string[],
): readonly string[] | undefined {
  return from.every((name, at) => place[at] === name) ? [...to, ...place.slice(from.length)] : undefined
}

/** The request fields that no answer returns: an update cannot keep what it cannot read. */
export function neverReturned(type: RecordType | undefined): readonly string[] {
  const answerFields = type?.answer?.type.fields
  if (!answerFields) return []
  return leafFields(type.fields)
    .map(({ path }) => path)
    .filter((path) => !fieldAt(answerFields, answerPath(type, path)))
}

/** A field that holds a value, under each of its names. One of them is always there. */
export interface NamedField {
  /** The field as it is sent, where it is sent: an answer may have another type for it. */
  readonly field: Field
  readonly request?: string | undefined
  readonly answer?: string | undefined
}

/** The fields of a record: those that are sent first, and after them those that only an answer has. */
export function namedFields(requestFields: Fields | undefined, answerFields: Fields): readonly NamedField[] {
  const { type = {} } = bothForms(requestFields ?? {})
  const answerOnly = leafFields(answerFields).filter(
    ({ path }) => !fieldAt(requestFields ?? {}, requestPath(type, path)),
  )
  return [
    ...leafFields(requestFields ?? {}).map(({ path, field }): NamedField => {
      const answer = answerPath(type, path)
      return { field, request: path, answer: fieldAt(answerFields, answer) && answer }
    }),
    ...answerOnly.map(({ path, field }) => ({ field, answer: path })),
  ]
}

/** The fields of a record as sent and as answered, by those of either. `side`: which of them was given. */
export function bothForms(fields: Fields) {
  const type = renamedTypes().find((each) => each.fields === fields || each.answer?.type.fields === fields)
  return {
    sent: type?.fields ?? fields,
    answered: type?.answer?.type.fields ?? fields,
    side: type?.fields === fields ? ('request' as const) : ('answer' as const),
    type,
  }
}

/** The two places of a field in an answer or a list item: it may have the name of the answer, or of the request. */
export interface FieldPlaces {
  readonly answered: readonly string[]
  readonly sent: readonly string[]
}

/** The places of a field, by both of its paths. */
export const placesAt = (request: string, item: string): FieldPlaces => ({
  answered: parsePath(item) ?? [],
  sent: parsePath(request) ?? [],
})

/** The places of a field that is known by its path in the request. Kept: they are the same in every item of a list. */
export const placesOf = (type: RecordType, request: string): FieldPlaces => knownPlaces(type)(request)

const knownPlaces = onceFor((type: RecordType) =>
  onceForText((request) => placesAt(request, answerPath(type, request))),
)

/** The value at these places. assumed: an answer may have a field under the request's name. */
export function valueAtPlaces(record: Json, { answered, sent }: FieldPlaces): Json {
  const inAnswer = valueAt(record, answered)
  if (!hasNoValue(inAnswer)) return inAnswer
  const asSent = valueAt(record, sent)
  return asSent === undefined ? inAnswer : asSent
}

/** The value of a field of a sent type in an answer or a list item, or in a record as it is sent. */
export function answeredValue(type: RecordType, record: Json, path: string): Json {
  return valueAtPlaces(record, placesOf(type, path))
}
