import { variantCandidates } from '../candidate/variant-candidates.ts'
import { document } from '../records/document.ts'
import { paymentRate } from '../records/payment-rate.ts'
import type { RecordType } from '../records/record-type.ts'
import { timesheet } from '../records/timesheet.ts'

/** assumed: fields that only the service sets, in every record and in every section of one. */
const inEveryRecord: ReadonlySet<string> = new Set([
  'id',
  'incrementId',
  'createdAt',
  'updatedAt',
  'deletedAt',
])

/** "string id (candidate identifier), … status", "nullable dateLeft, reason". assumed: `author`, as in a payment rate. */
const candidateFields: readonly string[] = ['status', 'dateLeft', 'reason', 'author']

/** Other fields at the top level that only the service sets. No request has them. */
const topLevelFields: ReadonlyMap<RecordType, readonly string[]> = new Map([
  ...variantCandidates.map(({ sent }) => [sent, candidateFields] as const),
  // "isStatutory: nullable boolean", "author: string (user identifier)".
  [paymentRate, ['isStatutory', 'author']],
  // assumed: nothing more for a timesheet; for a document its size, which the service counts.
  [timesheet, []],
  [document, ['size']],
])

/** "Success responses carry `success: true` in the envelope": without an envelope it is among the record's fields. */
const envelope = 'success'

/** Whether only the service sets a field, so that an update leaves it out. `isTop`: it is at the top level. */
export function isServiceOwned(type: RecordType, name: string, isTop: boolean): boolean {
  if (inEveryRecord.has(name)) return true
  return isTop && (name === envelope || (topLevelFields.get(type) ?? []).includes(name))
}
