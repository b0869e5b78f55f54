import {
  isAskedFor,
  isEmpty,
  type Leaf,
  leafFields,
  siblingOf,
} from '../../api/contract/fields/field-tree.ts'
import type { Operation } from '../../api/contract/operations/operation.ts'
import type { RecordType } from '../../api/contract/records/record-type.ts'
import { checkValue } from '../../api/contract/standards/standards.ts'
import { warnings } from '../../api/contract/standards/warnings.ts'
import { declined, type Failure, Interrupted, type Issue } from '../../errors.ts'
import { type Json, type JsonObject, valueAt, withValueAt } from '../../json/path.ts'
import { safeText } from '../../render/text/safe-text.ts'
import { presetOf } from '../../values/fill-kind.ts'
import { askQuestion } from '../questions/ask-question.ts'
import { keyHelp, type QuestionResult } from '../questions/asked-field.ts'
import { formatValue } from '../questions/format-value.ts'
import { isListed, itemLine, itemOfList } from '../questions/list-question.ts'
import { hideKey } from '../terminal/prompt.ts'
import { createFormContext, type FormContext, type FormHost, type FormPlace } from './form-context.ts'
import {
  type Answers,
  bodyOf,
  essentialQuestions,
  type FormSection,
  hasAnswer,
  isUntouched,
  type Question,
  questionsIn,
  sectionsOf,
} from './form-section.ts'
import { labelOf, review } from './review.ts'
import { type RequestPreview, showRequest } from './show-request.ts'

export type { Answers } from './form-section.ts'

/** What a form starts with. */
interface FormStart {
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
    const draftHint = start.keep && answered.any ? start.kept : undefined
    if (!(error instanceof Interrupted) || draftHint === undefined) throw error
    throw new Interrupted(error.signal, error.message, { ...error.details, hint: draftHint })
  }
}

async function runForm(
  host: FormHost,
  type: RecordType,
  { before, answers: given = {}, keep, preview, beforeSending }: FormStart,
  onAnswer: (isWork: boolean) => void,
): Promise<FormEnd> {
  let answers = given
  const body = () => bodyOf(type, before ?? {}, answers)
  const form = createFormContext(host, type, body)
  const sections = sectionsOf(type)
  const leaves = sections.flatMap(({ questions }) => questions)

  showOpening(form, { type, before, given, place: host.place, isKept: keep !== undefined })
  if (before === undefined) {
    await ask(essentialQuestions(sections).filter((question) => !hasAnswer(question, body())))
  }
  let reviewed: JsonObject | undefined
  for (let isSeen = false; ; ) {
    if (!isSeen) host.stderr.write(`${review(form, sections, body(), before)}\n`)
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

/** The answers without those that the last one ruled out: no dates of a loan without a loan. */
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
  { say, style, isPlain }: FormContext,
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
  say(keyHelp({ isUpdate: before !== undefined, isSensitive, isPlain }))
  say(`Ctrl-C stops: nothing is sent${isKept ? ', and your answers are kept' : ''}.`)
}

function stopped(): Failure {
  return declined('Stopped.')
}

type Next = 'edit' | 'send' | 'draft' | 'file' | 'dry-run' | 'mask' | 'stop'

interface MenuState {
  readonly sections: readonly FormSection[]
  readonly body: JsonObject
  /** Where it would be sent. */
  readonly place: FormPlace
  /** Whether the answers can be kept as a draft. */
  readonly canKeep: boolean
}

/** Asks what to do with the record. Short, so that the record stays visible above it; Enter alone sends nothing. */
function whatNext({ ask }: FormContext, state: MenuState): Promise<Next> {
  const { sections, body, canKeep } = state
  const { name, origin, protected: isProtected } = state.place
  const place = origin ? `${name} (${origin})` : name
  const unless = isUntouched(sections, body) ? { disabled: 'nothing is filled in' } : {}
  return ask.choose<Next>({
    message: 'What next?',
    keys: { [hideKey]: 'mask' },
    help: isProtected ? `It goes to ${place}, which is protected: choosing Send sends it.` : undefined,
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

/** Which questions to ask: those of a section, or the one whose name is typed; none to go back. */
function whichQuestions(
  { ask }: FormContext,
  sections: readonly FormSection[],
  body: JsonObject,
): Promise<Question[]> {
  const questions = sections.flatMap(questionsIn)
  // What was asked for comes first: `USC rate 1` is the yearly one, which stands in the review.
  const isNear = (question: Question) => question.field.essential === true || hasAnswer(question, body)
  const fields = [...questions.filter(isNear), ...questions.filter((question) => !isNear(question))]
  return ask.choose<Question[]>({
    message: 'Which part?',
    hint: ' (type the name of a section or a field)',
    choices: [
      ...sections
        .map((section) => ({ value: questionsIn(section), name: section.title }))
        .filter(({ value }) => value.length > 0),
      { value: [], name: 'None: back to the record', short: 'none' },
    ],
    more: fields.map((question) => ({
      value: [question],
      name: question.field.section
        ? `${question.field.label} (${question.section.title})`
        : question.field.label,
      short: question.field.label,
      codes: [question.path, question.path.split('.').at(-1) ?? ''],
    })),
    none: 'No section or field matches.',
    keys: { '<': [] },
  })
}

/** Asks for the name of a file to write; undefined to go back. */
async function whichFile({ ask }: FormContext): Promise<string | undefined> {
  const typed = await ask.text({ message: 'File', hint: ' (such as starter.json; Enter goes back)' })
  const path = typed.trim()
  return path === '' || path === '<' ? undefined : path
}

interface Change {
  /** The field that was answered. */
  readonly leaf: Leaf
  readonly before: JsonObject
  readonly after: JsonObject
}

/**
 * The warnings that an answer caused, for example that NI category and age no longer fit together. Leaves out a warning
 * about the answer itself: the person already saw it with the question.
 */
function newWarnings(
  { type, today }: FormContext,
  sections: readonly FormSection[],
  { leaf, before, after }: Change,
): string[] {
  const old = new Set(warnings(type, before, today).map(asLine))
  const warning = checkValue(leaf.field, valueAt(after, leaf.path.split('.')), today)
  const isOwn = ({ path, message }: Issue) =>
    warning !== undefined && path === leaf.path && message.startsWith(warning.message)
  return warnings(type, after, today)
    .filter((issue) => !old.has(asLine(issue)) && !isOwn(issue))
    .map(({ path, message }) => safeText(`${labelBeside(leaf, sections, path)}: ${message}`))
}

const asLine = ({ path, message }: Issue) => `${path}: ${message}`

/** The label alone for a field of the section that the person is in. */
function labelBeside({ field }: Leaf, sections: readonly FormSection[], path: string): string {
  const own = sections.flatMap(({ questions }) => questions).find((other) => other.path === path)
  return own && own.field.section === field.section ? own.field.label : labelOf(sections, path)
}

/** Shows how a record differs from what it was, a line for each field. It stands right above the menu. */
function showChanges(
  form: FormContext,
  sections: readonly FormSection[],
  title: string,
  [before, after]: readonly [JsonObject, JsonObject],
): void {
  const { say, style } = form
  const changed = sections.flatMap(({ questions }) =>
    questions.flatMap((leaf) => {
      const [old, now] = [before, after].map((record) => valueAt(record, leaf.path.split('.')))
      const isSame = JSON.stringify(old) === JSON.stringify(now) || (isEmpty(old) && isEmpty(now))
      return isSame ? [] : [`${labelOf(sections, leaf.path)}: ${formatChange(form, leaf, old, now)}`]
    }),
  )
  if (changed.length === 0) return
  say(style.heading(title))
  for (const line of changed) say(line, '  ')
  say('')
}

function formatChange(form: FormContext, { field }: Leaf, before: Json, after: Json): string {
  const show = (each: Json) =>
    isListed(field) && Array.isArray(each)
      ? each.map((item) => itemLine(itemOfList(field).fields, item, form.shown())).join('; ')
      : formatValue(field, each, form.shown())
  const [old, now] = [show(before), show(after)]
  return `${old || 'nothing'} → ${now || 'nothing'}${old === now ? ' (changed)' : ''}`
}

/** The record while its questions are asked. */
interface FormState {
  readonly body: () => JsonObject
  /** Whether the record is a new one: only those have answers that Enter gives. */
  readonly isNew: boolean
  /** The value from before this form. */
  readonly before: (question: Question) => Json
  /** The answer so far, or the value from before this form. */
  readonly now: (question: Question) => Json
  /** Keeps an answer; undefined means no answer in this form. */
  readonly take: (question: Question, value: Json) => Promise<void>
}

/**
 * Asks one question after another, back and forth, until the last is answered or the person goes to the review. What
 * earlier answers rule out is left out. A single question was chosen by its name, and is asked in any case.
 */
async function askQuestions(form: FormContext, chosen: readonly Question[], state: FormState): Promise<void> {
  let questions = [...chosen]
  // Questions that are asked whatever the record says, and questions that another answer settled.
  const certain = new Set(chosen.length === 1 ? chosen : [])
  const settled = new Set<string>()
  const seen = new Set<Question>()
  let current: FormSection | undefined
  for (let at = following(0); at < questions.length; ) {
    const question = questions[at] as Question
    if (question.section !== current) showHeading(form, question.section)
    current = question.section
    seen.add(question)
    const reply = await askQuestion(form, askedFor(question, countFrom(at)))
    if ('value' in reply) await takeAnswer(question, reply)
    if (reply.move === 'review') return
    const back = reply.move === 'back' ? questions.slice(0, at).findLastIndex(isOnTheWay) : undefined
    if (back === -1)
      form.say('This is the first question. >> goes to the review, where each answer can be changed.')
    else if (back !== undefined) at = back
    else at = following(reply.move === 'on' ? startOfNextSection(questions, at) : at + 1)
  }

  function following(from: number): number {
    const next = questions.findIndex((question, index) => index >= from && isOpen(question))
    return next < 0 ? questions.length : next
  }

  /** How many answers are left if Enter gives them where it can; of two questions that rule each other out one is asked. */
  function countFrom(at: number): number | undefined {
    if (chosen.length === 1) return undefined
    let body = state.body()
    let count = 0
    for (const question of questions.slice(at)) {
      if (!isOpen(question, body)) continue
      const follows = questions
        .slice(at, questions.indexOf(question))
        .some((other) => ruleOut(question, other))
      if (!follows) count++
      const preset = presetFor(question, body)
      if (preset !== undefined) body = withValueAt(body, question.path.split('.'), preset) as JsonObject
    }
    return count
  }

  function isOpen(question: Question, body = state.body()): boolean {
    if (settled.has(question.path)) return false
    return certain.has(question) || isAskedFor(question, body) || hasAnswer(question, body)
  }

  /** Whether somebody who goes back meets this question again. */
  function isOnTheWay(question: Question): boolean {
    return seen.has(question) || isOpen(question)
  }

  function askedFor(question: Question, left: number | undefined) {
    const { path, field } = question
    const [now, before] = [state.now(question), state.before(question)]
    return {
      path,
      field,
      now: now === undefined ? presetFor(question, state.body()) : now,
      before,
      isNew: state.isNew,
      kindField: field.kinds?.find((kind) => !isEmpty(siblingOf(path, kind.field, state.body())))?.field,
      keep: (value: Json) => state.take(question, value),
      ...(left !== undefined && { left }),
    }
  }

  /** What Enter gives a question of a new record that has no answer. */
  function presetFor(question: Question, body: Json): Json {
    const isAsked = question.field.essential || certain.has(question)
    return state.isNew && isAsked && state.now(question) === undefined ? presetOf(question, body) : undefined
  }

  async function takeAnswer(question: Question, reply: QuestionResult): Promise<void> {
    await state.take(question, reply.value)
    for (const [name, value] of reply.also ?? []) await takeRelated(question, name, value)
    const next = reply.next && sibling(question, reply.next)
    questions = questions.filter((each) => !(each.follows === question.path))
    if (!next) return
    const follow = { ...next, follows: question.path }
    certain.add(follow)
    questions.splice(questions.indexOf(question) + 1, 0, follow)
  }

  /** Fills in the field beside this one that the same answer also settled, and says so. */
  async function takeRelated(question: Question, name: string, value: Json): Promise<void> {
    const other = sibling(question, name)
    if (!other || (value === undefined && state.now(other) === undefined)) return
    await state.take(other, value)
    if (value === undefined) return
    form.say(
      `${other.field.label}: ${formatValue(other.field, value, form.shown())}, as in the answer.`,
      '  ',
    )
    settled.add(other.path)
  }
}

/** Whether an answer to either question leaves nothing to ask in the other: a salary, and a rate. */
function ruleOut({ path, field }: Question, other: Question): boolean {
  const { when } = field
  return when !== undefined && 'without' in when && other.path === path.replace(/[^.]+$/, when.without)
}

/** The question about the field beside one, of another name. */
function sibling({ path, section }: Question, name: string): Question | undefined {
  const leaf = section.questions.find((each) => each.path === path.replace(/[^.]+$/, name))
  return leaf && { ...leaf, section }
}

function startOfNextSection(questions: readonly Question[], at: number): number {
  const current = questions[at]?.section
  const next = questions.findIndex(({ section }, index) => index > at && section !== current)
  return next < 0 ? questions.length : next
}

function showHeading({ say, style }: FormContext, { title }: FormSection): void {
  say('')
  say(style.heading(title))
}
