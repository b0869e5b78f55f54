import type { Json, JsonObject } from '../../json/path.ts'
import { cell } from '../../render/text/format-cell.ts'
import { askQuestion } from '../questions/ask-question.ts'
import type { FormContext } from './form-context.ts'
import { countAnswered, type FormSection, type Question } from './form-section.ts'

/** The record as it stands while it is walked through. */
export interface FormState {
  readonly body: () => JsonObject
  /** What was there before this form. */
  readonly before: (stop: Question) => Json
  /** The answer so far, or what was there before. */
  readonly now: (stop: Question) => Json
  /** Takes an answer; undefined is none of this form. */
  readonly take: (stop: Question, value: Json) => Promise<void>
}

/** Asks one question after another, forth and back, until the last is answered or the person has enough. */
export async function askQuestions(
  asking: FormContext,
  stops: readonly Question[],
  standing: FormState,
): Promise<void> {
  const rooms = [...new Set(stops.map(({ section: room }) => room))]
  let under: FormSection | undefined
  for (let at = 0; at < stops.length; ) {
    const stop = stops[at] as Question
    if (stop.section !== under) heading(asking, rooms, stop.section, standing.body())
    under = stop.section
    const [now, before] = [standing.now(stop), standing.before(stop)]
    const { path, field } = stop
    const reply = await askQuestion(asking, { path, field, now, before, left: stops.length - at })
    if ('value' in reply) await standing.take(stop, reply.value)
    if (reply.also) await fillRelated(stop, ...reply.also)
    if (reply.move === 'review') return
    if (reply.move === 'back' && at === 0) asking.say('This is the first question.')
    else if (reply.move === 'back') at--
    else if (reply.move === 'on') at = endOf(stops, at)
    else at++
  }

  /** Fills in a field beside this one, which its answer spoke of, and says so. */
  async function fillRelated({ path, section: room }: Question, name: string, value: Json): Promise<void> {
    const other = room.questions.find((leaf) => leaf.path === path.replace(/[^.]+$/, name))
    if (!other) return
    asking.say(`  ${other.field.label}: ${cell(value)}, as the answer said.`)
    await standing.take({ ...other, section: room }, value)
  }
}

/** Where the next section begins. */
function endOf(stops: readonly Question[], at: number): number {
  const next = stops.findIndex(({ section: room }, index) => index > at && room !== stops[at]?.section)
  return next < 0 ? stops.length : next
}

function heading(
  { say, style }: FormContext,
  rooms: readonly FormSection[],
  room: FormSection,
  body: JsonObject,
): void {
  const count = rooms.length > 1 ? `${rooms.indexOf(room) + 1} of ${rooms.length}: ` : ''
  const filled = `${countAnswered(room, body)} of ${room.questions.length} filled in`
  say('')
  say(`${style.heading(count + room.title)}${style.dim(` (${filled})`)}`)
}
