import type { Operation } from '../api/contract/operation.ts'
import { type JsonObject, valueAt } from '../api/contract/path.ts'
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import { askingIn } from './asking.ts'
import { whatNext, whichRoom } from './menu.ts'
import { question } from './question.ts'
import { review } from './review.ts'
import { type Answers, bodyOf, essentialsOf, type Room, roomsOf } from './rooms.ts'

/**
 * The form: asks what an admin cannot do without, offers the rest by section, shows the whole record, and returns
 * the body once the person says that it is done. A record to start from is shown first. Throws Interrupted on
 * Ctrl-C and a Failure when the person stops; nothing is sent.
 */
export async function fillForm(
  context: Context,
  operation: Operation,
  start?: JsonObject,
): Promise<JsonObject> {
  const type = operation.sends
  if (!type) throw new TypeError(`${operation.id} sends nothing`)
  const { style, host } = context
  const say = (text: string) => void host.stderr.write(`${text}\n`)
  const profile = await context.profile()
  const asking = askingIn(context)
  const before = start ?? {}
  const rooms = roomsOf(type)
  let answers: Answers = {}

  say(`${style.bold(`${start ? 'Change' : 'New'}: ${type.noun}`)}, on ${profile.name}.`)
  say('Enter skips a question, or keeps the answer it has; - takes your answer back.')
  say('Ctrl-C stops, and nothing is sent.')
  if (!start) {
    const first = essentialsOf(rooms)
    for (const [at, room] of first.entries()) await visit(room, `${at + 1} of ${first.length}: `)
  }
  for (;;) {
    const body = bodyOf(before, answers)
    say(review(asking, type, body))
    const next = await whatNext(asking, { rooms, body, place: placeOf(profile) })
    if (next === 'send') return body
    if (next === 'stop')
      throw new Failure('usage', 'Stopped. Nothing was sent.', { outcome: 'not-sent', declined: true })
    const room = await whichRoom(asking, rooms, body)
    if (room) await visit(room)
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
    }
  }
}

function placeOf({ name, origin }: { name: string; origin?: string | undefined }): string {
  return origin ? `${name} (${origin})` : name
}
