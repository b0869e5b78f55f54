import type { Field } from '../../api/contract/fields/field.ts'
import type { Json } from '../../json/path.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { FormContext } from '../form/form-context.ts'
import { keyOfInput, moveWords } from '../terminal/form-keys.ts'
import { type AskedField, hintOf, type QuestionReply } from './asked-field.ts'
import { remarkOn } from './confirm-warning.ts'
import { formatUnderstood, formatValue } from './format-value.ts'
import { formHint, parseInput, validationError } from './parse-input.ts'

/** A value that is typed in one line. */
export async function askText(
  { ask, today, reveal }: FormContext,
  asked: AskedField,
): Promise<QuestionReply> {
  const { field, now } = asked
  const hidden = (field.sensitive ?? false) && !reveal
  const kept = formatValue(field, now, reveal)
  const valueIn = (typed: string): Json => (typed.trim() === '' ? now : parseInput(field, typed, today))
  const typed = await ask.line({
    message: field.label,
    hint: hintOf(asked, kept ? ` [${kept}]` : formHint(field)),
    ...(field.help && { help: field.help }),
    hidden,
    moves: moveWords,
    refuse: (text) => (text.trim() === '' ? undefined : validationError(field, text, today)),
    live: (text) => said(text),
    echo: (text) => (text.trim() === '' ? kept : formatUnderstood(field, valueIn(text), reveal)),
  })
  const move = keyOfInput(typed)
  return move ? { move } : { value: valueIn(typed) }

  /** How the text would be understood, and whether it passes; nothing while it may still become something. */
  function said(text: string): string | undefined {
    if (validationError(field, text, today)) return undefined
    const value = parseInput(field, text, today)
    const remark = remarkOn(field, value, today)
    if (remark?.suggestion)
      return hidden ? 'nearly; Enter tells' : `nearly: ${safeText(remark.suggestion)}; Enter tells more`
    const understood = formatUnderstood(field, value, reveal)
    const reads = !hidden && understood !== text.trim() ? understood : ''
    return remark ? reads : hasForm(field) || reads ? `✓ ${reads || 'fits'}` : undefined
  }
}

/** A name and a reference have no form of their own to fit. */
const hasForm = ({ standard }: Field) => standard && standard !== 'name' && standard !== 'reference'
