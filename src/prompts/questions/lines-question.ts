import { cell } from '../../render/text/format-cell.ts'
import type { FormContext } from '../form/form-context.ts'
import { isNavigation, keyOfInput, moveWords } from '../terminal/form-keys.ts'
import { lineBreak } from '../terminal/pasting.ts'
import { type AskedField, hintOf, type QuestionReply } from './asked-field.ts'
import { formatValue } from './format-value.ts'

/** Asks line after line until an empty one; lines may be pasted at once. The first line typed replaces the old ones. */
export async function askLines({ ask, shown }: FormContext, asked: AskedField): Promise<QuestionReply> {
  const { field, now } = asked
  const lines: string[] = []
  const kept = formatValue(field, now, shown())
  for (;;) {
    const first = lines.length === 0
    const typed = await ask.line({
      message: `${field.label}, line ${lines.length + 1}`,
      hint: hintOf(asked, first ? kept && ` [${kept}]` : ' (Enter when there are no more)'),
      ...(field.help && first && { help: field.help }),
      several: true,
      moves: moveWords,
      echo: (text) => (text.trim() === '' && first ? kept : cell(linesIn(text))),
    })
    const move = keyOfInput(typed)
    // Back goes to the line before this one first.
    if (move === 'back' && !first) lines.pop()
    else if (move && (first || !isNavigation(move))) return { move }
    else if (move) return { move, value: lines }
    else if (typed.trim() === '') return { value: first ? now : lines }
    else lines.push(...linesIn(typed))
  }
}

function linesIn(typed: string): string[] {
  return typed
    .split(lineBreak)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
