import { type Json, type JsonObject, valueAt } from '../../json/path.ts'
import { valueInResponse } from '../contract/mapping/either-name.ts'
import type { Operation } from '../contract/operations/operation.ts'
import { idOf } from '../contract/records/identity.ts'
import type { Parameters } from '../route-path.ts'

/** The requested record, and the record that the response is for instead. */
export interface RecordMismatch {
  readonly asked: string
  readonly answered: string
}

/**
 * Whether a response is for another record than the one requested or sent: with a faulty cache or route, one person's
 * bank account could be written over another's. Ids are compared as text, digit for digit. A response without an id is
 * accepted.
 */
export function findMismatch(
  { requestRecord, method }: Operation,
  record: JsonObject,
  { parameters = {}, body = {} }: { parameters?: Parameters | undefined; body?: JsonObject | undefined },
): RecordMismatch | undefined {
  for (const [name, asked] of Object.entries(parameters)) {
    const answered = idOf({ id: record[name] })
    if (answered !== undefined && answered !== asked) return { asked, answered }
  }
  if (method !== 'POST') return undefined
  const [sent, answered] = [idOf(body), idOf(record)]
  if (sent !== undefined && answered !== undefined && sent !== answered) return { asked: sent, answered }
  const paths = requestRecord?.reference
  return paths && otherReference(valueAt(body, paths.request.split('.')), valueInResponse(record, paths))
}

/** A service may trim a reference or change its case. */
function otherReference(sent: Json, answered: Json): RecordMismatch | undefined {
  const [one, other] = [idOf({ id: sent }), idOf({ id: answered })]
  if (one === undefined || other === undefined || normalizeReference(one) === normalizeReference(other))
    return undefined
  return { asked: one, answered: other }
}

const normalizeReference = (text: string) => text.normalize('NFC').trim().toUpperCase()
