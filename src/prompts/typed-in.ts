import type { Field } from '../api/contract/field.ts'
import type { Json } from '../api/contract/path.ts'
import { safeText } from '../render/safe-text.ts'
import type { Asking } from './asking.ts'
import { remarkOn } from './doubt.ts'
import { moveOf, moveWords } from './moves.ts'
import type { Asked, Reply } from './question.ts'
import { formHint, read, readBack, refusal, shown } from './typed.ts'

/** A value that is typed in one line. */
export async function typedIn({ ask, today, reveal }: Asking, asked: Asked): Promise<Reply> {
  const { field, now } = asked
  const hidden = (field.sensitive ?? false) && !reveal
  const kept = shown(field, now, reveal)
  const valueIn = (typed: string): Json => (typed.trim() === '' ? now : read(field, typed, today))
  const typed = await ask.line({
    message: field.label,
    hint: hintOf(asked, kept ? ` [${kept}]` : formHint(field)),
    ...(field.help && { help: field.help }),
    hidden,
    moves: moveWords,
    refuse: (text) => (text.trim() === '' ? undefined : refusal(field, text, today)),
    live: (text) => said(text),
    echo: (text) => (text.trim() === '' ? kept : readBack(field, valueIn(text), reveal)),
  })
  const move = moveOf(typed)
  return move ? { move } : { value: valueIn(typed) }

  /** How the text would be understood, and whether it passes; nothing while it may still become something. */
  function said(text: string): string | undefined {
    if (refusal(field, text, today)) return undefined
    const value = read(field, text, today)
    const remark = remarkOn(field, value, today)
    if (remark?.suggestion)
      return hidden ? 'nearly; Enter tells' : `nearly: ${safeText(remark.suggestion)}; Enter tells more`
    const understood = readBack(field, value, reveal)
    const reads = !hidden && understood !== text.trim() ? understood : ''
    return remark ? reads : hasForm(field) || reads ? `✓ ${reads || 'fits'}` : undefined
  }
}

/** A name and a reference have no form of their own to fit. */
const hasForm = ({ standard }: Field) => standard && standard !== 'name' && standard !== 'reference'

/** Behind a label: what is there already or how to type, and how much is left. */
export function hintOf({ left }: Asked, text: string): string {
  return text + (left === undefined ? '' : ` · ${left} left`)
}
