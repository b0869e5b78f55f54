import type { Field } from '../api/contract/field.ts'
import type { Json, JsonObject } from '../api/contract/path.ts'
import { cell } from '../render/cell.ts'
import { safeTyping } from '../render/safe-text.ts'
import { Separator } from './ask.ts'
import { type Asking, questionStyle } from './asking.ts'
import { doubt, remarkOn } from './doubt.ts'
import { formHint, read, readBack, refusal, shown } from './typed.ts'

/** What a person types to take back what this form was told, to what was there before it: nothing, at first. */
const takeBack = '-'

/**
 * Asks for one field, in the way its type deserves. Enter keeps what there is now; `undefined` means that there is
 * nothing. What the document rules out is asked again; what a public standard doubts, the person decides.
 */
export async function question(asking: Asking, field: Field, now: Json, before: Json): Promise<Json> {
  for (;;) {
    const given = await answer(asking, field, now, before)
    const remark = given === now || given === before ? undefined : remarkOn(field, given, asking.today)
    if (!remark) return given
    const decided = await doubt(asking, field, remark)
    if (decided === 'take') return remark.suggestion
    if (decided === 'keep') return given
  }
}

function answer(asking: Asking, field: Field, now: Json, before: Json): Promise<Json> {
  if (field.type === 'boolean') return choice(asking, field, now, before, [true, false])
  if (field.type === 'lines') return addressLines(asking, field, now, before)
  if (field.item?.fields) return items(asking, field, now)
  const suggestions = [...(field.seen ?? []), ...(field.official ?? [])]
  if (suggestions.length > 0) return choice(asking, field, now, before, suggestions)
  return typedIn(asking, field, now, before)
}

const other = Symbol('other')

/** Values that were seen, and room for any other: the allowed sets are not shown. */
async function choice(
  asking: Asking,
  field: Field,
  now: Json,
  before: Json,
  values: readonly Json[],
): Promise<Json> {
  const listed = new Set([before ?? undefined, now ?? undefined, ...values])
  const chosen = await asking.ask.select<Json>({
    message: field.label,
    default: now ?? undefined,
    choices: [
      ...[...listed].map((value) => ({
        value,
        name: cell(value) || 'leave empty',
        short: cell(value),
      })),
      ...(field.type === 'string'
        ? [new Separator(), { value: other, name: 'something else …', short: '' }]
        : []),
    ],
    theme: { style: questionStyle(asking, field, '') },
  })
  return chosen === other ? typedIn(asking, field, now, before) : chosen
}

async function typedIn(asking: Asking, field: Field, now: Json, before: Json): Promise<Json> {
  const { ask, style, today, reveal } = asking
  const kept = shown(field, now, reveal)
  let given = now
  let echo = kept
  const validate = (typed: string) => {
    const text = typed.trim()
    const refused = text === '' || text === takeBack ? undefined : refusal(field, text, today)
    if (refused) return refused
    given = text === '' ? now : text === takeBack ? before : read(field, text, today)
    echo = given === now ? kept : readBack(field, given, reveal)
    return true
  }
  const look = questionStyle(asking, field, kept ? ` [${kept}]` : formHint(field), '>')
  if (field.sensitive && !reveal) {
    await ask.password({
      message: field.label,
      mask: '*',
      validate,
      // The tail by which its owner knows it, not a star for each character.
      theme: { style: { ...look, answer: () => style.accent(echo) } },
    })
  } else {
    await ask.input({
      message: field.label,
      validate,
      transformer: (text, { isFinal }) => (isFinal ? style.accent(echo) : safeTyping(text)),
      theme: { style: look },
    })
  }
  return given
}

/** Line after line until an empty one. Typing the first line replaces all there were. */
async function addressLines(asking: Asking, field: Field, now: Json, before: Json): Promise<Json> {
  const lines: string[] = []
  const kept = shown(field, now, asking.reveal)
  for (;;) {
    const hint = lines.length > 0 ? ' (Enter when there are no more)' : kept && ` [${kept}]`
    const line = await asking.ask.input({
      message: `${field.label}, line ${lines.length + 1}`,
      transformer: safeTyping,
      theme: { style: questionStyle(asking, field, hint, '>') },
    })
    const text = line.trim()
    if (text === takeBack) return before
    if (text === '') return lines.length > 0 ? lines : now
    lines.push(text)
  }
}

/** One after another, each with its fields, for as long as there are more. What is given replaces what was there. */
async function items(asking: Asking, field: Field, now: Json): Promise<Json> {
  const given: JsonObject[] = []
  const { label = '', fields = {} } = field.item ?? {}
  const there = Array.isArray(now) && now.length > 0 ? ` (${now.length} there: they are replaced)` : ''
  while (
    await asking.ask.confirm({
      message: given.length > 0 ? `${field.label}: add another?` : `${field.label}: add one?${there}`,
      default: false,
    })
  ) {
    const item: JsonObject = {}
    for (const [name, inner] of Object.entries(fields)) {
      const named = { ...inner, label: `${label} ${given.length + 1}: ${inner.label}` }
      const value = await question(asking, named, undefined, undefined)
      if (value !== undefined) item[name] = value
    }
    given.push(item)
  }
  return given.length > 0 ? given : now
}
