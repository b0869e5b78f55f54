import type { Field } from '../../api/contract/fields/field.ts'
import { checkStandard, countryRemark } from '../../api/contract/standards/standards.ts'
import type { Warning } from '../../api/contract/standards/warning.ts'
import type { Json } from '../../json/path.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { FormContext } from '../form/form-context.ts'

/** What a public standard says of an answer; undefined when it says nothing. */
export function remarkOn(field: Field, value: Json, today: string): Warning | undefined {
  if (field.type === 'country') return countryRemark(value)
  return (field.standard && checkStandard(field.standard, value, today)) ?? invisible(value)
}

/** What comes along with text pasted from elsewhere, and nobody sees in the answer. */
function invisible(value: Json): Warning | undefined {
  if (typeof value !== 'string' || safeText(value) === value) return undefined
  return { message: 'invisible characters in it', suggestion: safeText(value).trim() }
}

/**
 * Puts a doubt to the person, who decides: the suggestion, the value as typed, or another try. Enter takes what is
 * suggested, and else asks again: it never keeps what is doubted.
 */
export function confirmWarning(
  { ask }: FormContext,
  field: Field,
  { message, suggestion }: Warning,
): Promise<'take' | 'again' | 'keep'> {
  const meant = field.sensitive ? 'the corrected form' : safeText(suggestion ?? '')
  return ask.choose<'take' | 'again' | 'keep'>({
    // The label stands in the line above, with the answer.
    message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
    mark: 'caution',
    choices: [
      ...(suggestion ? [{ value: 'take' as const, name: `Take ${meant}`, short: `Took ${meant}.` }] : []),
      { value: 'again', name: 'Type it again', short: '' },
      { value: 'keep', name: 'Keep it as typed', short: 'Kept as typed.' },
    ],
  })
}
