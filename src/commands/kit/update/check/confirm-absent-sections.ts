import { fieldAt } from '../../../../api/contract/fields/field-tree.ts'
import type { RecordType } from '../../../../api/contract/records/record-type.ts'
import type { Context } from '../../../../context/context.ts'
import { Failure } from '../../../../errors.ts'
import { valueAt } from '../../../../json/path.ts'
import { openPrompts } from '../../steps/open-prompts.ts'

interface Absence {
  readonly type: RecordType
  /** The sections that the service did not return. */
  readonly absent: readonly string[]
  /** The record as it would be sent. */
  readonly after: unknown
  readonly isDryRun: boolean
}

/**
 * Says which sections of a record the service did not return: an update sends the record whole, and what it does not
 * send may be cleared. Without a whole section it goes on only when a person says yes, or said so with --yes. Throws a
 * Failure (exit 10) without a terminal; nothing is sent.
 */
export async function acceptAbsence(
  context: Context,
  { type, absent, after, isDryRun }: Absence,
): Promise<void> {
  for (const section of absent) {
    const isSet = valueAt(after, section.split('.')) !== undefined
    const sends = isSet ? 'only what you set of them' : 'none'
    context.warn(
      `the service returned no ${details(type, section)} for this record, so the update sends ${sends}, and the service may clear them.`,
    )
  }
  const whole = absent.filter((section) => !section.includes('.')).map((section) => details(type, section))
  if (whole.length === 0 || context.options.yes) return
  if (!context.interactive) {
    throw new Failure(
      'invalid-response',
      `The service returned this record without ${whole.join(' and ')}. Nothing was sent.`,
      {
        outcome: 'not-sent',
        hint: 'Check whether the record has any. To send the update anyway, add --yes.',
      },
    )
  }
  if (isDryRun) return
  const ask = await openPrompts(context)
  const message = `Send it without ${whole.join(' and ')}?`
  if (await ask.confirm({ message, default: false })) return
  throw new Failure('usage', 'Not confirmed. Nothing was sent.', { outcome: 'not-sent', declined: true })
}

/** bankSetting: bank details. */
function details(type: RecordType, section: string): string {
  return `${(fieldAt(type.fields, section)?.label ?? section).toLowerCase()} details`
}
