import { cell } from '../../render/text/format-cell.ts'
import type { FormContext } from '../form/form-context.ts'
import { keyOfInput, moveWords } from '../terminal/form-keys.ts'
import { lineBreak } from '../terminal/pasting.ts'
import { type AskedField, hintOf, type QuestionReply } from './asked-field.ts'
import { showFieldHelp } from './field-help.ts'
import { formatValue } from './format-value.ts'

/**
 * Asks line after line until an empty one; lines may be pasted at once. Enter at the first keeps all lines that there are; once it
 * is typed again, each of the others is shown and kept by Enter. Only the hyphen at a line loses it.
 */
export async function askLines(form: FormContext, asked: AskedField): Promise<QuestionReply> {
  const { ask, shown } = form
  const { field, now } = asked
  const old = Array.isArray(now) ? now.map(String) : []
  let lines: string[] = []
  const kept = formatValue(field, now, shown())
  for (let at = 0; ; ) {
    const isUntyped = lines.length === 0
    const held = isUntyped ? kept : (lines[at] ?? '')
    const typed = await ask.line({
      message: `${field.label}, line ${at + 1}`,
      hint: hintOf(asked, held ? ` [${cell(held)}]` : isUntyped ? '' : ' (Enter when there are no more)'),
      ...(field.help && isUntyped && { help: field.help }),
      several: true,
      moves: moveWords,
      echo: (text) => (text.trim() === '' ? cell(held) : cell(linesIn(text))),
    })
    const move = keyOfInput(typed)
    const isEnd = at === lines.length
    if (move === 'explain') showFieldHelp(form, asked)
    else if (move === 'back' && at > 0) at--
    else if (move === 'empty' && at > 0) {
      if (isEnd) return { value: lines }
      lines = lines.toSpliced(at, 1)
      await asked.keep?.(lines)
    } else if (move === 'empty' || move === 'restore') return { move }
    else if (move) return isUntyped ? { move } : { move, value: lines }
    else if (typed.trim() !== '') {
      const more = linesIn(typed)
      // Several lines that are pasted at the first are the whole of it.
      const others = isUntyped && more.length === 1 ? old : lines
      lines = others.toSpliced(at, 1, ...more)
      at += more.length
      await asked.keep?.(lines)
    } else if (isUntyped) return { value: now }
    else if (isEnd) return { value: lines }
    else at++
  }
}

function linesIn(typed: string): string[] {
  return typed
    .split(lineBreak)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
