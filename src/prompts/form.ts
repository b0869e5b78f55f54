import type { Operation } from '../api/contract/operation.ts'
import { type JsonObject, valueAt } from '../api/contract/path.ts'
import type { RecordType } from '../api/contract/record.ts'
import type { Leaf } from '../api/contract/walk.ts'
import type { Context } from '../context.ts'
import { Failure, Interrupted } from '../errors.ts'
import { askingIn } from './asking.ts'
import { whatNext, whichRoom } from './menu.ts'
import { question } from './question.ts'
import { review } from './review.ts'
import { type Answers, bodyOf, essentialsOf, type Room, roomsOf } from './rooms.ts'

/** What a form starts from, and where its answers go meanwhile. */
export interface FormStart {
  /** A record that is there already. */
  readonly before?: JsonObject
  /** What was told before, over that record. */
  readonly answers?: Answers
  /** Keeps the answers; called after each. */
  readonly keep?: (answers: Answers) => Promise<void>
  /** What is said of them at Ctrl-C. */
  readonly kept?: string
}

/** How a form ends. */
export type FormEnd =
  | { readonly next: 'send' | 'dry-run'; readonly body: JsonObject }
  | { readonly next: 'draft'; readonly answers: Answers }
  | { readonly next: 'file'; readonly body: JsonObject; readonly path: string }

/**
 * The form: asks what an admin cannot do without, offers the rest by section, shows the whole record, and returns
 * what the person wants done with it. Throws Interrupted on Ctrl-C and a Failure when the person stops; nothing is
 * sent.
 */
export async function fillForm(
  context: Context,
  operation: Operation,
  start: FormStart = {},
): Promise<FormEnd> {
  const type = operation.sends
  if (!type) throw new TypeError(`${operation.id} sends nothing`)
  const { style, host } = context
  const say = (text: string) => void host.stderr.write(`${text}\n`)
  const profile = await context.profile()
  const asking = askingIn(context)
  const { before = {}, keep } = start
  const rooms = roomsOf(type)
  let answers: Answers = start.answers ?? {}
  const isNew = operation.method === 'POST'

  say(`${style.bold(`${isNew ? 'New' : 'Change'}: ${type.noun}`)}, on ${profile.name}.`)
  say('Enter skips a question, or keeps the answer it has; - takes your answer back.')
  say('Ctrl-C stops, and nothing is sent.')
  try {
    return await fill()
  } catch (error) {
    if (!(error instanceof Interrupted) || Object.keys(answers).length === 0 || !start.kept) throw error
    throw new Interrupted(error.signal, `${error.message} ${start.kept}`)
  }

  async function fill(): Promise<FormEnd> {
    const isOpen = ({ path }: Leaf) => valueAt(bodyOf(before, answers), path.split('.')) === undefined
    const first = start.before
      ? []
      : essentialsOf(rooms)
          .map(({ title, questions }) => ({ title, questions: questions.filter(isOpen) }))
          .filter(({ questions }) => questions.length > 0)
    for (const [at, room] of first.entries()) await visit(room, `${at + 1} of ${first.length}: `)
    for (;;) {
      const body = bodyOf(before, answers)
      say(review(asking, type as RecordType, body))
      const next = await whatNext(asking, {
        rooms,
        body,
        place: placeOf(profile),
        drafts: keep !== undefined,
      })
      if (next === 'send' || next === 'dry-run') return { next, body }
      if (next === 'draft') return { next, answers }
      if (next === 'file') return { next, body, path: await asking.ask.input({ message: 'File' }) }
      if (next === 'stop')
        throw new Failure('usage', 'Stopped. Nothing was sent.', { outcome: 'not-sent', declined: true })
      const room = await whichRoom(asking, rooms, body)
      if (room) await visit(room)
    }
  }

  /** Asks the questions of a room, one after another. */
  async function visit(room: Room, count = ''): Promise<void> {
    say(`\n${style.heading(count + room.title)}`)
    for (const { path, field } of room.questions) {
      const there = valueAt(before, path.split('.'))
      const now = Object.hasOwn(answers, path) ? answers[path] : there
      const given = await question(asking, field, now, there)
      const { [path]: _, ...others } = answers
      answers = given === there ? others : { ...others, [path]: given }
      await keep?.(answers)
    }
  }
}

function placeOf({ name, origin }: { name: string; origin?: string | undefined }): string {
  return origin ? `${name} (${origin})` : name
}
