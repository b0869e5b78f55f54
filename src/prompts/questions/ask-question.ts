import type { Field } from '../../api/contract/fields/field.ts'
import type { Json } from '../../json/path.ts'
import type { FormContext } from '../form/form-context.ts'
import type { AskedField, QuestionReply, QuestionResult } from './asked-field.ts'
import { askChoice, suggestedValues } from './choice-question.ts'
import { confirmWarning, remarkOn } from './confirm-warning.ts'
import { showFieldHelp } from './field-help.ts'
import { formatValue } from './format-value.ts'
import { askLines } from './lines-question.ts'
import { askList, isListed } from './list-question.ts'
import { askText } from './text-question.ts'

/**
 * Asks for one field, in the way its type deserves. Enter keeps what there is now. What the document rules out is
 * asked again; what a public standard doubts, the person decides.
 */
export async function askQuestion(asking: FormContext, asked: AskedField): Promise<QuestionResult> {
  const { field, now, before } = asked
  for (;;) {
    const reply = await answer(asking, asked)
    if ('value' in reply) {
      const remark =
        reply.value === now || reply.value === before ? undefined : remarkOn(field, reply.value, asking.today)
      if (!remark) return reply
      const decided = await confirmWarning(asking, field, remark)
      if (decided === 'take') return { value: remark.suggestion, ...besides(field, reply.value) }
      if (decided === 'keep') return reply
    } else if (reply.move === 'explain') showFieldHelp(asking, asked)
    else if (reply.move === 'empty') {
      asking.say(`  ${field.label}: nothing now.`)
      return { value: emptied(field, before) }
    } else if (reply.move === 'restore') {
      asking.say(`  ${field.label}: ${formatValue(field, before, asking.reveal) || 'nothing'}, as before.`)
      return { value: undefined }
    } else return { move: reply.move }
  }
}

/** "suffix W1/M1/X belongs in `taxBasis`": 1257L W1 says two things. */
function besides({ standard }: Field, typed: Json): { also?: readonly [string, Json] } {
  const isTwo = standard === 'tax-code' && /(?:W\s*1|M\s*1|X)\s*$/i.test(String(typed))
  return isTwo ? { also: ['taxBasis', 'W1M1'] } : {}
}

function answer(asking: FormContext, asked: AskedField): Promise<QuestionReply> {
  if (asked.field.type === 'lines') return askLines(asking, asked)
  if (isListed(asked.field)) return askList(asking, asked, askQuestion)
  return suggestedValues(asked.field).length > 0 ? askChoice(asking, asked) : askText(asking, asked)
}

/**
 * Nothing in place of what was there before: as text an empty one, as a list an empty one, and where neither can
 * be sent null, which leaves the field out unless the document allows null.
 */
function emptied({ type, nullable }: Field, before: Json): Json {
  if (before === undefined || before === null) return undefined
  if (nullable) return null
  if (type === 'string') return ''
  return type === 'lines' || type === 'array' ? [] : null
}
