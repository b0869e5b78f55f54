import { isObject, type Json, type JsonObject, valueAt } from '../../files/json/path.ts'
import { answeredValue } from '../../model/mapping/field-mapping.ts'
import { keyOf } from '../../model/natural-key.ts'
import { idsOf, idText } from '../../model/records/identity.ts'
import { answerType, type Operation } from '../../model/records/operation.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import type { Call } from './call-failure.ts'

/** The requested record, and the record that the response is for instead. */
export interface RecordMismatch {
  readonly asked: string
  readonly answered: string
}

/**
 * Whether a response is for another record, through a faulty cache or route: one person's bank account could
 * be written over another's. Ids are compared digit for digit; a response without one is accepted here.
 */
export function findMismatch(
  { requestRecord, method, response }: Operation,
  record: JsonObject,
  { parameters = {}, body = {} }: Pick<Call, 'parameters' | 'body'>,
): RecordMismatch | undefined {
  const type = answerType({ response }) ?? requestRecord
  for (const [name, parameter] of Object.entries(parameters)) {
    const ids = name === 'id' ? answeredIds(type, record) : [idText(record[name]) ?? []].flat()
    // A service may have two ids for one record, a number and a UUID: one of them is enough.
    const [other] = ids
    if (other !== undefined && !ids.includes(parameter)) return { asked: parameter, answered: other }
  }
  // A new record is sent without an id: it is known by its reference.
  if (method !== 'POST') return undefined
  const { reference } = requestRecord ?? {}
  if (!requestRecord || reference === undefined) return undefined
  return otherReference(valueAt(body, reference), answeredValue(requestRecord, record, reference))
}

/** The ids that a record gives itself, at its top or with its general fields. */
export function answeredIds(type: RecordType | undefined, record: Json): string[] {
  if (!isObject(record)) return []
  return [record, record.generalSetting].flatMap((each) => idsOf(each, type?.idNames))
}

/** The two references, where both are given and differ. A service may trim a reference or change its case. */
export function otherReference(mine: Json, theirs: Json): RecordMismatch | undefined {
  const [one, other] = [idText(mine), idText(theirs)]
  if (one === undefined || other === undefined || keyOf(one) === keyOf(other)) return undefined
  return { asked: one, answered: other }
}
