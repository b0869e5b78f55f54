import { type Json, type JsonObject, valueAt } from '../../json/path.ts'
import { answeredAt } from '../contract/mapping/either-name.ts'
import type { Operation } from '../contract/operations/operation.ts'
import { idOf } from '../contract/records/identity.ts'
import type { Parameters } from '../route-path.ts'

/** What was asked for, and what the answer is of instead. */
export interface OtherRecord {
  readonly asked: string
  readonly answered: string
}

/**
 * Whether an answer is of another record than the one asked for or sent: a cache or a route that gives the wrong person
 * would have one person's bank account written over another's. Ids are compared as text, digit for digit. An answer
 * without an id contradicts nothing.
 */
export function otherRecord(
  { sends, method }: Operation,
  record: JsonObject,
  { parameters = {}, body = {} }: { parameters?: Parameters | undefined; body?: JsonObject | undefined },
): OtherRecord | undefined {
  for (const [name, asked] of Object.entries(parameters)) {
    const answered = idOf({ id: record[name] })
    if (answered !== undefined && answered !== asked) return { asked, answered }
  }
  if (method !== 'POST') return undefined
  const [sent, answered] = [idOf(body), idOf(record)]
  if (sent !== undefined && answered !== undefined && sent !== answered) return { asked: sent, answered }
  const paths = sends?.reference
  return paths && otherReference(valueAt(body, paths.request.split('.')), answeredAt(record, paths))
}

/** A service may trim a reference or change its case; that is not another one. */
function otherReference(sent: Json, answered: Json): OtherRecord | undefined {
  const [one, other] = [idOf({ id: sent }), idOf({ id: answered })]
  if (one === undefined || other === undefined || folded(one) === folded(other)) return undefined
  return { asked: one, answered: other }
}

const folded = (text: string) => text.normalize('NFC').trim().toUpperCase()
