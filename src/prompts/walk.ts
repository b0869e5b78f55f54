import type { Json, JsonObject } from '../api/contract/path.ts'
import { cell } from '../render/cell.ts'
import type { Asking } from './asking.ts'
import { question } from './question.ts'
import { answeredIn, type Room, type Stop } from './rooms.ts'

/** The record as it stands while it is walked through. */
export interface Standing {
  readonly body: () => JsonObject
  /** What was there before this form. */
  readonly before: (stop: Stop) => Json
  /** The answer so far, or what was there before. */
  readonly now: (stop: Stop) => Json
  /** Takes an answer; undefined is none of this form. */
  readonly take: (stop: Stop, value: Json) => Promise<void>
}

/** Asks one question after another, forth and back, until the last is answered or the person has enough. */
export async function walk(asking: Asking, stops: readonly Stop[], standing: Standing): Promise<void> {
  const rooms = [...new Set(stops.map(({ room }) => room))]
  let under: Room | undefined
  for (let at = 0; at < stops.length; ) {
    const stop = stops[at] as Stop
    if (stop.room !== under) heading(asking, rooms, stop.room, standing.body())
    under = stop.room
    const [now, before] = [standing.now(stop), standing.before(stop)]
    const { path, field } = stop
    const reply = await question(asking, { path, field, now, before, left: stops.length - at })
    if ('value' in reply) await standing.take(stop, reply.value)
    if (reply.also) await takeBeside(stop, ...reply.also)
    if (reply.move === 'review') return
    if (reply.move === 'back' && at === 0) asking.say('This is the first question.')
    else if (reply.move === 'back') at--
    else if (reply.move === 'on') at = endOf(stops, at)
    else at++
  }

  /** Fills in a field beside this one, which its answer spoke of, and says so. */
  async function takeBeside({ path, room }: Stop, name: string, value: Json): Promise<void> {
    const other = room.questions.find((leaf) => leaf.path === path.replace(/[^.]+$/, name))
    if (!other) return
    asking.say(`  ${other.field.label}: ${cell(value)}, as the answer said.`)
    await standing.take({ ...other, room }, value)
  }
}

/** Where the next section begins. */
function endOf(stops: readonly Stop[], at: number): number {
  const next = stops.findIndex(({ room }, index) => index > at && room !== stops[at]?.room)
  return next < 0 ? stops.length : next
}

function heading({ say, style }: Asking, rooms: readonly Room[], room: Room, body: JsonObject): void {
  const count = rooms.length > 1 ? `${rooms.indexOf(room) + 1} of ${rooms.length}: ` : ''
  const filled = `${answeredIn(room, body)} of ${room.questions.length} filled in`
  say('')
  say(`${style.heading(count + room.title)}${style.dim(` (${filled})`)}`)
}
