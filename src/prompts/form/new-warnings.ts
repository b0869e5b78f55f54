import type { Leaf } from '../../api/contract/fields/field-tree.ts'
import { checkValue } from '../../api/contract/standards/check-value.ts'
import { warnings } from '../../api/contract/standards/warnings.ts'
import type { Issue } from '../../errors.ts'
import { type JsonObject, valueAt } from '../../json/path.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { FormContext } from './form-context.ts'
import type { FormSection } from './form-section.ts'
import { labelOf } from './review.ts'

interface Change {
  /** The field that was answered. */
  readonly leaf: Leaf
  readonly before: JsonObject
  readonly after: JsonObject
}

/**
 * The warnings that an answer caused, for example that NI category and age no longer fit together. Leaves out a warning
 * about the answer itself: the person already saw it with the question.
 */
export function newWarnings(
  { type, today }: FormContext,
  sections: readonly FormSection[],
  { leaf, before, after }: Change,
): string[] {
  const old = new Set(warnings(type, before, today).map(asLine))
  const own = checkValue(leaf.field, valueAt(after, leaf.path.split('.')), today)
  const isOwn = ({ path, message }: Issue) =>
    own !== undefined && path === leaf.path && message.startsWith(own.message)
  return warnings(type, after, today)
    .filter((issue) => !old.has(asLine(issue)) && !isOwn(issue))
    .map(({ path, message }) => safeText(`${labelBeside(leaf, sections, path)}: ${message}`))
}

const asLine = ({ path, message }: Issue) => `${path}: ${message}`

/** The label alone for a field of the section that the person is in. */
function labelBeside({ field }: Leaf, sections: readonly FormSection[], path: string): string {
  const own = sections.flatMap(({ questions }) => questions).find((other) => other.path === path)
  return own && own.field.section === field.section ? own.field.label : labelOf(sections, path)
}
