import type { JsonObject } from '../../json/path.ts'
import { named } from '../terminal/prompt.ts'
import type { FormContext } from './form-context.ts'
import { countAnswered, type FormSection, type Question, questionsIn } from './form-section.ts'

export type Next = 'edit' | 'send' | 'draft' | 'file' | 'dry-run' | 'stop'

interface Standing {
  readonly rooms: readonly FormSection[]
  readonly body: JsonObject
  /** Where it would be sent. */
  readonly place: string
  readonly isProtected: boolean
  /** Whether somebody keeps drafts. */
  readonly canKeep: boolean
}

/** What to do with the record. Short, so that the record stays in sight above it; Enter alone sends nothing. */
export function whatNext({ ask }: FormContext, standing: Standing): Promise<Next> {
  const { rooms, body, place, isProtected, canKeep } = standing
  const isEmpty = rooms.every((room) => countAnswered(room, body) === 0)
  const unless = isEmpty ? { disabled: 'nothing is filled in' } : {}
  return ask.choose<Next>({
    message: 'What next?',
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

/** Which questions to ask: those of a section, or the one of a field that is typed; none to go back. */
export function whichStops(
  { ask }: FormContext,
  rooms: readonly FormSection[],
  body: JsonObject,
): Promise<Question[]> {
  const sections = rooms.map((room) => ({
    value: questionsIn(room),
    name: `${room.title} (${countAnswered(room, body)} of ${room.questions.length})`,
    short: room.title,
  }))
  const fields = rooms.flatMap((room) =>
    questionsIn(room).map((stop) => ({
      value: [stop],
      name: stop.field.section ? `${stop.field.label} (${room.title})` : stop.field.label,
      short: stop.field.label,
    })),
  )
  const back = { value: [], name: 'None: back to the record', short: '' }
  const choices = [...sections, back]
  return ask.choose<Question[]>({
    message: 'Which part?',
    hint: ' (type the name of a section or a field)',
    choices,
    find: (typed) => {
      const text = typed.toLowerCase()
      const begins = [...sections, back].filter(({ name }) => name.toLowerCase().startsWith(text))
      const byPath = fields.filter(({ value: [stop] }) => stop?.path.toLowerCase().endsWith(text))
      return [...new Set([...begins, ...named(fields, typed), ...byPath])]
    },
    none: 'No section and no field is called so.',
    moves: { '<': [] },
  })
}

/** The name of a file to write; undefined to go back. */
export async function whichFile({ ask }: FormContext): Promise<string | undefined> {
  const typed = await ask.line({
    message: 'File',
    hint: ' (such as starter.json; Enter goes back)',
    moves: ['<'],
  })
  const path = typed.trim()
  return path === '' || path === '<' ? undefined : path
}
