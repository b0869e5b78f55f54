import { widthOf } from '../../render/text/width.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
import type { ChoiceQuestion, LineQuestion, Screen } from './prompt.ts'

/** Columns that an answer needs next to its question; with fewer, it goes on the next line. */
const columnsToType = 14

/** A question up to where its answer is typed: label, hint and help, each broken between words where it must be. */
export function questionHead(
  { message, hint = '', help }: LineQuestion | ChoiceQuestion<unknown>,
  { style, columns }: Screen,
): string {
  const isNarrow = widthOf(message + hint) + columnsToType > columns
  const label = style.bold(wrapText(message, columns - 2))
  const below = [isNarrow ? hint.trim() : '', help ?? ''].filter(Boolean)
  const lines = [
    isNarrow ? label : label + style.dim(hint),
    ...below.map((text) => style.dim(wrapText(text, columns, '  '))),
    ...(isNarrow || help ? [' >'] : []),
  ]
  return lines.join('\n')
}
