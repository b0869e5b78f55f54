import type { Field, Fields } from '../../api/contract/fields/field.ts'
import { isObject, type Json, type JsonObject } from '../../json/path.ts'
import type { FormContext } from '../form/form-context.ts'
import {
  type AskedField,
  type FormKey,
  hintOf,
  isNavigation,
  type QuestionReply,
  type QuestionResult,
  repliesByKey,
} from './asked-field.ts'
import { formatValue, type Shown } from './format-value.ts'

type ListChoice =
  | { readonly go: 'on' | 'add' | 'none' }
  | { readonly at: number }
  | { readonly move: FormKey }

/** Asks for one field. A list uses it to ask for the fields of its items. */
type AskField = (form: FormContext, asked: AskedField) => Promise<QuestionResult>

/** Asks for a list of records: the person adds, changes or removes items until they go on. */
export async function askList(
  form: FormContext,
  asked: AskedField,
  askField: AskField,
): Promise<QuestionReply> {
  const { field, now } = asked
  const { label, fields } = itemOfList(field)
  let items: Json[] = Array.isArray(now) ? now : []
  for (;;) {
    const chosen = await whichItem(form, asked, items)
    if ('move' in chosen) {
      return items === now || !isNavigation(chosen.move)
        ? chosen
        : { move: chosen.move, value: listOrNothing(items, now) }
    }
    if ('at' in chosen) items = await changeItem(items, chosen.at)
    else if (chosen.go === 'on') return { value: listOrNothing(items, now) }
    else if (chosen.go === 'none') return { value: [] }
    else {
      const item = await askItem({}, items.length)
      if (Object.keys(item).length > 0) items = [...items, item]
      else form.say(`Nothing was given, so nothing was added to ${field.label}.`)
    }
  }

  /** The list with one item changed or removed. */
  async function changeItem(items: Json[], at: number): Promise<Json[]> {
    const action = await form.ask.choose<'leave' | 'change' | 'remove'>({
      message: `${label} ${at + 1}: ${itemLine(fields, items[at], form.shown())}`,
      choices: [
        { value: 'leave', name: 'leave it as it is', short: '' },
        { value: 'change', name: 'change it', short: '' },
        { value: 'remove', name: 'remove it', short: 'removed' },
      ],
    })
    if (action === 'leave') return items
    if (action === 'remove') return items.toSpliced(at, 1)
    const item = items[at]
    return items.with(at, await askItem(isObject(item) ? item : {}, at))
  }

  /** Asks for the fields of one item, back and forth. */
  async function askItem(current: JsonObject, index: number): Promise<JsonObject> {
    const questions = Object.entries(fields)
    let item = current
    for (let at = 0; at < questions.length; ) {
      const [name, field] = questions[at] as (typeof questions)[number]
      const reply = await askField(form, {
        path: `${asked.path}[0].${name}`,
        field: { ...field, label: `${label} ${index + 1}: ${field.label}` },
        now: item[name],
        before: undefined,
      })
      if ('value' in reply) {
        const { [name]: _, ...others } = item
        item = reply.value === undefined ? others : { ...item, [name]: reply.value }
      }
      if (reply.move === undefined) at++
      else if (reply.move !== 'back') return item
      else if (at === 0) return item
      else at--
    }
    return item
  }
}

/** The items; without any, the value from before, unless that was a list too. */
function listOrNothing(items: Json[], now: Json): Json {
  return items.length === 0 && !Array.isArray(now) ? now : items
}

/** The label of an item and the fields that the form asks for; none if the document shows none. */
export function itemOfList({ item }: Field): { readonly label: string; readonly fields: Fields } {
  return { label: item?.label ?? '', fields: item?.fields ?? item?.promptFields ?? {} }
}

/** Whether a field is a list whose items can be asked for one by one. */
export const isListed = (field: Field) => Object.keys(itemOfList(field).fields).length > 0

/** One item as one line: `Payment rate DAY, Pay rate 21.50`. */
export function itemLine(fields: Fields, item: Json, shown: Shown): string {
  return formatValue({ type: 'object', label: '', fields }, item, shown)
}

function whichItem(form: FormContext, asked: AskedField, items: readonly Json[]): Promise<ListChoice> {
  const { label, fields } = itemOfList(asked.field)
  const shown = form.shown()
  return form.ask.choose<ListChoice>({
    message: asked.field.label,
    hint: hintOf(asked, ` (${items.length} there)`),
    help: asked.field.help,
    choices: [
      { value: { go: 'on' }, name: 'go on', short: String(items.length) },
      { value: { go: 'add' }, name: `add a ${label.toLowerCase()}`, short: '' },
      ...(items.length === 0
        ? [{ value: { go: 'none' as const }, name: 'there are none', short: 'none' }]
        : []),
      ...items.map((item, at) => ({
        value: { at },
        name: `change or remove ${at + 1}: ${itemLine(fields, item, shown)}`,
        short: '',
      })),
    ],
    keys: repliesByKey,
  })
}
