import type { Operation } from '../../api/contract/operations/operation.ts'
import type { RecordType } from '../../api/contract/records/record-type.ts'
import { Failure, Interrupted } from '../../errors.ts'
import { type Json, type JsonObject, valueAt } from '../../json/path.ts'
import { keyHelp } from '../terminal/form-keys.ts'
import { createFormContext, type FormContext } from './form-context.ts'
import type { FormHost, FormPlace } from './form-host.ts'
import {
  type Answers,
  bodyOf,
  essentialQuestions,
  hasAnswer,
  type Question,
  questionsIn,
  sectionsOf,
} from './form-section.ts'
import { whatNext, whichFile, whichQuestions } from './menu.ts'
import { newWarnings } from './new-warnings.ts'
import { review } from './review.ts'
import { showChanges } from './show-changes.ts'
import { askQuestions } from './walk-questions.ts'

export type { Answers } from './form-section.ts'

/** What a form starts with. */
export interface FormStart {
  /** The record that an update starts from, in the names of the request. */
  readonly before?: JsonObject
  /** Answers from a draft or from another record. */
  readonly answers?: Answers
  /** Called after each answer, so that a draft survives anything. */
  readonly keep?: (answers: Answers) => Promise<void>
  /** Looks at the record before it is sent. Returns the paths of fields to ask for again, perhaps none; undefined to send. */
  readonly beforeSending?: (body: JsonObject) => Promise<readonly string[] | undefined>
  /** Says that the answers are kept and how to resume; added to the message when the form is interrupted. */
  readonly kept?: string
}

/** What the person decided at the end of a form. */
export type FormEnd =
  | { readonly next: 'send' | 'dry-run'; readonly body: JsonObject }
  | { readonly next: 'draft'; readonly answers: Answers }
  | { readonly next: 'file'; readonly body: JsonObject; readonly path: string }

/**
 * The form: asks for the essential fields, shows the whole record, and asks for more fields as long as the person
 * wants. Values from before are shown first. A person who sends from here has seen the record and where it goes, so
 * no other confirmation is needed. Throws Interrupted on Ctrl-C and a Failure when the person stops.
 */
export async function fillForm(
  host: FormHost,
  operation: Operation,
  start: FormStart = {},
): Promise<FormEnd> {
  const type = operation.requestRecord
  if (!type) throw new TypeError(`${operation.id} sends nothing`)
  const answered = { any: Object.keys(start.answers ?? {}).length > 0 }
  try {
    return await runForm(host, type, start, () => {
      answered.any = true
    })
  } catch (error) {
    const kept = start.keep && answered.any ? start.kept : undefined
    if (!(error instanceof Interrupted) || kept === undefined) throw error
    throw new Interrupted(error.signal, `${error.message} ${kept}`)
  }
}

async function runForm(
  host: FormHost,
  type: RecordType,
  { before, answers: given = {}, keep, beforeSending }: FormStart,
  onAnswer: () => void,
): Promise<FormEnd> {
  const form = createFormContext(host, type)
  const sections = sectionsOf(type)
  let answers = given
  const body = () => bodyOf(type, before ?? {}, answers)

  showOpening(form, { type, before, given, place: host.place })
  if (before === undefined) {
    await ask(essentialQuestions(sections).filter((question) => !hasAnswer(question, body())))
  }
  for (;;) {
    host.stderr.write(`${review(form, sections, body())}\n`)
    if (before) showChanges(form, sections, before, answers)
    const canKeep = keep !== undefined
    const next = await whatNext(form, { sections, body: body(), place: host.place, canKeep })
    const again = next === 'send' ? await beforeSending?.(body()) : undefined
    if (again) {
      await ask(sections.flatMap(questionsIn).filter(({ path }) => again.includes(path)))
      continue
    }
    if (next === 'send' || next === 'dry-run') return { next, body: body() }
    if (next === 'draft') return { next, answers }
    if (next === 'stop') throw stopped()
    if (next === 'edit') await ask(await whichQuestions(form, sections, body()))
    else {
      const path = await whichFile(form)
      if (path !== undefined) return { next, body: body(), path }
    }
  }

  function ask(questions: readonly Question[]): Promise<void> {
    return askQuestions(form, questions, {
      body,
      before: ({ path }) => valueAt(before ?? {}, path.split('.')),
      now: ({ path }) =>
        Object.hasOwn(answers, path) ? (answers[path] ?? undefined) : valueAt(before ?? {}, path.split('.')),
      take,
    })
  }

  async function take(question: Question, value: Json): Promise<void> {
    const { path } = question
    const old = body()
    const original = valueAt(before ?? {}, path.split('.'))
    const { [path]: _, ...others } = answers
    const same = value === undefined || JSON.stringify(value) === JSON.stringify(original)
    const changed = same ? others : { ...answers, [path]: value }
    if (JSON.stringify(changed) === JSON.stringify(answers)) return
    answers = changed
    onAnswer()
    await keep?.(answers)
    for (const warning of newWarnings(form, sections, { leaf: question, before: old, after: body() })) {
      form.say(`${form.style.caution('!')} ${warning}`, '  ')
    }
  }
}

function showOpening(
  { say, style }: FormContext,
  start: {
    readonly type: RecordType
    readonly before: JsonObject | undefined
    readonly given: Answers
    readonly place: FormPlace
  },
): void {
  const { type, before, given, place } = start
  const count = Object.keys(given).length
  const filledIn = count > 0 ? ` ${count} ${count === 1 ? 'answer is' : 'answers are'} there already.` : ''
  say(`${style.bold(`${before ? 'Change' : 'New'}: ${type.displayName}`)}, on ${place.name}.${filledIn}`)
  say(keyHelp(before !== undefined))
  say('Ctrl-C stops, and nothing is sent.')
}

function stopped(): Failure {
  return new Failure('usage', 'Stopped. Nothing was sent.', { outcome: 'not-sent', declined: true })
}
