import type { Operation } from '../../api/contract/operations/operation.ts'
import type { RecordType } from '../../api/contract/records/record-type.ts'
import type { Context } from '../../context/context.ts'
import { Failure, Interrupted } from '../../errors.ts'
import { type Json, type JsonObject, valueAt } from '../../json/path.ts'
import { keyHelp } from '../terminal/form-keys.ts'
import { askQuestions } from './ask-questions.ts'
import { createFormContext, type FormContext } from './form-context.ts'
import {
  type Answers,
  bodyOf,
  essentialQuestions,
  hasAnswer,
  type Question,
  sectionsOf,
} from './form-section.ts'
import { whatNext, whichFile, whichStops } from './menu.ts'
import { newRemarks } from './new-warnings.ts'
import { review } from './review.ts'
import { sayChanges } from './show-changes.ts'

export type { Answers } from './form-section.ts'

/** What a form begins with. */
export interface FormStart {
  /** The record that an update starts from, in the names of the request. */
  readonly before?: JsonObject
  /** What was answered before, in a draft or in another record. */
  readonly answers?: Answers
  /** Called after each answer, so that a draft survives anything. */
  readonly keep?: (answers: Answers) => Promise<void>
  /** The sentence that says that the answers are kept, and how to go on with them. */
  readonly kept?: string
}

/** What the person decided at the end of a form. */
export type FormEnd =
  | { readonly next: 'send' | 'dry-run'; readonly body: JsonObject }
  | { readonly next: 'draft'; readonly answers: Answers }
  | { readonly next: 'file'; readonly body: JsonObject; readonly path: string }

/**
 * The form: asks what an admin cannot do without, shows the whole record, and asks for more for as long as the
 * person wants to. What was there is shown first. Whoever sends from here has seen the record and where it goes:
 * no other confirmation is needed. Throws Interrupted on Ctrl-C and a Failure when the person stops.
 */
export async function fillForm(
  context: Context,
  operation: Operation,
  start: FormStart = {},
): Promise<FormEnd> {
  const type = operation.sends
  if (!type) throw new TypeError(`${operation.id} sends nothing`)
  const answered = { any: Object.keys(start.answers ?? {}).length > 0 }
  try {
    return await filled(context, type, start, () => {
      answered.any = true
    })
  } catch (error) {
    const kept = start.keep && answered.any ? start.kept : undefined
    if (!(error instanceof Interrupted) || kept === undefined) throw error
    throw new Interrupted(error.signal, `${error.message} ${kept}`)
  }
}

async function filled(
  context: Context,
  type: RecordType,
  { before, answers: given = {}, keep }: FormStart,
  onAnswer: () => void,
): Promise<FormEnd> {
  const profile = await context.profile()
  const asking = createFormContext(context, type)
  const rooms = sectionsOf(type)
  let answers = given
  const body = () => bodyOf(type, before ?? {}, answers)
  const place = profile.origin ? `${profile.name} (${profile.origin})` : profile.name

  opening(asking, { type, before, given, place: profile.name })
  if (before === undefined) {
    await walkThrough(essentialQuestions(rooms).filter((stop) => !hasAnswer(stop, body())))
  }
  for (;;) {
    context.host.stderr.write(`${review(asking, rooms, body())}\n`)
    if (before) sayChanges(asking, rooms, before, answers)
    const canKeep = keep !== undefined
    const next = await whatNext(asking, {
      rooms,
      body: body(),
      place,
      isProtected: profile.protected,
      canKeep,
    })
    if (next === 'send' || next === 'dry-run') return { next, body: body() }
    if (next === 'draft') return { next, answers }
    if (next === 'stop') throw stopped()
    if (next === 'edit') await walkThrough(await whichStops(asking, rooms, body()))
    else {
      const path = await whichFile(asking)
      if (path !== undefined) return { next, body: body(), path }
    }
  }

  function walkThrough(stops: readonly Question[]): Promise<void> {
    return askQuestions(asking, stops, {
      body,
      before: ({ path }) => valueAt(before ?? {}, path.split('.')),
      now: ({ path }) =>
        Object.hasOwn(answers, path) ? (answers[path] ?? undefined) : valueAt(before ?? {}, path.split('.')),
      take,
    })
  }

  async function take(stop: Question, value: Json): Promise<void> {
    const { path } = stop
    const old = body()
    const there = valueAt(before ?? {}, path.split('.'))
    const { [path]: _, ...others } = answers
    const same = value === undefined || JSON.stringify(value) === JSON.stringify(there)
    const changed = same ? others : { ...answers, [path]: value }
    if (JSON.stringify(changed) === JSON.stringify(answers)) return
    answers = changed
    onAnswer()
    await keep?.(answers)
    for (const remark of newRemarks(asking, rooms, { leaf: stop, before: old, after: body() })) {
      asking.say(`${asking.style.caution('!')} ${remark}`, '  ')
    }
  }
}

function opening(
  { say, style }: FormContext,
  form: {
    readonly type: RecordType
    readonly before: JsonObject | undefined
    readonly given: Answers
    readonly place: string
  },
): void {
  const { type, before, given, place } = form
  const count = Object.keys(given).length
  const begun = count > 0 ? ` ${count} ${count === 1 ? 'answer is' : 'answers are'} there already.` : ''
  say(`${style.bold(`${before ? 'Change' : 'New'}: ${type.displayName}`)}, on ${place}.${begun}`)
  say(keyHelp(before !== undefined))
  say('Ctrl-C stops, and nothing is sent.')
}

function stopped(): Failure {
  return new Failure('usage', 'Stopped. Nothing was sent.', { outcome: 'not-sent', declined: true })
}
