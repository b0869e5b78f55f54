import { mappingOf, unreturnedFields } from '../../../../api/contract/mapping/field-mapping.ts'
import type { RecordType } from '../../../../api/contract/records/record-type.ts'
import type { Context } from '../../../../context/context.ts'
import { type JsonObject, valueAt } from '../../../../json/path.ts'

/** Names the fields that the service never returns and this update does not give: the service may clear them. */
export function warnOfLosses(context: Context, type: RecordType, body: JsonObject): void {
  const correspondence = mappingOf(type)
  const unseen = correspondence ? unreturnedFields(correspondence) : []
  const lost = unseen.filter((path) => valueAt(body, path.split('.')) === undefined)
  if (lost.length === 0) return
  context.warn(
    `the service does not return these fields, so the update does not send them and the service may clear them: ${lost.join(', ')}. To keep a value, give it again in this update.`,
  )
}
