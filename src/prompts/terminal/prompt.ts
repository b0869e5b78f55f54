import type { Readable, Writable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { Style } from '../../render/text/style.ts'
import { lineBreak } from './pasting.ts'

/** Something that is asked: a line to type, or one of several to choose. What draws it is `draw.ts` or `plain.ts`. */
export type Prompt<V> = LinePrompt<V> | ChoicePrompt<V>

interface BasePrompt<V> {
  readonly message: string
  readonly hint?: string | undefined
  readonly help?: string | undefined
  readonly hidden?: boolean | undefined
  /** Words that are keys rather than answers, and what each gives. */
  readonly keys?: Readonly<Record<string, V>> | undefined
}

/** A question that is answered by typing a line. */
export interface LinePrompt<V> extends BasePrompt<V> {
  /** The meaning of a line. It is asked for while one types too. */
  readonly read: (typed: string) => LineReading<V>
  /** The answer so far: Tab puts it into the line, where it can be changed. */
  readonly old?: string | undefined
  /** The text in the line from the start, and a listener to each change of it. */
  readonly begun?: string | undefined
  readonly onTyped?: ((typed: string) => void) | undefined
  /** Whether several lines may be pasted at once. */
  readonly several?: boolean | undefined
  /** Told when Ctrl-T hides the answer or shows it; without it, Ctrl-T does nothing. */
  readonly onHide?: ((hidden: boolean) => void) | undefined
}

/** The meaning of a line, or the reason why it is not taken: it is then asked for again. */
export type LineReading<V> =
  | { readonly refused: string }
  | {
      readonly value: V
      /** How it was understood, shown once it is answered; without it, the line as it was typed. Empty: nothing was answered. */
      readonly echo?: string | undefined
      /** Said of it while it is typed. */
      readonly comment?: string | undefined
      /** A warning about it follows: it gets no tick. */
      readonly isDoubtful?: boolean | undefined
    }

/** The meaning of a line: several lines at once are refused where one is asked for. */
export function readLine<V>({ several, read }: LinePrompt<V>, typed: string): LineReading<V> {
  return !several && typed.includes(lineBreak) ? { refused: remarks.several } : read(typed)
}

export interface Choice<V> {
  readonly value: V
  /** Its label, perhaps with an explanation behind a colon or in brackets: `Plan 1: begun before September 2012`. */
  readonly name: string
  /** Other words that a person may type for it, whole or their beginning: the code that is sent. */
  readonly codes?: readonly string[] | undefined
  readonly short?: string | undefined
  readonly about?: string | undefined
  readonly disabled?: string | undefined
  /** A warning about it follows: it gets no tick. */
  readonly isDoubtful?: boolean | undefined
}

/** A question with choices, picked with the arrow keys or by typing. Enter alone takes the first. */
export interface ChoicePrompt<V> extends BasePrompt<V> {
  readonly choices: readonly Choice<V>[]
  /** Choices that are only found by typing. */
  readonly more?: readonly Choice<V>[] | undefined
  /** Other meanings of a text: the choice that it means, and the answer that it is itself. */
  readonly typed?: ((text: string) => TypedChoices<V>) | undefined
  /** The letters that a text must have to be looked for inside of names; Infinity: what begins none is an answer of its own. */
  readonly insideFrom?: number | undefined
  /** Whether Enter takes the only choice that a text leaves where a word of its label begins so: for what is seen again before it is sent. */
  readonly takesOnlyOne?: boolean | undefined
  readonly none?: string | undefined
  /** A caution asks what to do about a warning. */
  readonly mark?: 'question' | 'caution' | undefined
}

export interface TypedChoices<V> {
  readonly meant?: Choice<V> | undefined
  readonly answer?: Choice<V> | undefined
}

/** The choices that typed text leaves. */
export interface Match<V> {
  /** Enter takes the first of these. */
  readonly taken: readonly Choice<V>[]
  /** Found inside only: shown, and taken by nothing but the cursor. */
  readonly onlyShown: readonly Choice<V>[]
}

/** A code, a number or the beginning of a label is taken; what stands elsewhere in a name is only shown. */
export function match<V>(prompt: ChoicePrompt<V>, typed: string): Match<V> {
  const text = typed.trim().toLowerCase()
  if (text === '') return { taken: prompt.choices, onlyShown: [] }
  const all = [...prompt.choices, ...(prompt.more ?? [])]
  const { meant, answer } = prompt.typed?.(typed.trim()) ?? {}
  const found = ranks.flatMap((fits, rank) => [
    ...(rank === 1 && meant ? [meant] : []),
    ...all.filter((each) => fits(each, text)),
  ])
  // What a text means may be one of the choices too: it is taken once, where it was found first.
  const first = meant && found.find((each) => isSame(each, meant))
  const taken = [...new Set(found)].filter((each) => each === first || !meant || !isSame(each, meant))
  const isInside = (each: Choice<V>) => !taken.includes(each) && each.name.toLowerCase().includes(text)
  const onlyShown = text.length < (prompt.insideFrom ?? 1) ? [] : all.filter(isInside)
  const [only, ...others] = onlyShown
  const isOnlyOne = taken.length === 0 && !answer && others.length === 0
  if (prompt.takesOnlyOne && only && isOnlyOne && beginsWord(only, text))
    return { taken: [only], onlyShown: [] }
  if (!answer || taken.some((each) => isSame(each, answer))) return { taken, onlyShown }
  return taken.length === 0 && onlyShown.length > 0
    ? { taken, onlyShown: [...onlyShown, answer] }
    : { taken: [...taken, answer], onlyShown }
}

/** The ways in which a text can mean a choice, the surest first. */
const ranks: readonly ((choice: Choice<unknown>, text: string) => boolean)[] = [
  (choice, text) =>
    [choice.name, choiceLabel(choice), ...(choice.codes ?? [])].some((each) => each.toLowerCase() === text),
  (choice, text) => /^\d+$/.test(text) && choiceLabel(choice).split(/\D+/).includes(text),
  ({ name }, text) => name.toLowerCase().startsWith(text),
  ({ codes = [] }, text) => codes.some((code) => code.toLowerCase().startsWith(text)),
]

const choiceLabel = ({ name }: Choice<unknown>) => name.replace(/: .*$| \(.*\)$/, '')

/** Whether a word of the label begins so: its explanation has words of other choices. Fewer letters are typed by mistake. */
const beginsWord = (choice: Choice<unknown>, text: string) =>
  text.length >= 3 &&
  choiceLabel(choice)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => word.startsWith(text))

const isSame = (one: Choice<unknown>, other: Choice<unknown>) => isDeepStrictEqual(one.value, other.value)

export interface Screen {
  readonly style: Style
  readonly columns: number
  readonly rows: number
}

/** Ctrl-T as a key of a choice. */
export const hideKey = '\u0014'

/** The reasons why a typed text chooses nothing, at any question. */
export const remarks = {
  none: 'No match.',
  clear: 'Backspace shows all choices again.',
  inside: 'This is only somewhere inside these.',
  several: 'Several lines came at once, and this takes one.',
} as const

/** The terminal that questions are asked on. */
export interface PromptHost {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stderr: Writable & { readonly columns?: number; readonly rows?: number }
  readonly style: Style
  /** Asks in plain lines and draws nothing: for a screen reader, or a terminal that can only print. */
  readonly isPlain: boolean
  /** Aborted when the run is to end: an open question then gives the terminal back. */
  readonly signal: AbortSignal
  /** Rejects with Interrupted once `signal` is aborted; pending until then. */
  readonly interrupted: Promise<never>
}
