import type { JsonObject } from '../../files/json/path.ts'
import { daysInWords } from '../../text/day.ts'
import { idText } from '../records/identity.ts'
import type { RecordType } from '../records/record-type.ts'
import { answeredValue, sentTypeOf } from './field-mapping.ts'

type Paths = readonly string[]

/** The names by which a person knows a record, the best first, in a request or an answer. */
export function namesOf(type: RecordType, record: JsonObject): string[] {
  return shownNames(type, nameGroups(type), record)
}

/** All by which a person knows a record, its reference first: `EMP-1 Aoife Murphy`, `NIGHT Night shift`. */
export function allNames(type: RecordType, record: JsonObject): string[] {
  const besides = withoutReference(type)
  const first = nameGroups(type).filter((paths) => !besides.includes(paths))
  return shownNames(type, [...first, ...besides], record)
}

/** The name of a record besides its reference: a person by name, a payment rate by its description. */
export function labelOf(type: RecordType, record: JsonObject): string | undefined {
  return shownNames(type, withoutReference(type), record)[0]
}

/** The fields of the best name, if it is not the reference; else none. */
export function properName(type: RecordType): Paths {
  const [best] = nameGroups(type)
  return best && withoutReference(type).includes(best) ? best : []
}

/** What a record is, and its days: `a timesheet of the week ending 31 May 2026`. */
export function kindOf(type: RecordType, record: JsonObject): string {
  const words = daysOf(type, record)?.replace(/^week/, 'the week')
  return words === undefined ? type.displayName : `${type.displayName} of ${words}`
}

/** The days of a record that has any: `week ending 31 May 2026`. */
export function daysOf(type: RecordType, record: JsonObject): string | undefined {
  const { days = [] } = sentTypeOf(type)
  const [first = '', last = ''] = days.map((path) => identityText(type, record, path).slice(0, 10))
  return daysInWords(first, last)
}

/** A record as a person knows it: `Aoife Ní Shampla (IE-1042)`, `a payment rate (NIGHT)`. */
export function describeRecord(type: RecordType, record: JsonObject, id: string): string {
  const { reference } = sentTypeOf(type)
  const [name = kindOf(type, record)] = shownNames(type, [properName(type)], record)
  return `${name} (${(reference && identityText(type, record, reference)) || id})`
}

const nameGroups = (type: RecordType): readonly Paths[] => sentTypeOf(type).names ?? []

function withoutReference(type: RecordType): readonly Paths[] {
  const { reference, names = [] } = sentTypeOf(type)
  return names.filter((paths) => !paths.some((path) => path === reference))
}

function shownNames(type: RecordType, named: readonly Paths[], record: JsonObject): string[] {
  return named.flatMap(
    (paths) =>
      paths
        .map((each) => identityText(type, record, each))
        .filter(Boolean)
        .join(' ') || [],
  )
}

/** A text or a number, without the blanks around it; empty where there is none. */
const identityText = (type: RecordType, record: JsonObject, path: string) =>
  idText(answeredValue(sentTypeOf(type), record, path))?.trim() ?? ''
