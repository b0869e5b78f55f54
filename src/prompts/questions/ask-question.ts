import type { Field } from '../../api/contract/fields/field.ts'
import { checkValue } from '../../api/contract/standards/check-value.ts'
import { splitTaxCode } from '../../api/contract/standards/tax-code.ts'
import type { Json } from '../../json/path.ts'
import type { FormContext } from '../form/form-context.ts'
import type { Answer, AskedField, QuestionReply, QuestionResult } from './asked-field.ts'
import { askChoice, suggestedValues } from './choice-question.ts'
import { confirmWarning } from './confirm-warning.ts'
import { showFieldHelp } from './field-help.ts'
import { formatValue } from './format-value.ts'
import { askKinds } from './kinds-question.ts'
import { askLines } from './lines-question.ts'
import { askList, isListed } from './list-question.ts'
import { parseInput, validationError } from './parse-input.ts'
import { askPick } from './pick-question.ts'
import { askText } from './text-question.ts'
import { unknownAnswer } from './unknown-answer.ts'

/**
 * Asks for one field, in the way that suits its type. Enter keeps the current value. Asks again if the service does not
 * allow the value; if a public standard warns about it, the person decides.
 */
export async function askQuestion(form: FormContext, asked: AskedField): Promise<QuestionResult> {
  const { field, before } = asked
  for (;;) {
    const reply = await askByType(form, asked)
    if ('value' in reply) {
      const settled = await settleWarnings(form, asked, reply)
      if (settled) return settled
    } else if (reply.move === 'explain') showFieldHelp(form, asked)
    else if (reply.move === 'empty') {
      form.say(`${field.label}: nothing now.`, '  ')
      return { value: emptyValue(field, before) }
    } else if (reply.move === 'restore') {
      const restored = formatValue(field, before, form.shown()) || 'nothing'
      form.say(`${field.label}: ${restored}, as before.`, '  ')
      return { value: undefined }
    } else return { move: reply.move }
  }
}

/** The answer that the person wants, once a standard warns of it no more or it is kept; undefined to ask again. */
async function settleWarnings(
  form: FormContext,
  { field, now, before }: AskedField,
  reply: Answer,
): Promise<QuestionResult | undefined> {
  let answer = reply
  for (;;) {
    const { value } = answer
    const isNew = value !== now && value !== before
    const warning = isNew
      ? (checkValue(field, value, form.today) ?? (await unknownAnswer(form, field, value)))
      : undefined
    if (!warning) return answer
    // The question is the line above, until another answer was typed at a doubt.
    const above = answer === reply ? undefined : field.label
    const decision = await confirmWarning(form, field, warning, above)
    if (decision === 'take') return { value: warning.suggestion, ...relatedAnswer(field, value) }
    if (decision === 'keep') return answer
    if (decision === 'again') return undefined
    const refused = validationError(field, decision.typed, form.today)
    if (refused) return void form.say(form.style.bad(`! ${refused}`))
    answer = { value: parseInput(field, decision.typed, form.today) }
  }
}

function askByType(form: FormContext, asked: AskedField): Promise<QuestionReply> {
  const { field, isNew } = asked
  if (field.type === 'lines') return askLines(form, asked)
  if (isListed(field)) return askList(form, asked, askQuestion)
  if (field.kinds && isNew) return askKinds(form, asked, field.kinds)
  if (field.picks) return askPick(form, asked, field.picks)
  return suggestedValues(field).length > 0 ? askChoice(form, asked) : askText(form, asked)
}

/** "suffix W1/M1/X belongs in `taxBasis`": 1257L W1 answers two fields. */
function relatedAnswer({ standard }: Field, typed: Json): Pick<QuestionResult, 'also'> {
  const split = standard === 'tax-code' ? splitTaxCode(String(typed)) : undefined
  return split ? { also: [['taxBasis', split.taxBasis]] } : {}
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
