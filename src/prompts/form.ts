import type { Operation } from '../api/contract/operation.ts'
import { type Json, type JsonObject, valueAt, withValueAt } from '../api/contract/path.ts'
import { type Section, sections } from '../api/contract/sections.ts'
import { warnings } from '../api/contract/standards/warnings.ts'
import { type Leaf, leaves } from '../api/contract/walk.ts'
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import { card } from '../render/card.ts'
import { masked } from '../render/mask.ts'
import { safeText } from '../render/safe-text.ts'
import { ask, Separator } from './ask.ts'
import { type Asking, question } from './question.ts'

interface Room {
  readonly section: Section
  readonly title: string
  readonly leaves: readonly Leaf[]
}

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
  const asking: Asking = { ask: ask(context), say, today: context.today() }
  const profile = await context.profile()
  const rooms = roomsOf(leaves(type.fields))

  let body: JsonObject = start ?? {}
  if (start) review()
  else {
    say(`${style.bold(`New: ${type.noun}`)}, for ${profile.name}.`)
    say('Enter leaves a question empty. Ctrl-C stops, and nothing is sent.')
    for (const room of rooms) {
      await fill(
        room.title,
        room.leaves.filter(({ field }) => field.essential),
      )
    }
    review()
  }
  for (;;) {
    const next = await menu()
    if (next === 'send') return body
    if (next === 'stop') throw new Failure('usage', 'Stopped. Nothing was sent.', { outcome: 'not-sent' })
    await fill(next.title, next.leaves)
    review()
  }

  async function fill(title: string, questions: readonly Leaf[]): Promise<void> {
    if (questions.length === 0) return
    say(`\n${style.bold(title)}`)
    for (const { path, field } of questions) {
      const segments = path.split('.')
      if (field.help) say(style.dim(`  ${field.help}`))
      const value = await question(asking, field, valueAt(body, segments))
      if (value !== undefined) body = withValueAt(body, segments, value) as JsonObject
    }
  }

  function review(): void {
    say('')
    say(
      card((context.options.reveal ? body : masked(body)) as JsonObject, type?.fields ?? {}, style).trimEnd(),
    )
    const remarks = type ? warnings(type, body, asking.today) : []
    if (remarks.length > 0) say('')
    for (const { path, message } of remarks) say(`${style.caution('!')} ${safeText(`${path}: ${message}`)}`)
    say('')
  }

  function menu(): Promise<'send' | 'stop' | Room> {
    return asking.ask.select<'send' | 'stop' | Room>({
      message: 'What next?',
      pageSize: 20,
      choices: [
        { value: 'send', name: `Send it to ${profile.name}${profile.origin ? ` (${profile.origin})` : ''}` },
        new Separator('Add or change'),
        ...rooms.map((room) => ({
          value: room,
          name: `  ${room.title} (${filled(room, body)} of ${room.leaves.length})`,
        })),
        new Separator(' '),
        { value: 'stop', name: 'Stop, and send nothing' },
      ],
    })
  }
}

/** The fields by section, in the order of the sections; those of no section come under the record's own. */
function roomsOf(all: readonly Leaf[]): Room[] {
  const titled = (Object.keys(sections) as Section[]).map((section) => ({
    section,
    title: sections[section],
    leaves: all.filter(({ field }) => (field.section ?? 'account') === section),
  }))
  return titled.filter((room) => room.leaves.length > 0)
}

function filled(room: Room, body: Json): number {
  const given = room.leaves.map(({ path }) => valueAt(body, path.split('.')))
  return given.filter((value) => value !== undefined && value !== null && value !== '').length
}
