import { type JsonObject, valueAt } from '../api/contract/path.ts'
import { warnings } from '../api/contract/standards/warnings.ts'
import type { Leaf } from '../api/contract/walk.ts'
import type { Issue } from '../errors.ts'
import { safeText } from '../render/safe-text.ts'
import type { FormContext } from './asking.ts'
import { remarkOn } from './doubt.ts'
import { labelOf } from './review.ts'
import type { FormSection } from './rooms.ts'

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
export function newRemarks({ type, today }: FormContext, rooms: readonly FormSection[], change: Change): string[] {
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
