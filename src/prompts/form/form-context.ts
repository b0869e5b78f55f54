import type { RecordType } from '../../api/contract/records/record-type.ts'
import type { Context } from '../../context/context.ts'
import type { Style } from '../../render/text/style.ts'
import { type Ask, ask } from '../terminal/ask.ts'
import { fold } from '../terminal/wrap-text.ts'

/** What the form needs to ask anything. */
export interface FormContext {
  readonly ask: Ask
  /** Of what the form makes. */
  readonly type: RecordType
  readonly style: Style
  /** YYYY-MM-DD. */
  readonly today: string
  /** Sensitive values may be seen. */
  readonly reveal: boolean
  /** How wide the screen is just now. */
  readonly columns: () => number
  /** A line of its own, broken between words; the next ones after `indent`. */
  readonly say: (text: string, indent?: string) => void
}

export function createFormContext(context: Context, type: RecordType): FormContext {
  const { stderr } = context.host
  const columns = () => stderr.columns ?? 80
  return {
    ask: ask(context),
    type,
    style: context.style,
    today: context.today(),
    reveal: context.options.reveal ?? false,
    columns,
    say: (text, indent = '') => void stderr.write(`${fold(text, columns(), indent)}\n`),
  }
}
