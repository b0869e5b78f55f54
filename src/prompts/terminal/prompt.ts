import type { Style } from '../../render/text/style.ts'

/** What two kinds of question have in common. */
interface Question {
  readonly message: string
  /** Behind the message, until it is answered. */
  readonly hint?: string
  /** Beneath it, until it is answered. */
  readonly help?: string
}

/** A line that a person types. */
export interface LineQuestion extends Question {
  /** Not shown while it is typed; Ctrl-T shows it. */
  readonly hidden?: boolean
  /** Whether several lines may be pasted at once. */
  readonly several?: boolean
  /** Why a line cannot be taken: it is asked for again. */
  readonly refuse?: (typed: string) => string | undefined
  /** What to say of a line while it is typed. */
  readonly live?: (typed: string) => string | undefined
  /** How a line was understood. */
  readonly echo?: (typed: string) => string
  /** Words that are no answer: they are never refused. */
  readonly moves?: readonly string[]
}

export interface Choice<V> {
  readonly value: V
  readonly name: string
  /** What stays once it is chosen; the name otherwise. */
  readonly short?: string
  /** What to say while the cursor stands on it. */
  readonly about?: string
  /** Why it cannot be chosen now. */
  readonly disabled?: string
}

/** One of several, chosen by the arrows or by typing what it begins with. The first is what Enter takes. */
export interface ChoiceQuestion<V> extends Question {
  readonly choices: readonly Choice<V>[]
  /** The choices that typed text leaves; those that begin with it or hold it, unless told otherwise. */
  readonly find?: (typed: string) => readonly Choice<V>[]
  /** What to say where typed text leaves none. */
  readonly none?: string
  /** Words that choose at once what is on no list. */
  readonly moves?: Readonly<Record<string, V>>
  /** A question asks; a caution puts a doubt. */
  readonly mark?: 'question' | 'caution'
}

/** How the screen is: what a prompt needs to draw itself. */
export interface Screen {
  readonly style: Style
  readonly columns: number
  readonly rows: number
}

/** The choices whose names begin with the text; without any, those that hold it. */
export function named<V>(choices: readonly Choice<V>[], typed: string): readonly Choice<V>[] {
  const text = typed.trim().toLowerCase()
  const beginning = choices.filter(({ name }) => name.toLowerCase().startsWith(text))
  return beginning.length > 0 ? beginning : choices.filter(({ name }) => name.toLowerCase().includes(text))
}
