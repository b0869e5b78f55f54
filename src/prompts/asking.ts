import type { Field } from '../api/contract/field.ts'
import type { Context } from '../context.ts'
import type { Style } from '../render/style.ts'
import { type Ask, ask } from './ask.ts'
import { fold } from './fold.ts'

/** What a question needs to know besides its field. */
export interface Asking {
  readonly ask: Ask
  readonly style: Style
  /** YYYY-MM-DD. */
  readonly today: string
  /** Sensitive values may be seen. */
  readonly reveal: boolean
  /** How wide the screen is just now. */
  readonly columns: () => number
}

export function askingIn(context: Context): Asking {
  return {
    ask: ask(context),
    style: context.style,
    today: context.today(),
    reveal: context.options.reveal ?? false,
    columns: () => context.host.stderr.columns ?? 80,
  }
}

/**
 * How a question reads while it is open: its label, what is there already, and under them its help, above the
 * place where one types. Answered, it is its label alone.
 */
export function questionStyle({ style, columns }: Asking, { help }: Field, hint: string, mark = '') {
  const helpLines = help ? `\n${style.dim(fold(help, columns(), '  '))}${mark && `\n ${mark}`}` : ''
  return {
    message: (label: string, status: string) =>
      style.bold(label) + (status === 'done' ? '' : style.dim(hint) + helpLines),
  }
}
