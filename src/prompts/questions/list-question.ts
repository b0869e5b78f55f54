import { isObject, type Json, type JsonObject } from '../../files/json/path.ts'
import type { Field, Fields } from '../../model/fields/field.ts'
import type { ChoicePrompt } from '../terminal/prompt.ts'
import {
  type AskedField,
  type FormKey,
  isNavigation,
  type QuestionReply,
  type QuestionResult,
  questionHint,
  repliesByKey,
} from './asked-field.ts'
import type { FormContext } from './form-context.ts'
import { formatValue, type ValueDisplay } from './format-value.ts'

/** A number is the place of an item to change. */
type ListChoice = 'on' | 'add' | 'none' | number | { readonly remove: number } | { readonly move: FormKey }

/** Asks for a list of records: the person adds, changes or removes items until they go on. */
export async function askList(
  form: FormContext,
  question: AskedField,
  askField: (form: FormContext, asked: AskedField) => Promise<QuestionResult>,
): Promise<QuestionReply> {
  const { field, now } = question
  const { label, fields } = itemOfList(field)
  let items: readonly Json[] = Array.isArray(now) ? now : []
  const listWith = (at: number, item: JsonObject) =>
    at === items.length && Object.keys(item).length === 0 ? items : items.toSpliced(at, 1, item)
  for (;;) {
    const choice = await form.ask.choose(listPrompt(form, question, items))
    if (typeof choice === 'object' && 'move' in choice) {
      const isLeft = isNavigation(choice.move) && items !== now
      return isLeft ? { move: choice.move, value: listOrNothing(items, now) } : choice
    }
    if (choice === 'on') return { value: listOrNothing(items, now) }
    if (choice === 'none') return { value: [] }
    if (typeof choice === 'object') items = items.toSpliced(choice.remove, 1)
    else {
      const at = choice === 'add' ? items.length : choice
      const { item, move } = await askItem(items[at], at)
      const newItems = listWith(at, item)
      if (newItems === items && !move) form.say(`Nothing was given, so nothing was added to ${field.label}.`)
      items = newItems
      if (move) return items === now ? { move } : { move, value: listOrNothing(items, now) }
    }
    await question.keep?.(listOrNothing(items, now))
  }

  async function askItem(
    current: Json,
    index: number,
  ): Promise<{ readonly item: JsonObject; readonly move?: 'on' | 'review' }> {
    const questions = Object.entries(fields)
    let item = isObject(current) ? current : {}
    for (let at = 0; at < questions.length; ) {
      const [name, field] = questions[at] as (typeof questions)[number]
      const reply = await askField(form, {
        path: `${question.path}[0].${name}`,
        field: { ...field, label: `${label} ${index + 1}: ${field.label}` },
        now: item[name],
        before: undefined,
      })
      if ('value' in reply) {
        const { [name]: _, ...others } = item
        item = reply.value === undefined ? others : { ...item, [name]: reply.value }
        await question.keep?.(listOrNothing(listWith(index, item), now))
      }
      if (reply.move === 'on' || reply.move === 'review') return { item, move: reply.move }
      if (reply.move === 'back' && at === 0) return { item }
      at += reply.move === 'back' ? -1 : 1
    }
    return { item }
  }
}

/** The list as an answer. An empty one leaves the old value, unless that was a list too. */
function listOrNothing(items: readonly Json[], now: Json): Json {
  return items.length === 0 && !Array.isArray(now) ? now : [...items]
}

/** The label of an item and the fields that the form asks for; none if the document shows none. */
export function itemOfList({ item }: Field): { readonly label: string; readonly fields: Fields } {
  return { label: item?.label ?? '', fields: item?.fields ?? item?.promptFields ?? {} }
}

/** Whether a field is a list whose items can be asked for one by one. */
export const isListed = (field: Field) => Object.keys(itemOfList(field).fields).length > 0

/** One item as one line: `Payment rate DAY, Pay rate 21.50`. */
export function itemLine(fields: Fields, item: Json, display: ValueDisplay): string {
  return formatValue({ type: 'object', label: '', fields }, item, display)
}

function listPrompt(
  form: FormContext,
  question: AskedField,
  items: readonly Json[],
): ChoicePrompt<ListChoice> {
  const { label, fields } = itemOfList(question.field)
  const display = form.shown
  return {
    message: question.field.label,
    hint: questionHint(question, ` (${items.length} there)`),
    help: question.field.help,
    choices: [
      { value: 'on', name: 'go on', short: String(items.length) },
      { value: 'add', name: `add a ${label.toLowerCase()}`, short: '' },
      ...(items.length === 0 ? [{ value: 'none' as const, name: 'there are none', short: 'none' }] : []),
      ...items.flatMap((item, at) => {
        const what = `${at + 1}: ${itemLine(fields, item, display)}`
        return [
          { value: at, name: `change ${what}`, short: '' },
          { value: { remove: at }, name: `remove ${what}`, short: `removed ${at + 1}` },
        ]
      }),
    ],
    keys: repliesByKey,
  }
}
