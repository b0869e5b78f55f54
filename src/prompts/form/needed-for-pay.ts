import type { Leaf } from '../../api/contract/fields/field-tree.ts'
import { type JsonObject, valueAt } from '../../json/path.ts'
import { isAskedFor, isEmpty } from './asked.ts'
import { type FormSection, hasAnswer } from './form-section.ts'

/** What a payslip needs and the record lacks, by its labels, in the order of the form. */
export function neededForPay(sections: readonly FormSection[], body: JsonObject): string[] {
  return sections
    .flatMap(({ questions }) => questions)
    .flatMap((leaf, _, questions) => {
      if (lacksKind(leaf, body)) return [`${leaf.field.label} (which one)`]
      const isLacking = leaf.field.neededForPay && isAskedFor(leaf, body) && !hasAnswer(leaf, body)
      return isLacking ? [labelOf(leaf, questions)] : []
    })
}

/** The label, with that of the field that does as well: a rate or a salary. */
function labelOf({ path, field }: Leaf, questions: readonly Leaf[]): string {
  const { when, label } = field
  const name = when && 'without' in when ? when.without : undefined
  const other = name && questions.find((each) => each.path === path.replace(/[^.]+$/, name))
  return other ? `${label} or ${other.field.label.toLowerCase()}` : label
}

/** Whether there is a student loan without a plan: the deduction depends on it. */
function lacksKind({ path, field }: Leaf, body: JsonObject): boolean {
  if (!field.kinds || valueAt(body, path.split('.')) !== true) return false
  const above = path.split('.').slice(0, -1)
  return field.kinds.every((kind) => isEmpty(valueAt(body, [...above, kind.field])))
}
