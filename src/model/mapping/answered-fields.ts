import { isEmpty, type Json, lastName } from '../../files/json/path.ts'
import { onceFor } from '../../once.ts'
import { fieldAt } from '../fields/field-tree.ts'
import type { RecordType } from '../records/record-type.ts'
import { answeredValue, answerPath, type FieldPlaces, placesOf, valueAtPlaces } from './field-mapping.ts'
import { isServiceOwned, sectionPaths } from './map-record.ts'
import { maskFinder } from './service-masks.ts'

/** A field or an inner section, and how an answer shows it. */
export interface AnsweredField {
  readonly path: string
  readonly places: FieldPlaces
  readonly isShown: (value: Json) => boolean
  /** Whether it is a choice among words, and not sensitive. */
  readonly hasWords: boolean
}

/** The fields and inner sections that an answer should have, and how each is shown there. */
export const answeredFields = onceFor((type: RecordType): readonly AnsweredField[] =>
  [...new Set([...sectionPaths(type), ...expectedPaths(type)])].map((path): AnsweredField => {
    const field = fieldAt(type.fields, path)
    const isMask = maskFinder(lastName(path), field?.standard)
    return {
      path,
      places: placesOf(type, path),
      isShown: (value) => !isEmpty(value) && !isMask(value),
      hasWords:
        field?.type === 'string' && !field.sensitive && (field.codes ?? field.exampleValues) !== undefined,
    }
  }),
)

/** Tells whether an answer shows a value of a field, and not a mask of it. */
export function showsField(type: RecordType, record: Json, path: string): boolean {
  const field = answeredFields(type).find((each) => each.path === path)
  return field?.isShown(valueAtPlaces(record, field.places)) === true
}

/** Tells whether an answer has null for a field or for a section around it. */
export function isNullIn(type: RecordType, record: Json, path: string): boolean {
  const names = path.split('.')
  return names.some((_, at) => answeredValue(type, record, names.slice(0, at + 1).join('.')) === null)
}

/**
 * The fields and inner sections that an answer has, by their path in a request, in the order of the contract.
 * A field that no answer shows cannot be expected back. An object that is not a section, such as an opening
 * balance, counts as one value.
 */
export function expectedPaths(type: RecordType, fields = type.fields, above = ''): string[] {
  const { answer } = type
  const sections = sectionPaths(type)
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = above + name
    if (answer && !fieldAt(answer.type.fields, answerPath(type, path)) && !sections.includes(path)) return []
    if (isServiceOwned(type, path.split('.'))) return []
    if (!field.fields || !sections.includes(path)) return [path]
    const inner = expectedPaths(type, field.fields, `${path}.`)
    return above === '' ? inner : [path, ...inner]
  })
}
