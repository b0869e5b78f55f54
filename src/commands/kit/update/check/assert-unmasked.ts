import { isDeepStrictEqual } from 'node:util'
import { maskedFields } from '../../../../api/contract/mapping/service-masks.ts'
import type { Context } from '../../../../context/context.ts'
import { Failure } from '../../../../errors.ts'
import { type Json, valueAt } from '../../../../json/path.ts'

/** Warns before the form or the editor opens, where the values can still be given. */
export function warnOfMasked(context: Context, before: Json): void {
  const fields = maskedFields(before)
  if (fields.length === 0) return
  context.warn(
    `the service masks these fields, so the update can be sent only if you enter them again: ${fields.join(', ')}.`,
  )
}

/**
 * Throws a Failure (exit 10) when an update would send back, instead of an account number, the asterisks that
 * the service showed. What was set in this run is sent.
 */
export function assertUnmasked(before: Json, after: Json): void {
  const left = maskedFields(before).filter((path) => {
    const segments = path.replace(/\[(\d+)\]/g, '.$1').split('.')
    return isDeepStrictEqual(valueAt(before, segments), valueAt(after, segments))
  })
  if (left.length === 0) return
  const [field, them] = left.length === 1 ? ['a field', 'it'] : [`${left.length} fields`, 'them']
  throw new Failure(
    'invalid-response',
    `The service masks ${field} of this record; sending ${them} back would overwrite the real value with the mask. Nothing was sent.`,
    {
      outcome: 'not-sent',
      issues: left.map((path) => ({ path, message: 'masked by the service' })),
      hint: `To send the update, give the real value: ${left.map((path) => `--set ${path}=…`).join(' ')}`,
    },
  )
}
