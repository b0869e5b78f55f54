import type { RecordType } from '../../api/contract/records/record-type.ts'
import type { Style } from '../../render/text/style.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
import { type Ask, createAsk } from '../terminal/ask.ts'
import { columnsOf } from '../terminal/prompt-host.ts'
import type { FormHost } from './form-host.ts'

/** What the parts of the form share. */
export interface FormContext {
  readonly ask: Ask
  /** The type of record that the form fills in. */
  readonly type: RecordType
  readonly style: Style
  /** YYYY-MM-DD. */
  readonly today: string
  /** Whether sensitive values are shown. */
  readonly reveal: boolean
  /** The width of the screen now. */
  readonly columns: () => number
  /** Writes a paragraph, wrapped to the screen, each line after `indent`. */
  readonly say: (text: string, indent?: string) => void
}

export function createFormContext(host: FormHost, type: RecordType): FormContext {
  const { stderr, style, today, reveal } = host
  const columns = () => columnsOf(host)
  return {
    ask: createAsk(host),
    type,
    style,
    today,
    reveal,
    columns,
    say: (text, indent = '') => void stderr.write(`${wrapText(text, columns(), indent)}\n`),
  }
}
