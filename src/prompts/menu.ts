import type { JsonObject } from '../api/contract/path.ts'
import type { Asking } from './asking.ts'
import { fold } from './fold.ts'
import { answeredIn, type Room } from './rooms.ts'

interface Standing {
  readonly rooms: readonly Room[]
  readonly body: JsonObject
  /** Where it would be sent. */
  readonly place: string
  /** Whether the answers can be kept for later. */
  readonly drafts?: boolean
}

/** What to do with the record. Short, so that the record stays in sight above it; Enter alone sends nothing. */
export function whatNext(
  { ask, columns }: Asking,
  { rooms, body, place, drafts }: Standing,
): Promise<'change' | 'send' | 'dry-run' | 'draft' | 'file' | 'stop'> {
  const empty = rooms.filter((room) => answeredIn(room, body) === 0)
  const nothing = empty.length === rooms.length
  const stillEmpty = `Nothing yet under: ${empty.map(({ title }) => title).join('; ')}.`
  return ask.select<'change' | 'send' | 'dry-run' | 'draft' | 'file' | 'stop'>({
    message: 'What next?',
    choices: [
      {
        value: 'change',
        name: 'Add or change something',
        ...(empty.length > 0 && !nothing && { description: fold(stillEmpty, columns()) }),
      },
      {
        value: 'send',
        name: `Send it to ${place}`,
        disabled: nothing && '(nothing is filled in)',
      },
      { value: 'dry-run', name: 'Dry run: show what would be sent' },
      ...(drafts ? [{ value: 'draft' as const, name: 'Keep it as a draft, and stop' }] : []),
      { value: 'file', name: 'Write it into a file, and stop' },
      { value: 'stop', name: 'Stop, and send nothing' },
    ],
  })
}

/** Which part to add to or change; undefined for none. All of them fit a screen of 24 lines. */
export function whichRoom(
  { ask }: Asking,
  rooms: readonly Room[],
  body: JsonObject,
): Promise<Room | undefined> {
  return ask.select<Room | undefined>({
    message: 'Which part?',
    pageSize: 20,
    choices: [
      ...rooms.map((room) => ({
        value: room,
        name: `${room.title} (${answeredIn(room, body)} of ${room.questions.length})`,
        short: room.title,
      })),
      { value: undefined, name: 'None: back', short: '' },
    ],
  })
}
