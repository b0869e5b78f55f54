import type { Field } from '../../api/contract/fields/field.ts'
import type { Warning } from '../../api/contract/standards/warning.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { FormContext } from '../form/form-context.ts'
import type { Choice } from '../terminal/prompt.ts'
import { formatValue } from './format-value.ts'

/** What to do about a doubt: take the suggestion, ask again, keep the answer, or another answer that was typed. */
type Decision = 'take' | 'again' | 'keep' | { readonly typed: string }

/**
 * Asks the person what to do about a warning: take the suggestion, type the value again, or keep it. Enter takes the
 * suggestion, or asks again where there is none: it never keeps the value. Whatever else is typed is the new answer.
 * `label`: of the field, unless the line above has it.
 */
export function confirmWarning(
  { ask, shown }: FormContext,
  field: Field,
  { message, suggestion }: Warning,
  label?: string,
): Promise<Decision> {
  const hidden = (field.sensitive ?? false) && shown().masked
  const corrected = hidden ? 'the corrected form' : formatValue(field, suggestion, shown())
  const choices: Choice<Decision>[] = [
    ...(suggestion
      ? [{ value: 'take' as const, name: `Take ${corrected}`, short: `Took ${corrected}.` }]
      : []),
    { value: 'again', name: 'Type it again', short: '' },
    { value: 'keep', name: 'Keep it as typed', short: 'Kept as typed.' },
  ]
  return ask.choose<Decision>({
    message:
      label === undefined
        ? `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
        : `${label}: ${message}.`,
    mark: 'caution',
    hidden,
    choices,
    find: (typed) => {
      const text = typed.toLowerCase()
      const words = choices.filter(({ name }) => name.toLowerCase().startsWith(text))
      const answer = hidden ? '*'.repeat(typed.length) : safeText(typed)
      return [...words, { value: { typed }, name: `Answer ${answer}`, short: `Answered ${answer}.` }]
    },
  })
}
