import type { Leaf } from '../../api/contract/fields/field-tree.ts'
import { warnings } from '../../api/contract/standards/warnings.ts'
import type { Issue } from '../../errors.ts'
import { type JsonObject, valueAt } from '../../json/path.ts'
import { safeText } from '../../render/text/safe-text.ts'
import { remarkOn } from '../questions/confirm-warning.ts'
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
 * What does not fit together since an answer was given: bank details and IBAN, NI category and age. What is doubted
 * of the answer alone was put to the person already.
 */
export function newRemarks(
  { type, today }: FormContext,
  rooms: readonly FormSection[],
  change: Change,
): string[] {
  const { leaf, before, after } = change
  const old = new Set(warnings(type, before, today).map(asLine))
  const own = remarkOn(leaf.field, valueAt(after, leaf.path.split('.')), today)
  const isOwn = ({ path, message }: Issue) =>
    own !== undefined && path === leaf.path && message.startsWith(own.message)
  return warnings(type, after, today)
    .filter((issue) => !old.has(asLine(issue)) && !isOwn(issue))
    .map(({ path, message }) => safeText(`${labelOf(rooms, path)}: ${message}`))
}

const asLine = ({ path, message }: Issue) => `${path}: ${message}`
