import type { Readable, Writable } from 'node:stream'
import type { Style } from '../../render/text/style.ts'

/** What both kinds of question have. */
interface BaseQuestion {
  readonly message: string
  /** Shown behind the message until it is answered. */
  readonly hint?: string
  /** Shown beneath it until it is answered. */
  readonly help?: string
}

/** A question that is answered by typing a line. */
export interface LineQuestion extends BaseQuestion {
  /** Not shown while it is typed. */
  readonly hidden?: boolean
  /** Told when Ctrl-T hides the answer or shows it; without it, Ctrl-T does nothing. */
  readonly onHide?: (hidden: boolean) => void
  /** Whether several lines may be pasted at once. */
  readonly several?: boolean
  /** Why a line is not accepted; it is then asked for again. */
  readonly refuse?: (typed: string) => string | undefined
  /** A comment on a line while it is typed. */
  readonly live?: (typed: string) => string | undefined
  /** How a line was understood, shown once it is answered. */
  readonly echo?: (typed: string) => string
  /** Words that are keys rather than answers: they are never refused. */
  readonly moves?: readonly string[]
}

export interface Choice<V> {
  readonly value: V
  readonly name: string
  /** What is shown once it is chosen, instead of the name. */
  readonly short?: string
  /** Shown while the cursor is on it. */
  readonly about?: string
  /** Why it cannot be chosen now. */
  readonly disabled?: string
}

/** A question with choices, picked with the arrow keys or by typing a part of the name. Enter takes the first. */
export interface ChoiceQuestion<V> extends BaseQuestion {
  readonly choices: readonly Choice<V>[]
  /** Which choices match the typed text; without it, those whose names begin with it or contain it. */
  readonly find?: (typed: string) => readonly Choice<V>[]
  /** The message when no choice matches. */
  readonly none?: string
  /** Words that pick a value that is not among the choices. */
  readonly moves?: Readonly<Record<string, V>>
  /** What is typed is not shown. */
  readonly hidden?: boolean
  /** What Ctrl-T gives; without it, Ctrl-T does nothing. */
  readonly onHide?: { readonly value: V }
  /** A caution asks what to do about a warning. */
  readonly mark?: 'question' | 'caution'
}

/** What a prompt needs to draw itself. */
export interface Screen {
  readonly style: Style
  readonly columns: number
  readonly rows: number
}

/** The message when no choice matches and the question has none of its own. */
export const noMatch = 'No match.'

/** How to see the choices again when what is typed matches none. */
export const clearFilter = 'Backspace shows all choices again.'

/** The message when several lines are pasted where one is expected. */
export const severalLines = 'Several lines came at once, and this takes one.'

/** The choices whose names begin with the text; if there are none, those that contain it. */
export function searchByName<V>(choices: readonly Choice<V>[], typed: string): readonly Choice<V>[] {
  const text = typed.trim().toLowerCase()
  const beginning = choices.filter(({ name }) => name.toLowerCase().startsWith(text))
  return beginning.length > 0 ? beginning : choices.filter(({ name }) => name.toLowerCase().includes(text))
}

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
