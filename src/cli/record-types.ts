import { variantCandidates } from '../api/contract/countries/variant-candidates.ts'
import { type Operation, resourceName } from '../api/contract/operations/operation.ts'
import { operations } from '../api/contract/operations/operations.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { answerType } from './target.ts'

/** A kind of record, as it is sent, where it is sent, and as it is answered. */
export interface RecordTypes {
  readonly sent?: RecordType
  readonly answered: RecordType
}

const { candidates: _, ...others } = operations

/** The records by the name that a person types: `explain candidates.ireland`, `schema payment-rates`. */
export const recordTypesByName: Readonly<Record<string, RecordTypes>> = {
  ...Object.fromEntries(
    variantCandidates.map(({ id, sent, answered }) => [`candidates.${id}`, { sent, answered }]),
  ),
  ...Object.fromEntries(Object.entries(others).flatMap(([name, verbs]) => recordOf(name, verbs))),
}

/** What the operations of a resource send and list; nothing if they list nothing. */
function recordOf(name: string, { create, list }: Readonly<Record<string, Operation>>) {
  const answered = list && answerType(list)
  const sent = create?.requestRecord
  return answered ? [[resourceName(name), { ...(sent && { sent }), answered }] as const] : []
}
