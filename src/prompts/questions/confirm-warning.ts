import type { Field } from '../../api/contract/fields/field.ts'
import type { Warning } from '../../api/contract/standards/warning.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { FormContext } from '../form/form-context.ts'

/**
 * Asks the person what to do about a warning: take the suggestion, type the value again, or keep it. Enter takes the
 * suggestion, or asks again where there is none: it never keeps the value.
 */
export function confirmWarning(
  { ask }: FormContext,
  field: Field,
  { message, suggestion }: Warning,
): Promise<'take' | 'again' | 'keep'> {
  const corrected = field.sensitive ? 'the corrected form' : safeText(suggestion ?? '')
  return ask.choose<'take' | 'again' | 'keep'>({
    // The line above has the label and the answer.
    message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
    mark: 'caution',
    choices: [
      ...(suggestion
        ? [{ value: 'take' as const, name: `Take ${corrected}`, short: `Took ${corrected}.` }]
        : []),
      { value: 'again', name: 'Type it again', short: '' },
      { value: 'keep', name: 'Keep it as typed', short: 'Kept as typed.' },
    ],
  })
}
