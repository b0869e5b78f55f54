import { mappingOf, notReturned } from '../../../../api/contract/mapping/field-mapping.ts'
import type { RecordType } from '../../../../api/contract/records/record-type.ts'
import type { Context } from '../../../../context/context.ts'
import { type JsonObject, valueAt } from '../../../../json/path.ts'

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
