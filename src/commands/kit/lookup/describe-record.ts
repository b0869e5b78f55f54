import { valueInResponse } from '../../../api/contract/mapping/either-name.ts'
import { idOf } from '../../../api/contract/records/identity.ts'
import type { RecordType } from '../../../api/contract/records/record-type.ts'
import type { JsonObject } from '../../../json/path.ts'

const names = ['forename', 'surname'].map((name) => ({ request: `generalSetting.${name}`, item: name }))

/** A record as a person knows it: "Aoife Ní Shampla (IE-1042)", else "a payment rate (NIGHT)", else with its id. */
export function describeRecord(type: RecordType, record: JsonObject, id: string): string {
  const textAt = (paths: (typeof names)[number]) => idOf({ id: valueInResponse(record, paths) })?.trim() ?? ''
  const name = names.map(textAt).filter(Boolean).join(' ')
  const reference = type.reference ? textAt(type.reference) : ''
  return `${name || type.displayName} (${reference || id})`
}
