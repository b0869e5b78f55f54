import type { Field } from '../../api/contract/fields/field.ts'
import { checkValue } from '../../api/contract/standards/check-value.ts'
import type { Json } from '../../json/path.ts'
import type { FormContext } from '../form/form-context.ts'
import type { AskedField, QuestionReply, QuestionResult } from './asked-field.ts'
import { askChoice, suggestedValues } from './choice-question.ts'
import { confirmWarning } from './confirm-warning.ts'
import { showFieldHelp } from './field-help.ts'
import { formatValue } from './format-value.ts'
import { askLines } from './lines-question.ts'
import { askList, isListed } from './list-question.ts'
import { askText } from './text-question.ts'

/**
 * Asks for one field, in the way that suits its type. Enter keeps the current value. Asks again if the service does not
 * allow the value; if a public standard warns about it, the person decides.
 */
export async function askQuestion(form: FormContext, asked: AskedField): Promise<QuestionResult> {
  const { field, now, before } = asked
  for (;;) {
    const reply = await askByType(form, asked)
    if ('value' in reply) {
      const isNew = reply.value !== now && reply.value !== before
      const warning = isNew ? checkValue(field, reply.value, form.today) : undefined
      if (!warning) return reply
      const decision = await confirmWarning(form, field, warning)
      if (decision === 'take') return { value: warning.suggestion, ...relatedAnswer(field, reply.value) }
      if (decision === 'keep') return reply
    } else if (reply.move === 'explain') showFieldHelp(form, asked)
    else if (reply.move === 'empty') {
      form.say(`${field.label}: nothing now.`, '  ')
      return { value: emptyValue(field, before) }
    } else if (reply.move === 'restore') {
      const restored = formatValue(field, before, form.reveal) || 'nothing'
      form.say(`${field.label}: ${restored}, as before.`, '  ')
      return { value: undefined }
    } else return { move: reply.move }
  }
}

function askByType(form: FormContext, asked: AskedField): Promise<QuestionReply> {
  if (asked.field.type === 'lines') return askLines(form, asked)
  if (isListed(asked.field)) return askList(form, asked, askQuestion)
  return suggestedValues(asked.field).length > 0 ? askChoice(form, asked) : askText(form, asked)
}

/** "suffix W1/M1/X belongs in `taxBasis`": 1257L W1 answers two fields. */
function relatedAnswer({ standard }: Field, typed: Json): { also?: readonly [string, Json] } {
  const hasSuffix = standard === 'tax-code' && /(?:W\s*1|M\s*1|X)\s*$/i.test(String(typed))
  return hasSuffix ? { also: ['taxBasis', 'W1M1'] } : {}
}

/**
 * The value that empties a field: an empty text or list if one can be sent, or else null, which leaves the field out
 * unless the document allows null. No answer if there was no value before.
 */
function emptyValue({ type, nullable }: Field, before: Json): Json {
  if (before === undefined || before === null) return undefined
  if (nullable) return null
  if (type === 'string') return ''
  return type === 'lines' || type === 'array' ? [] : null
}
