import type { Json } from '../../files/json/path.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Warning } from '../../model/standards/warning.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { Choice } from '../terminal/prompt.ts'

/** One field as the form asks for it. */
export interface AskedField {
  readonly path: string
  readonly field: Field
  /** The answer so far, or the value from before this form; undefined for neither. */
  readonly now: Json
  readonly before: Json
  /** A value that was just typed and doubted, to be typed again. */
  readonly doubted?: Json
  readonly kindField?: string | undefined
  readonly isNew?: boolean
  /** Keeps a part of the answer, in case the person stops in the middle of it. */
  readonly keep?: (value: Json) => Promise<void>
  readonly left?: number | undefined
}

/**
 * A value, a key, or both when one leaves half-way. In a value, undefined is no answer, and null removes the old one.
 */
export type QuestionReply = FieldAnswer | { readonly move: FormKey }

/** The end of a question: an answer, or where to go instead. */
export type QuestionResult =
  | FieldAnswer
  | { readonly value?: never; readonly move: NavigationKey; readonly also?: never; readonly next?: never }

/** An answer to a question. */
interface FieldAnswer {
  readonly value: Json
  readonly move?: NavigationKey
  readonly also?: readonly (readonly [name: string, value: Json])[]
  /** The name of a neighbouring field to ask for next. */
  readonly next?: string
}

/** The hint behind a label, with the number of questions left. */
export function questionHint({ left }: AskedField, text: string): string {
  return text + (left === undefined ? '' : ` · ${left} left`)
}

/** The reply of each key that is typed instead of an answer. No field has one of these as its value. */
export const repliesByKey = {
  '<': { move: 'back' },
  '>': { move: 'on' },
  '>>': { move: 'review' },
  '?': { move: 'explain' },
  '-': { move: 'empty' },
} as const

/** What such a key does. */
export type FormKey = (typeof repliesByKey)[keyof typeof repliesByKey]['move']

type NavigationKey = Exclude<FormKey, 'explain' | 'empty'>

/** Tells what is doubtful about an answer; undefined if nothing is. */
export type Doubt = (answer: FieldAnswer) => Warning | undefined

/** Typed text as an answer of its own. The service may know it, although this program does not. */
export function asTyped(text: string, doubt: Doubt): Choice<QuestionReply> {
  const isDoubtful = doubt({ value: text }) !== undefined
  return { value: { value: text }, name: `${safeText(text)} (as typed)`, short: safeText(text), isDoubtful }
}

/** Explains the keys, before the first question. In plain mode there is no cursor. */
export function keyHelp({ isUpdate, isPlain }: Readonly<Record<'isUpdate' | 'isPlain', boolean>>): string {
  const first = isPlain ? 'behind "Enter:"' : 'at ❯'
  const edit = isPlain ? '' : ', Tab edits it'
  const enter = isUpdate
    ? `Enter keeps what stands in [ ].`
    : `Enter takes what stands in [ ] or ${first}, or skips.`
  return `${enter} < goes back, > to the next section, >> to the review; ? explains; - empties an answer${edit}.`
}

export const isNavigation = (move: FormKey): move is NavigationKey => move !== 'explain' && move !== 'empty'
