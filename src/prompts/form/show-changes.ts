import type { Leaf } from '../../api/contract/fields/field-tree.ts'
import { type Json, type JsonObject, valueAt } from '../../json/path.ts'
import { formatValue } from '../questions/format-value.ts'
import { isListed, itemLine, itemOfList } from '../questions/list-question.ts'
import { isEmpty } from './asked.ts'
import type { FormContext } from './form-context.ts'
import type { FormSection } from './form-section.ts'
import { labelOf } from './review.ts'

/** Shows how a record differs from what it was, a line for each field. It stands right above the menu. */
export function showChanges(
  form: FormContext,
  sections: readonly FormSection[],
  title: string,
  [before, after]: readonly [JsonObject, JsonObject],
): void {
  const { say, style } = form
  const changed = sections.flatMap(({ questions }) =>
    questions.flatMap((leaf) => {
      const [old, now] = [before, after].map((record) => valueAt(record, leaf.path.split('.')))
      const isSame = JSON.stringify(old) === JSON.stringify(now) || (isEmpty(old) && isEmpty(now))
      return isSame ? [] : [`${labelOf(sections, leaf.path)}: ${arrow(form, leaf, old, now)}`]
    }),
  )
  if (changed.length === 0) return
  say(style.heading(title))
  for (const line of changed) say(line, '  ')
  say('')
}

function arrow(form: FormContext, { field }: Leaf, before: Json, after: Json): string {
  const show = (each: Json) =>
    isListed(field) && Array.isArray(each)
      ? each.map((item) => itemLine(itemOfList(field).fields, item, form.shown())).join('; ')
      : formatValue(field, each, form.shown())
  const [old, now] = [show(before), show(after)]
  return `${old || 'nothing'} → ${now || 'nothing'}${old === now ? ' (changed)' : ''}`
}
