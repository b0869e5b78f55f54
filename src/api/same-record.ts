import { candidate, candidateIreland } from './contract/candidate/candidate.ts'
import { idOf } from './contract/identity.ts'
import type { Operation } from './contract/operation.ts'
import { type Json, type JsonObject, valueAt } from './contract/path.ts'
import { paymentRate } from './contract/payment-rate.ts'
import type { RecordType } from './contract/record.ts'
import { timesheet } from './contract/timesheet.ts'
import type { Parameters } from './route.ts'

/** What was asked for, and what the answer is of instead. */
export interface OtherRecord {
  readonly asked: string
  readonly answered: string
}

/** The reference that the sender chooses, where a request has it and where a record has it. */
const references = new Map<RecordType, readonly [request: string, record: string]>([
  [candidate, ['generalSetting.agencyRef', 'agencyRef']],
  [candidateIreland, ['generalSetting.agencyRef', 'agencyRef']],
  [paymentRate, ['code', 'code']],
  [timesheet, ['subcontractorRef', 'subcontractorRef']],
])

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
  const [from, to] = (sends && references.get(sends)) ?? []
  return from && to ? otherReference(valueAt(body, from.split('.')), record[to]) : undefined
}

/** A service may trim a reference or change its case; that is not another one. */
function otherReference(sent: Json, answered: Json): OtherRecord | undefined {
  const [one, other] = [idOf({ id: sent }), idOf({ id: answered })]
  if (one === undefined || other === undefined || folded(one) === folded(other)) return undefined
  return { asked: one, answered: other }
}

const folded = (text: string) => text.normalize('NFC').trim().toUpperCase()
