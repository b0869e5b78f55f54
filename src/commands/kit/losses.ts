import { mappingOf, notReturned } from '../../api/contract/correspondence.ts'
import { type JsonObject, valueAt } from '../../api/contract/path.ts'
import type { RecordType } from '../../api/contract/record.ts'
import type { Context } from '../../context.ts'

/** Names the fields that no answer returns and that this update does not give: nobody knows what becomes of them. */
export function warnOfLosses(context: Context, type: RecordType, body: JsonObject): void {
  const correspondence = mappingOf(type)
  const unseen = correspondence ? notReturned(correspondence) : []
  const lost = unseen.filter((path) => valueAt(body, path.split('.')) === undefined)
  if (lost.length === 0) return
  context.warn(
    `the service does not return these fields, so they are not sent and it may clear them: ${lost.join(', ')}. To be sure of one, set it again.`,
  )
}
