import type { JsonObject } from '../../json/path.ts'
import { isAskedFor } from './asked.ts'
import { type FormSection, hasAnswer } from './form-section.ts'

/** The labels of what a payslip needs and the record lacks, in the order of the form. */
export function neededForPay(sections: readonly FormSection[], body: JsonObject): string[] {
  return sections
    .flatMap(({ questions }) => questions)
    .filter((leaf) => leaf.field.neededForPay && isAskedFor(leaf, body) && !hasAnswer(leaf, body))
    .map(({ field }) => field.label)
}
