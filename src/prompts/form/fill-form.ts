import { type Leaf, leafFields } from '../../api/contract/fields/field-tree.ts'
import type { Operation } from '../../api/contract/operations/operation.ts'
import type { RecordType } from '../../api/contract/records/record-type.ts'
import { Failure, Interrupted } from '../../errors.ts'
import { type Json, type JsonObject, valueAt } from '../../json/path.ts'
import { keyHelp } from '../terminal/form-keys.ts'
import { isAskedFor } from './asked.ts'
import { createFormContext, type FormContext } from './form-context.ts'
import type { FormHost, FormPlace } from './form-host.ts'
import {
  type Answers,
  bodyOf,
  essentialQuestions,
  hasAnswer,
  isUntouched,
  type Question,
  questionsIn,
  sectionsOf,
} from './form-section.ts'
import { whatNext, whichFile, whichQuestions } from './menu.ts'
import { newWarnings } from './new-warnings.ts'
import { review } from './review.ts'
import { showChanges } from './show-changes.ts'
import { type RequestPreview, showRequest } from './show-request.ts'
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
  /** What would be sent for this record. Throws a Failure for what the service would never take. */
  readonly preview: (body: JsonObject) => Promise<RequestPreview>
  /** Says that the answers are kept and how to resume; added to the message when the form is interrupted. */
  readonly kept?: string
}

/** What the person decided at the end of a form. */
export type FormEnd =
  | { readonly next: 'send'; readonly body: JsonObject }
  | { readonly next: 'draft'; readonly answers: Answers }
  | { readonly next: 'file'; readonly body: JsonObject; readonly path: string }

/**
 * The form: asks for the essential fields, shows the whole record, and asks for more fields as long as the person
 * wants. Values from before are shown first. A person who sends from here has seen the record and where it goes, so
 * no other confirmation is needed. Throws Interrupted on Ctrl-C and a Failure when the person stops.
 */
export async function fillForm(host: FormHost, operation: Operation, start: FormStart): Promise<FormEnd> {
  const type = operation.requestRecord
  if (!type) throw new TypeError(`${operation.id} sends nothing`)
  const answered = { any: Object.keys(start.answers ?? {}).length > 0 }
  try {
    return await runForm(host, type, start, (isWork) => {
      answered.any = isWork
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
  { before, answers: given = {}, keep, preview, beforeSending }: FormStart,
  onAnswer: (isWork: boolean) => void,
): Promise<FormEnd> {
  const form = createFormContext(host, type)
  const sections = sectionsOf(type)
  const leaves = sections.flatMap(({ questions }) => questions)
  let answers = given
  const body = () => bodyOf(type, before ?? {}, answers)

  showOpening(form, { type, before, given, place: host.place, isKept: keep !== undefined })
  if (before === undefined) {
    await ask(essentialQuestions(sections).filter((question) => !hasAnswer(question, body())))
  }
  let reviewed: JsonObject | undefined
  for (let isSeen = false; ; ) {
    if (!isSeen) host.stderr.write(`${review(form, sections, body())}\n`)
    if (!isSeen && before) showChanges(form, sections, 'What changes', [before, body()])
    else if (!isSeen && reviewed) showChanges(form, sections, 'What changed', [reviewed, body()])
    reviewed = body()
    isSeen = false
    const canKeep = keep !== undefined
    const next = await whatNext(form, { sections, body: body(), place: host.place, canKeep })
    const again = next === 'send' ? await beforeSending?.(body()) : undefined
    if (again) {
      await ask(sections.flatMap(questionsIn).filter(({ path }) => again.includes(path)))
      continue
    }
    if (next === 'send') return { next, body: body() }
    if (next === 'draft') return { next, answers }
    if (next === 'stop') throw stopped()
    if (next === 'mask') form.mask(!form.shown().masked)
    else if (next === 'edit') await ask(await whichQuestions(form, sections, body()))
    else if (next === 'dry-run') {
      await showRequest(form, sections, preview(body()))
      isSeen = true
    } else {
      const path = await whichFile(form)
      if (path !== undefined) return { next, body: body(), path }
    }
  }

  function ask(questions: readonly Question[]): Promise<void> {
    return askQuestions(form, questions, {
      body,
      isNew: before === undefined,
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
    answers = withoutRuledOut(leaves, changed, old, bodyOf(type, before ?? {}, changed))
    // What Enter alone would have answered is no work to lose.
    const isWork = before !== undefined || !isUntouched(sections, body())
    onAnswer(isWork)
    await keep?.(isWork ? answers : {})
    for (const warning of newWarnings(form, sections, { leaf: question, before: old, after: body() })) {
      form.say(`${form.style.caution('!')} ${warning}`, '  ')
    }
  }
}

/** The answers without those that the last one ruled out: no dates of a loan that there is not. */
function withoutRuledOut(
  leaves: readonly Leaf[],
  answers: Answers,
  before: JsonObject,
  after: JsonObject,
): Answers {
  const left = Object.entries(answers).filter(([path]) => {
    const leaf = leaves.find((each) => each.path === path)
    const isByAnswer = leaf?.field.when !== undefined && 'field' in leaf.field.when
    return !leaf || !isByAnswer || !isAskedFor(leaf, before) || isAskedFor(leaf, after)
  })
  return Object.fromEntries(left)
}

function showOpening(
  { say, style }: FormContext,
  start: {
    readonly type: RecordType
    readonly before: JsonObject | undefined
    readonly given: Answers
    readonly place: FormPlace
    readonly isKept: boolean
  },
): void {
  const { type, before, given, place, isKept } = start
  const count = Object.keys(given).length
  const filledIn = count > 0 ? ` ${count} ${count === 1 ? 'answer is' : 'answers are'} there already.` : ''
  say(`${style.bold(`${before ? 'Change' : 'New'}: ${type.displayName}`)}, on ${place.name}.${filledIn}`)
  const isSensitive = leafFields(type.fields).some(({ field }) => field.sensitive)
  say(keyHelp(before !== undefined, isSensitive))
  say(`Ctrl-C stops: nothing is sent${isKept ? ', and your answers are kept' : ''}.`)
}

function stopped(): Failure {
  return new Failure('usage', 'Stopped. Nothing was sent.', { outcome: 'not-sent', declined: true })
}
