import { leafFields } from '../../../../api/contract/fields/field-tree.ts'
import { mappingOf, unreturnedFields } from '../../../../api/contract/mapping/field-mapping.ts'
import type { RecordType } from '../../../../api/contract/records/record-type.ts'
import type { Context } from '../../../../context/context.ts'
import { type JsonObject, valueAt } from '../../../../json/path.ts'

/** Names the fields that the service never returns and this update does not give: the service may clear them. */
export function warnOfLosses(context: Context, type: RecordType, body: JsonObject): void {
  const mapping = mappingOf(type)
  const unseen = mapping ? unreturnedFields(mapping) : []
  const lost = unseen.filter((path) => valueAt(body, path.split('.')) === undefined)
  if (lost.length === 0) return
  const names = lost.map((path) => shortName(type, path)).join(', ')
  context.warn(`the service does not return these fields, and may clear those not given: ${names}.`)
}

/** The last part of a path where no other field has it: --set takes it too. */
function shortName(type: RecordType, path: string): string {
  const last = path.slice(path.lastIndexOf('.') + 1)
  const alike = leafFields(type.fields).filter((leaf) => leaf.path.split('.').at(-1) === last)
  return alike.length === 1 ? last : path
}
