import { type JsonObject, valueAt } from '../../json/path.ts'
import { formatValue } from '../questions/format-value.ts'
import { isListed, itemLine, itemOfList } from '../questions/list-question.ts'
import type { FormContext } from './form-context.ts'
import type { Answers, FormSection } from './form-section.ts'
import { labelOf } from './review.ts'

/** Shows what an update changes, a line for each field. It stands right above the menu. */
export function showChanges(
  form: FormContext,
  sections: readonly FormSection[],
  before: JsonObject,
  answers: Answers,
): void {
  const { say, style, shown } = form
  const leaves = sections.flatMap(({ questions }) => questions)
  const changed = Object.entries(answers).flatMap(([path, value]) => {
    const field = leaves.find((leaf) => leaf.path === path)?.field
    if (!field) return []
    const show = (each: unknown) =>
      isListed(field) && Array.isArray(each)
        ? each.map((item) => itemLine(itemOfList(field).fields, item, shown())).join('; ')
        : formatValue(field, each, shown())
    const [old, now] = [show(valueAt(before, path.split('.'))), show(value)]
    const hidden = old === now ? ' (changed)' : ''
    return [`${labelOf(sections, path)}: ${old || 'nothing'} → ${now || 'nothing'}${hidden}`]
  })
  if (changed.length === 0) return
  say(style.heading('What changes'))
  for (const line of changed) say(line, '  ')
  say('')
}
