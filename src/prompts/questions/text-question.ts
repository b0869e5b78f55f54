import type { Field } from '../../api/contract/fields/field.ts'
import { checkValue } from '../../api/contract/standards/standards.ts'
import type { Json } from '../../json/path.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { FormContext } from '../form/form-context.ts'
import { keyOfInput, moveWords } from '../terminal/form-keys.ts'
import { type AskedField, hintOf, type QuestionReply } from './asked-field.ts'
import { formatUnderstood, formatValue } from './format-value.ts'
import { formHint, parseInput, validationError } from './parse-input.ts'

/** Asks for a value on one line. */
export async function askText(
  { ask, today, shown, mask }: FormContext,
  asked: AskedField,
): Promise<QuestionReply> {
  const { field, now } = asked
  const sensitive = field.sensitive ?? false
  const isHidden = () => sensitive && shown().masked
  const kept = () => formatValue(field, now, shown())
  const toValue = (typed: string): Json => (typed.trim() === '' ? now : parseInput(field, typed, today))
  const typed = await ask.line({
    message: field.label,
    hint: hintOf(asked, kept() ? ` [${kept()}]` : formHint(field)),
    ...(field.help && { help: field.help }),
    hidden: isHidden(),
    ...(sensitive && { onHide: mask }),
    moves: moveWords,
    refuse: (text) => (text.trim() === '' ? undefined : validationError(field, text, today)),
    live: comment,
    echo: (text) => (text.trim() === '' ? kept() : formatUnderstood(field, toValue(text), shown())),
  })
  const move = keyOfInput(typed)
  return move ? { move } : { value: toValue(typed) }

  /** Shown while typing: how the text is understood and whether it passes; nothing while it is incomplete. */
  function comment(text: string): string | undefined {
    if (validationError(field, text, today)) return undefined
    const value = parseInput(field, text, today)
    const warning = checkValue(field, value, today)
    if (warning?.suggestion)
      return isHidden() ? 'nearly; Enter tells' : `nearly: ${safeText(warning.suggestion)}; Enter tells more`
    const understood = formatUnderstood(field, value, shown())
    const differs = !isHidden() && understood !== text.trim() ? understood : ''
    return warning ? differs : hasForm(field) || differs ? `✓ ${differs || 'fits'}` : undefined
  }
}

/** Whether the standard has a format; those of names and references have none. */
const hasForm = ({ standard }: Field) => standard && standard !== 'name' && standard !== 'reference'
