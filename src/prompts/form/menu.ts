import type { JsonObject } from '../../json/path.ts'
import type { FormContext } from './form-context.ts'
import type { FormPlace } from './form-host.ts'
import { type FormSection, hasAnswer, isUntouched, type Question, questionsIn } from './form-section.ts'

export type Next = 'edit' | 'send' | 'draft' | 'file' | 'dry-run' | 'mask' | 'stop'

interface MenuState {
  readonly sections: readonly FormSection[]
  readonly body: JsonObject
  /** Where it would be sent. */
  readonly place: FormPlace
  /** Whether the answers can be kept as a draft. */
  readonly canKeep: boolean
}

/** Asks what to do with the record. Short, so that the record stays visible above it; Enter alone sends nothing. */
export function whatNext({ ask }: FormContext, state: MenuState): Promise<Next> {
  const { sections, body, canKeep } = state
  const { name, origin, protected: isProtected } = state.place
  const place = origin ? `${name} (${origin})` : name
  const unless = isUntouched(sections, body) ? { disabled: 'nothing is filled in' } : {}
  return ask.choose<Next>({
    message: 'What next?',
    onHide: { value: 'mask' },
    ...(isProtected && { help: `It goes to ${place}, which is protected: choosing Send sends it.` }),
    choices: [
      { value: 'edit', name: 'Edit a section or a field' },
      { value: 'send', name: `Send it to ${place}`, ...unless },
      ...(canKeep ? [{ value: 'draft' as const, name: 'Keep it as a draft, and stop', ...unless }] : []),
      { value: 'file', name: 'Write it into a file, and stop', ...unless },
      { value: 'dry-run', name: 'Dry run: show what would be sent', ...unless },
      { value: 'stop', name: 'Stop, and send nothing' },
    ],
  })
}

/** Which questions to ask: those of a section, or the one whose name is typed; none to go back. */
export function whichQuestions(
  { ask }: FormContext,
  sections: readonly FormSection[],
  body: JsonObject,
): Promise<Question[]> {
  const parts = sections
    .map((section) => ({ value: questionsIn(section), name: section.title }))
    .filter(({ value }) => value.length > 0)
  const fields = sections.flatMap((section) =>
    questionsIn(section).map((question) => ({
      value: [question],
      question,
      name: question.field.section ? `${question.field.label} (${section.title})` : question.field.label,
      short: question.field.label,
    })),
  )
  const back = { value: [], name: 'None: back to the record', short: 'none' }
  const choices = [...parts, back]
  return ask.choose<Question[]>({
    message: 'Which part?',
    hint: ' (type the name of a section or a field)',
    choices,
    find: (typed) => {
      const text = typed.toLowerCase()
      const begins = choices.filter(({ name }) => name.toLowerCase().startsWith(text))
      const rankOf = (field: (typeof fields)[number]) => rank(field, text, body)
      const byName = fields
        .filter((field) => rankOf(field) !== undefined)
        .sort((one, other) => (rankOf(one) ?? 0) - (rankOf(other) ?? 0))
      const byPath = fields.filter(({ question }) => question.path.toLowerCase().endsWith(text))
      return [...new Set([...begins, ...byName, ...byPath])]
    },
    none: 'No section or field matches.',
    moves: { '<': [] },
  })
}

/**
 * How near a field is to what was typed: the smaller, the nearer; undefined if it does not match. What was asked for comes first:
 * "USC rate 1" is the yearly one, which stands in the review.
 */
function rank(
  { name, question }: { readonly name: string; readonly question: Question },
  text: string,
  body: JsonObject,
): number | undefined {
  const words = name.toLowerCase()
  if (!words.includes(text)) return undefined
  if (question.field.label.toLowerCase() === text) return -1
  const isWord = ` ${words}`.includes(` ${text}`)
  const isAsked = question.field.essential === true || hasAnswer(question, body)
  if (isWord && isAsked) return 0
  return words.startsWith(text) ? 1 : isWord ? 2 : isAsked ? 3 : 4
}

/** Asks for the name of a file to write; undefined to go back. */
export async function whichFile({ ask }: FormContext): Promise<string | undefined> {
  const typed = await ask.input({ message: 'File', hint: ' (such as starter.json; Enter goes back)' })
  const path = typed.trim()
  return path === '' || path === '<' ? undefined : path
}
