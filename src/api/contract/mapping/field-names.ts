import type { Field, Fields } from '../fields/field.ts'
import { fieldAt, leafFields } from '../fields/field-tree.ts'
import { answerPath, mappingOfFields, requestPath } from './field-mapping.ts'

/** A field that holds a value, under each of its names. One of them is always there. */
export interface NamedField {
  /** As it is sent, where it is sent: an answer may have another type for it. */
  readonly field: Field
  readonly request?: string
  readonly answer?: string
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
      return { field, request: path, ...(fieldAt(answered, answer) && { answer }) }
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
