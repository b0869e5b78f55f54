import type { PickedFrom } from '../../api/contract/fields/field.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { FormContext } from '../form/form-context.ts'
import { repliesByKey } from '../terminal/form-keys.ts'
import { type Choice, searchByName } from '../terminal/prompt.ts'
import { type AskedField, hintOf, type QuestionReply } from './asked-field.ts'
import { askText } from './text-question.ts'

/** Asks for one of the records that the service has. Where they cannot be read, or there are none, it is typed. */
export async function askPick(
  form: FormContext,
  asked: AskedField,
  from: PickedFrom,
): Promise<QuestionReply> {
  const records = (await form.recordsOf(from)) ?? []
  if (records.length === 0) return askText(form, asked)
  const { field, now } = asked
  const offered = records.map(
    ({ value, name }): Choice<QuestionReply> => ({ value: { value }, name: safeText(name) }),
  )
  const current = offered.filter(({ value }) => 'value' in value && value.value === now)
  const nothing: Choice<QuestionReply> = { value: { move: 'empty' }, name: 'leave empty', short: '' }
  const isThere = now !== undefined && now !== null && now !== ''
  const kept: Choice<QuestionReply>[] = isThere
    ? current.length > 0
      ? current
      : [{ value: { value: now }, name: safeText(String(now)) }]
    : []
  const others = offered.filter((choice) => !current.includes(choice))
  const choices = isThere ? [...kept, ...others, nothing] : [{ ...nothing, value: { value: now } }, ...others]
  return form.ask.search<QuestionReply>({
    message: field.label,
    hint: hintOf(asked, ' (type a part of it)'),
    ...(field.help && { help: field.help }),
    choices,
    find: (typed) => {
      const found = searchByName(choices, typed)
      const isOne = records.some(({ value }) => value.toLowerCase() === typed.toLowerCase())
      const asTyped = `${safeText(typed)} (as typed)`
      return isOne ? found : [...found, { value: { value: typed }, name: asTyped, short: safeText(typed) }]
    },
    moves: repliesByKey,
  })
}
