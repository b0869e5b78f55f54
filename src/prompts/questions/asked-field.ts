import type { Field } from '../../api/contract/fields/field.ts'
import type { Json } from '../../json/path.ts'
import type { FormKey, NavigationKey } from '../terminal/form-keys.ts'

/** One field as the form asks for it. */
export interface AskedField {
  readonly path: string
  readonly field: Field
  /** The answer so far, or the value from before this form; undefined for neither. */
  readonly now: Json
  /** The value from before this form. */
  readonly before: Json
  /** The field of the kind that a yes was said of: that of Plan 2. */
  readonly kindField?: string | undefined
  /** Whether the record is a new one. */
  readonly isNew?: boolean
  /** Keeps a part of the answer, in case the person stops in the middle of it. */
  readonly keep?: (value: Json) => Promise<void>
  /** How many questions are left, counting this one; undefined if they are not counted. */
  readonly left?: number
}

/**
 * What a person replies to a question: a value, a key, or both when they leave half-way. `undefined` means no answer
 * in this form; null removes the value.
 */
export type QuestionReply = Answer | { readonly move: FormKey }

/** How a question ended: with an answer, or where to go instead. */
export type QuestionResult =
  | Answer
  | { readonly value?: never; readonly move: NavigationKey; readonly also?: never; readonly next?: never }

/** An answer to a question. */
export interface Answer {
  readonly value: Json
  readonly move?: NavigationKey
  /** It was typed as another word than those that are offered. */
  readonly isOther?: true
  /** Fields beside this one that the same input also answered, or emptied: their names and values. */
  readonly also?: readonly (readonly [name: string, value: Json])[]
  /** The name of a field beside this one that is to be asked for next. */
  readonly next?: string
}

/** The hint behind a label, with the number of questions left. */
export function hintOf({ left }: AskedField, text: string): string {
  return text + (left === undefined ? '' : ` · ${left} left`)
}
