import type { Kind } from '../../api/contract/fields/field.ts'
import type { FormContext } from '../form/form-context.ts'
import { repliesByKey } from '../terminal/form-keys.ts'
import type { Choice } from '../terminal/prompt.ts'
import { type AskedField, hintOf, type QuestionReply } from './asked-field.ts'

/** Asks for a yes by its kind: which student loan. The field of the kind is asked for next, those of the others emptied. */
export function askKinds(
  { ask }: FormContext,
  asked: AskedField,
  kinds: readonly Kind[],
): Promise<QuestionReply> {
  const { field, now } = asked
  const emptied = (but?: Kind) =>
    kinds.filter((kind) => kind !== but).map((kind) => [kind.field, undefined] as const)
  const no: Choice<QuestionReply> = { value: { value: false, also: emptied() }, name: 'No' }
  const known = kinds.map(
    (kind): Choice<QuestionReply> => ({
      value: { value: true, also: emptied(kind), next: kind.field },
      name: kind.name,
    }),
  )
  const unknown: Choice<QuestionReply> = { value: { value: true }, name: 'Yes, but it is not known which' }
  const choices = now === true ? [unknown, ...known, no] : [no, ...known, unknown]
  return ask.choose<QuestionReply>({
    message: field.label,
    hint: hintOf(asked, ''),
    ...(field.help && { help: field.help }),
    choices,
    none: 'Answer no, or which one it is.',
    moves: repliesByKey,
  })
}
