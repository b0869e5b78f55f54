import type { RecordType } from '../records/record-type.ts'

/** assumed: fields that only the service sets, in every record and in every section of one. */
const inEveryRecord: ReadonlySet<string> = new Set([
  'id',
  'incrementId',
  'createdAt',
  'updatedAt',
  'deletedAt',
])

/** "Success responses carry `success: true` in the envelope": without an envelope it is among the record's fields. */
const envelope = 'success'

/** Whether only the service sets a field, so that an update leaves it out. `isTop`: it is at the top level. */
export function isServiceOwned({ serviceOwned = [] }: RecordType, name: string, isTop: boolean): boolean {
  if (inEveryRecord.has(name)) return true
  return isTop && (name === envelope || serviceOwned.includes(name))
}
