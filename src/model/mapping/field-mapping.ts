import { hasNoValue, type Json, parsePath, valueAt } from '../../files/json/path.ts'
import type { Field, Fields } from '../fields/field.ts'
import { fieldAt, leafFields } from '../fields/field-tree.ts'
import { allOperations } from '../operations/operations.ts'
import type { Answer, FieldPaths, RecordType } from '../records/record-type.ts'

/** How the fields of a request and of its answer correspond. Works in both directions. */
export interface FieldMapping {
  readonly request: RecordType
  readonly answer: RecordType
  readonly names: Answer['names']
}

/** The mapping of a request record; undefined if the document describes no answer. */
export function mappingOf(request: RecordType | undefined): FieldMapping | undefined {
  if (!request?.answer) return undefined
  const { type, names } = request.answer
  return { request, answer: type, names }
}

const allMappings = () => allOperations.flatMap(({ requestRecord }) => mappingOf(requestRecord) ?? [])

/** The same by the fields of either form. */
function mappingOfFields(fields: Fields): FieldMapping | undefined {
  return allMappings().find(({ request, answer }) => request.fields === fields || answer.fields === fields)
}

/** The type of the request that a record which is answered is sent by; the type itself where there is no other. */
export function sentTypeOf(type: RecordType): RecordType {
  return allMappings().find(({ answer }) => answer === type)?.request ?? type
}

/** The field that the sender knows a record by, of a record that is answered. */
export function referenceOf(answered: RecordType): FieldPaths | undefined {
  return sentTypeOf(answered).reference
}

/** The path in the answer, for a path in the request. */
export function answerPath(mapping: Pick<FieldMapping, 'names'>, path: string): string {
  return answerPlace(mapping, path.split('.')).join('.')
}

/** The place in the answer, for a place in the request. */
export function answerPlace(
  { names }: Pick<FieldMapping, 'names'>,
  place: readonly string[],
): readonly string[] {
  for (const [request, answer] of names) {
    const renamed = rename(place, request, answer)
    if (renamed) return renamed
  }
  return place
}

/** The path in the request, for a path in the answer. */
export function requestPath(mapping: FieldMapping, path: string): string {
  return requestPlace(mapping, path.split('.')).join('.')
}

/** The place in the request, for a place in the answer. An answer may also use the request's names. */
export function requestPlace({ names }: FieldMapping, place: readonly string[]): readonly string[] {
  for (const [request, answer] of names) {
    if (request !== '' && rename(place, request, request)) return place
    const renamed = rename(place, answer, request)
    if (renamed) return renamed
  }
  return place
}

function rename(place: readonly string[], from: string, to: string): readonly string[] | undefined {
  const old = parsePath(from) ?? []
  return old.every((name, at) => place[at] === name)
    ? [...(parsePath(to) ?? []), ...place.slice(old.length)]
    : undefined
}

/** The request fields that no answer returns: an update cannot keep what it cannot read. */
export function unreturnedFields(type: RecordType | undefined): readonly string[] {
  const mapping = mappingOf(type)
  if (!mapping) return []
  return leafFields(mapping.request.fields)
    .map(({ path }) => path)
    .filter((path) => !fieldAt(mapping.answer.fields, answerPath(mapping, path)))
}

/** A field that holds a value, under each of its names. One of them is always there. */
export interface NamedField {
  /** As it is sent, where it is sent: an answer may have another type for it. */
  readonly field: Field
  readonly request?: string | undefined
  readonly answer?: string | undefined
}

/** The fields of a record: those that are sent first, and after them those that only an answer has. */
export function namedFields(sent: Fields | undefined, answered: Fields): readonly NamedField[] {
  const mapping = mappingOfFields(sent ?? {})
  const added = leafFields(answered).filter(({ path }) => {
    const request = mapping ? requestPath(mapping, path) : path
    return fieldAt(sent ?? {}, request) === undefined
  })
  return [
    ...leafFields(sent ?? {}).map(({ path, field }): NamedField => {
      const answer = mapping ? answerPath(mapping, path) : path
      return { field, request: path, answer: fieldAt(answered, answer) && answer }
    }),
    ...added.map(({ path, field }) => ({ field, answer: path })),
  ]
}

/** The two forms of a record of which one is known, and which of them that is. */
export function bothForms(fields: Fields) {
  const mapping = mappingOfFields(fields)
  return {
    sent: mapping ? mapping.request.fields : fields,
    answered: mapping ? mapping.answer.fields : fields,
    side: mapping?.request.fields === fields ? ('request' as const) : ('answer' as const),
    mapping,
  }
}

/** Where the value of a field may stand in an answer or a list item. */
export interface Places {
  readonly answered: readonly string[]
  readonly sent: readonly string[]
}

/** The places of a field, to be looked up once for many records. */
export function placesInResponse({ request, item }: FieldPaths): Places {
  return { answered: parsePath(item) ?? [], sent: parsePath(request) ?? [] }
}

/** The value at these places; see `valueInResponse`. */
export function valueAtPlaces(record: Json, { answered, sent }: Places): Json {
  const inAnswer = valueAt(record, answered)
  if (!hasNoValue(inAnswer)) return inAnswer
  const asSent = valueAt(record, sent)
  return asSent === undefined ? inAnswer : asSent
}

/** The value of a field in an answer or a list item. assumed: it may have the request's name there. */
export function valueInResponse(record: Json, paths: FieldPaths): Json {
  return valueAtPlaces(record, placesInResponse(paths))
}
