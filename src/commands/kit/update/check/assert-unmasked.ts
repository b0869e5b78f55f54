import { isDeepStrictEqual } from 'node:util'
import { maskedFields } from '../../../../api/contract/mapping/service-masks.ts'
import type { RecordType } from '../../../../api/contract/records/record-type.ts'
import type { Context } from '../../../../context/context.ts'
import { Failure } from '../../../../errors.ts'
import { type Json, valueAt } from '../../../../json/path.ts'
import { withChanges } from '../../input/set-fields.ts'

/** Warns before the form or the editor opens, where the values can still be given. */
export function warnOfMasked(context: Context, type: RecordType, before: Json): void {
  const fields = maskedFields(type, before)
  if (fields.length === 0) return
  context.warn(
    `the service masks these fields, so the update can be sent only if you enter them again: ${fields.join(', ')}.`,
  )
}

/**
 * Throws a Failure (exit 10) when an update would send back, instead of an account number, the asterisks that
 * the service showed. What was set in this run is sent.
 */
export function assertUnmasked(
  type: RecordType,
  before: Json,
  after: Json,
  { set = [] }: { readonly set?: readonly string[] },
): void {
  // A value that is set may be the same: some people write TBC where there is no NI number yet.
  const given = withChanges(type, {}, { set })
  const left = maskedFields(type, before).filter((path) => {
    const segments = path.replace(/\[(\d+)\]/g, '.$1').split('.')
    const at = (value: Json) => valueAt(value, segments)
    return at(given) === undefined && isDeepStrictEqual(at(before), at(after))
  })
  if (left.length === 0) return
  const [field, them] = left.length === 1 ? ['a field', 'it'] : [`${left.length} fields`, 'them']
  throw new Failure(
    'invalid-response',
    `The service masks ${field} of this record; sending ${them} back would overwrite the real value with the mask. Nothing was sent.`,
    {
      outcome: 'not-sent',
      issues: left.map((path) => ({ path, message: 'came back as a mask, which no real value can be' })),
      hint: `To send the update, give the real value: ${left.map((path) => `--set ${path}=…`).join(' ')}`,
    },
  )
}
