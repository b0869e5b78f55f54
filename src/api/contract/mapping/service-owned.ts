import { variantCandidates } from '../candidate/variant-candidates.ts'
import { document } from '../records/document.ts'
import { paymentRate } from '../records/payment-rate.ts'
import type { RecordType } from '../records/record-type.ts'
import { timesheet } from '../records/timesheet.ts'

/** assumed: what a service keeps for itself of every record, and of every section of one. */
const everywhere: ReadonlySet<string> = new Set(['id', 'incrementId', 'createdAt', 'updatedAt', 'deletedAt'])

/** "string id (candidate identifier), … status", "nullable dateLeft, reason". assumed: `author`, as of a payment rate. */
const ofCandidate: readonly string[] = ['status', 'dateLeft', 'reason', 'author']

/** What else the service alone sets of a whole record. No request has it. */
const atTheTop: ReadonlyMap<RecordType, readonly string[]> = new Map([
  ...variantCandidates.map(({ sent }) => [sent, ofCandidate] as const),
  // "isStatutory: nullable boolean", "author: string (user identifier)".
  [paymentRate, ['isStatutory', 'author']],
  // assumed: of a timesheet nothing more; of a document its size, which is counted from its content.
  [timesheet, []],
  [document, ['size']],
])

/** "Success responses carry `success: true` in the envelope": of a bare record it stands among the fields. */
const envelope = 'success'

/** Whether a field belongs to the service alone, so that an update leaves it out. `isTop`: it is one of the whole record. */
export function isServiceOwned(type: RecordType, name: string, isTop: boolean): boolean {
  if (everywhere.has(name)) return true
  return isTop && (name === envelope || (atTheTop.get(type) ?? []).includes(name))
}
