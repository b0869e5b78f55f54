import type { Warning } from './warning.ts'

/** A test of a value and its message. Of several, the first whose test holds gives the message. */
type RuleNote<Value> = readonly [
  holds: RegExp | ((value: Value, today: string) => boolean),
  message: MessageOf<Value>,
]

type MessageOf<Value> = string | ((value: Value) => string)

/** A public standard as data. It only warns: it never refuses a value, and no message shows one that is sensitive. */
export type StandardRule = TextRule | NumberRule

interface NumberRule {
  readonly of: 'number'
  /** The rule in one sentence, with its source. */
  readonly sentence: string
  readonly notes: readonly RuleNote<number>[]
}

/** A standard for texts. */
export interface TextRule {
  readonly of?: never
  readonly sentence: string
  /** The code in a text; without this, the text in capitals and without blanks. */
  readonly bare?: (text: string) => string
  /** The text is judged as it is, and blanks of another kind are blanks. */
  readonly blanksCount?: true
  /** Messages about values that may be written well but are not wanted. They come before `fits`. */
  readonly notes?: readonly RuleNote<string>[]
  readonly fits?: (code: string) => boolean
  /** The one form of a code: in capitals without spaces and dashes, but for the one space that this puts in. */
  readonly form?: (code: string) => string
  /** The codes that were probably meant by one that does not fit. */
  readonly meant?: (code: string) => readonly string[]
  /** Messages about a code that does not fit. */
  readonly faults?: readonly RuleNote<string>[]
  /** The message where no fault holds. */
  readonly otherwise?: MessageOf<string>
}

/** Takes a code as it is. */
export const asItIs = (code: string): string => code

/** The warning of a standard about a text without invisible characters. `today` is YYYY-MM-DD. */
export function judgeText(rule: TextRule, text: string, today: string): Warning | undefined {
  const {
    blanksCount,
    bare = blanksCount ? asItIs : normalize,
    notes,
    fits,
    form = asItIs,
    faults,
    otherwise = '',
  } = rule
  const code = bare(text)
  const note = firstOf(notes, code, today)
  if (note !== undefined) return { message: note }
  if (fits?.(code) ?? true) return undefined
  const isRight = (other: string) => fits?.(other) && firstOf(notes, other, today) === undefined
  const fault = firstOf(faults, code, today) ?? messageText(otherwise, code)
  const suggestion = rule.meant?.(code).find(isRight)
  if (suggestion === undefined) return { message: fault }
  return {
    message: asDigits(suggestion) === asDigits(code) ? lookAlike : fault,
    suggestion: form(suggestion),
  }
}

/** The warning of a standard about a number. */
export function judgeNumber({ notes }: NumberRule, value: number, today: string): Warning | undefined {
  const message = firstOf(notes, value, today)
  return message === undefined ? undefined : { message }
}

function firstOf<Value>(
  remarks: readonly RuleNote<Value>[] | undefined,
  value: Value,
  today: string,
): string | undefined {
  const remark = remarks?.find(([holds]) =>
    holds instanceof RegExp ? holds.test(String(value)) : holds(value, today),
  )
  return remark && messageText(remark[1], value)
}

const messageText = <Value>(message: MessageOf<Value>, value: Value) =>
  typeof message === 'string' ? message : message(value)

/** The value in capitals and without spaces, which do not change its meaning. */
export function normalize(text: string): string {
  return text.replaceAll(' ', '').toUpperCase()
}

/** Letters read as the digits they are mistaken for: O for 0, I and L for 1. Expects capitals. */
export function asDigits(code: string): string {
  return code.replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

/** The message about a code that fits once similar letters and digits are swapped. */
const lookAlike = 'a letter stands for a digit, or a digit for a letter, such as O and 0'
