import type { Readable, Writable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { Style } from '../../render/text/style.ts'
import { foldText, wordsOf } from '../../text/words.ts'
import { lineBreak } from './pasting.ts'

/** A question: a line to type, or choices. `draw.ts` or `plain.ts` shows it. */
export type Prompt<V> = LinePrompt<V> | ChoicePrompt<V>

interface BasePrompt<V> {
  readonly message: string
  readonly hint?: string | undefined
  readonly help?: string | undefined
  readonly hidden?: boolean | undefined
  /** Texts that act as keys, and the answer that each gives. */
  readonly keys?: Readonly<Record<string, V>> | undefined
}

/** A question that is answered by typing a line. */
export interface LinePrompt<V> extends BasePrompt<V> {
  /** Reads a line. It is called while the person types, too. */
  readonly read: (typed: string) => LineReading<V>
  /** The current answer. Tab puts it into the line to be edited. */
  readonly old?: string | undefined
  /** The text that the line starts with: an answer that is to be typed again. */
  readonly begun?: string | undefined
  /** Whether several lines or cells may be pasted at once. */
  readonly several?: boolean | undefined
}

/** The meaning of a line, or why it is refused and asked for again. */
type LineReading<V> =
  | { readonly refused: string }
  | {
      readonly value: V
      /** The answer to show, if it is not the typed line. Empty where nothing was answered. */
      readonly echo?: string | undefined
      /** Shown while the line is typed. */
      readonly comment?: string | undefined
      /** Whether a warning follows, so that the answer gets no tick. */
      readonly isDoubtful?: boolean | undefined
    }

/** Reads a line. Several lines at once are refused unless the question allows them. */
export const readTypedLine = <V>({ several, read }: LinePrompt<V>, text: string): LineReading<V> =>
  !several && text.includes(lineBreak) ? { refused: remarks.several } : read(text)

/** A line to choose, and the value that it stands for. */
export interface Choice<V> {
  readonly value: V
  /** Its label, perhaps with an explanation after a colon or in brackets: `Plan 1: begun before September 2012`. */
  readonly name: string
  /** Other words to type for it, whole or their beginning, such as the code that is sent. */
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
  /** Other meanings of a typed text: a choice that it means, and the text itself as an answer. */
  readonly typed?: ((text: string) => TypedChoices<V>) | undefined
  /** How long a text must be to be searched inside names. Infinity: never; other text is an answer of its own. */
  readonly insideFrom?: number | undefined
  /**
   * Whether Enter takes the only match inside names, if a word of its label begins with the text. For answers
   * that are reviewed before they are sent.
   */
  readonly takesOnlyOne?: boolean | undefined
  readonly none?: string | undefined
  /** Whether it asks what to do about a warning. */
  readonly isCaution?: boolean | undefined
}

export interface TypedChoices<V> {
  readonly meant?: Choice<V> | undefined
  readonly answer?: Choice<V> | undefined
  /** What it may mean: only shown, where nothing else is found. */
  readonly near?: readonly Choice<V>[] | undefined
}

/** The choices that typed text leaves. */
interface ChoiceMatches<V> {
  /** Enter takes the first of these. */
  readonly taken: readonly Choice<V>[]
  /** Found only inside names. Enter takes them only with the cursor. */
  readonly onlyShown: readonly Choice<V>[]
}

/** A code, a number or the beginning of a label is taken; what stands elsewhere in a name is only shown. */
export function findChoices<V>(prompt: ChoicePrompt<V>, typed: string): ChoiceMatches<V> {
  const text = foldText(typed.trim()) || typed.trim()
  if (text === '') return { taken: prompt.choices, onlyShown: [] }
  const choices = [...prompt.choices, ...(prompt.more ?? [])]
  const { meant, answer, near = [] } = prompt.typed?.(typed.trim()) ?? {}
  const ranking = ranks.flatMap((fits, rank) => [
    ...(rank === 1 && meant ? [meant] : []),
    ...choices.filter((each) => fits(each, text)),
  ])
  // The meant choice may be in the list too. It is taken once, where it was found first.
  const first = meant && ranking.find((each) => isSameChoice(each, meant))
  const matches = [...new Set(ranking)].filter(
    (each) => each === first || !meant || !isSameChoice(each, meant),
  )
  const isInside = (each: Choice<V>) => !matches.includes(each) && foldText(each.name).includes(text)
  const inside = text.length < (prompt.insideFrom ?? 1) ? [] : choices.filter(isInside)
  const onlyShown = matches.length === 0 && inside.length === 0 ? near : inside
  const [only, ...more] = onlyShown
  const isOnlyOne = matches.length === 0 && !answer && more.length === 0
  if (prompt.takesOnlyOne && only && isOnlyOne && beginsWord(only, text))
    return { taken: [only], onlyShown: [] }
  if (!answer || matches.some((each) => isSameChoice(each, answer))) return { taken: matches, onlyShown }
  return matches.length === 0 && onlyShown.length > 0
    ? { taken: matches, onlyShown: [...onlyShown, answer] }
    : { taken: [...matches, answer], onlyShown }
}

/** How a text can mean a choice, the surest way first. */
const ranks: readonly ((choice: Choice<unknown>, text: string) => boolean)[] = [
  (choice, text) =>
    [choice.name, choiceLabel(choice), ...(choice.codes ?? [])].some((each) => foldText(each) === text),
  (choice, text) => /^\d+$/.test(text) && choiceLabel(choice).split(/\D+/).includes(text),
  ({ name }, text) => foldText(name).startsWith(text),
  ({ codes = [] }, text) => codes.some((code) => foldText(code).startsWith(text)),
]

const choiceLabel = ({ name }: Choice<unknown>) => name.replace(/: .*$| \(.*\)$/, '')

/**
 * Whether a word of the label begins with the text. Explanations do not count, because they have words of
 * other choices. Fewer than three letters may be typed by mistake.
 */
const beginsWord = (choice: Choice<unknown>, text: string) =>
  text.length >= 3 && wordsOf(choiceLabel(choice)).some((word) => word.startsWith(text))

const isSameChoice = (one: Choice<unknown>, other: Choice<unknown>) =>
  isDeepStrictEqual(one.value, other.value)

export interface Screen {
  readonly style: Style
  readonly columns: number
  readonly rows: number
}

/** Messages of all questions about text that chooses nothing. */
export const remarks = {
  none: 'No match.',
  clear: 'Backspace shows all choices again.',
  inside: 'No choice begins with this. These contain it: pick one with the arrow keys.',
  several: 'You pasted several lines or cells, and this takes one. Ctrl-U empties it.',
} as const

/** The terminal that questions are asked on. */
export interface PromptHost {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stderr: Writable & { readonly columns?: number; readonly rows?: number }
  readonly style: Style
  /** Whether to ask in plain lines, for a screen reader or a terminal that can only print. */
  readonly isPlain: boolean
  /** Aborted when the run is to end: an open question then gives the terminal back. */
  readonly signal: AbortSignal
  /** Rejects with Interrupted once `signal` is aborted; pending until then. */
  readonly interrupted: Promise<never>
}
