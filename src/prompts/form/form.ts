import {
  isEmpty,
  type Json,
  type JsonObject,
  valueAt,
  withoutValueAt,
  withValueAt,
} from '../../files/json/path.ts'
import { type Law, type Section, sections } from '../../model/fields/field.ts'
import { fieldAt, isAskedFor, type Leaf, leafFields, siblingOf } from '../../model/fields/field-tree.ts'
import { nounOfType, type RecordType } from '../../model/records/record-type.ts'
import { presetOf } from '../../model/values/implied-values.ts'
import { capital } from '../../text/words.ts'
import type { AskedField, QuestionResult } from '../questions/asked-field.ts'

/** Questions that belong together, under one heading. */
export interface FormSection {
  readonly title: string
  readonly questions: readonly Leaf[]
}

/** One question, and the section that it belongs to. */
export interface Question extends Leaf {
  readonly section: FormSection
  /** The path of the question whose answer leads to this one. */
  readonly follows?: string
}

/** Values by path, to be laid over the record from before the form. Null removes a value. */
export type Answers = Readonly<Record<string, Json>>

/** The fields by section, in the order of the sections; fields without one come first, under the record's name. */
function formSections(type: RecordType): FormSection[] {
  const leaves = leafFields(type.fields)
  const inSection = (section?: Section) => leaves.filter(({ field }) => field.section === section)
  return [
    { title: capital(nounOfType(type)), questions: inSection() },
    ...(Object.keys(sections) as Section[]).map((section) => ({
      title: sections[section],
      questions: inSection(section),
    })),
  ].filter(({ questions }) => questions.length > 0)
}

/** The questions of a section. */
export function questionsIn(section: FormSection): Question[] {
  return section.questions.filter(({ field }) => !field.machine).map((leaf) => ({ ...leaf, section }))
}

export function hasAnswer({ path }: Pick<Leaf, 'path'>, body: Json): boolean {
  return !isEmpty(valueAt(body, path))
}

/** Whether all answers are those that Enter alone would give. */
export function isUntouched(form: Form): boolean {
  const { sections, law } = form
  const body = bodyIn(form)
  return sections
    .flatMap(({ questions }) => questions)
    .every((leaf) => !hasAnswer(leaf, body) || valueAt(body, leaf.path) === presetOf(leaf, body, law))
}

/** A form as data: the answers so far, and the questions that are being asked. */
export interface Form {
  readonly type: RecordType
  readonly sections: readonly FormSection[]
  readonly before: JsonObject | undefined
  readonly answers: Answers
  readonly law: Law
  readonly walk: Walk
}

/** Questions that are asked one after another, back and forth. */
interface Walk {
  readonly questions: readonly Question[]
  /** The index of the open question; the number of questions when none is open. */
  readonly at: number
  readonly settled: readonly string[]
  /** Paths of questions that have been visited. Going back reaches them again. */
  readonly visited: readonly string[]
  /** Whether to show how many questions are left. Not for one that was chosen by name. */
  readonly isCounted: boolean
}

interface Step {
  readonly form: Form
  /** The questions that the same answer filled in as well. */
  readonly related: readonly (readonly [Question, Json])[]
  readonly isFirst: boolean
}

export const emptyForm = (
  type: RecordType,
  before: JsonObject | undefined,
  answers: Answers,
  law: Law,
): Form => ({
  type,
  sections: formSections(type),
  law,
  before,
  answers,
  walk: { questions: [], at: 0, settled: [], visited: [], isCounted: true },
})

/** The record as it is answered so far: the one from before, with the answers laid over it. */
export function bodyIn({
  type,
  before = {},
  answers,
}: Pick<Form, 'type' | 'before' | 'answers'>): JsonObject {
  return Object.entries(answers).reduce((body, [path, value]) => {
    const isRemoved = value === null && !fieldAt(type.fields, path)?.nullable
    const segments = path.split('.')
    return (isRemoved ? withoutValueAt(body, segments) : withValueAt(body, segments, value)) as JsonObject
  }, before)
}

/** The answer so far, or the value from before this form. */
function valueInForm({ answers, before = {} }: Form, { path }: Leaf): Json {
  return Object.hasOwn(answers, path) ? (answers[path] ?? undefined) : valueAt(before, path)
}

/** The form with questions to ask. */
export function askingFor(form: Form, questions: readonly Question[]): Form {
  const isCounted = questions.length > 1
  return openedFrom({ ...form, walk: { questions, at: 0, settled: [], visited: [], isCounted } }, 0)
}

/** The question that is open, and how it is asked; undefined once all are answered. */
export function openQuestion(
  form: Form,
): { readonly question: Question; readonly asked: AskedField } | undefined {
  const question = form.walk.questions[form.walk.at]
  if (!question) return undefined
  const { path, field } = question
  const body = bodyIn(form)
  const answer = valueInForm(form, question)
  const questionField = {
    path,
    field,
    now: answer === undefined ? presetFor(form, question, body) : answer,
    before: valueAt(form.before ?? {}, path),
    isNew: form.before === undefined,
    kindField: field.kinds?.find((kind) => !isEmpty(siblingOf(path, kind.field, body)))?.field,
    left: form.walk.isCounted ? countLeft(form) : undefined,
  }
  return { question, asked: questionField }
}

/** The form after a reply to the open question: the answer is in it, and the next question is open. */
export function takeReply(form: Form, reply: QuestionResult): Step {
  const question = form.walk.questions[form.walk.at]
  if (!question) throw new TypeError('no question is open')
  const { form: withAnswers, related } =
    'value' in reply ? withReply(form, question, reply) : { form, related: [] }
  const { walk } = withAnswers
  const at = walk.questions.findIndex(({ path }) => path === question.path)
  const next: Form = { ...withAnswers, walk: { ...walk, at, visited: [...walk.visited, question.path] } }
  if (reply.move !== 'back') {
    const ahead = { review: walk.questions.length, on: startOfNextSection(walk.questions, at) }
    const from = reply.move === undefined ? at + 1 : ahead[reply.move]
    return { form: openedFrom(next, from), related, isFirst: false }
  }
  const isOnTheWay = (each: Question) => next.walk.visited.includes(each.path) || isToAsk(next, each)
  const before = walk.questions.slice(0, at).findLastIndex(isOnTheWay)
  const formAfter = before < 0 ? next : { ...next, walk: { ...next.walk, at: before } }
  return { form: formAfter, related, isFirst: before < 0 }
}

/** The form with one more answer. undefined: no answer in this form. null: no value in the record. */
export function withAnswer(form: Form, { path }: Leaf, value: Json): Form {
  const { [path]: _, ...others } = form.answers
  const original = valueAt(form.before ?? {}, path)
  const isSame = value === undefined || JSON.stringify(value) === JSON.stringify(original)
  const formAfter = { ...form, answers: isSame ? others : { ...form.answers, [path]: value } }
  if (JSON.stringify(formAfter.answers) === JSON.stringify(form.answers)) return form
  return withoutRuledOut(formAfter, bodyIn(form), bodyIn(formAfter))
}

/**
 * Drops answers that the last one has ruled out: no dates of a loan without a loan; and proposals that were
 * taken and are others now, such as the start of the loan on another start date.
 */
function withoutRuledOut(form: Form, before: JsonObject, after: JsonObject): Form {
  const leaves = leafFields(form.type.fields)
  const answersLeft = Object.entries(form.answers).filter(([path, value]) => {
    const leaf = leaves.find((each) => each.path === path)
    if (!leaf) return true
    if (isProposedAnew(form, leaf, value, [before, after])) return false
    const isByAnswer = leaf.field.when !== undefined && 'field' in leaf.field.when
    return !isByAnswer || !isAskedFor(leaf, before) || isAskedFor(leaf, after)
  })
  return { ...form, answers: Object.fromEntries(answersLeft) }
}

/** Whether a value is what was proposed for a new record, by an answer that proposes another one now. */
function isProposedAnew(
  { before, law }: Form,
  leaf: Leaf,
  value: Json,
  bodies: readonly [before: JsonObject, after: JsonObject],
): boolean {
  if (before !== undefined || value === undefined) return false
  const [was, is] = bodies.map((body) => presetOf(leaf, body, law))
  return was === value && is !== undefined && is !== was
}

/** The fields whose answer that to a question took away, but for those that are asked for again. */
export const ruledOutBy = ({ path: asked }: Question, before: Form, after: Form): readonly Leaf[] =>
  leafFields(before.type.fields).filter(
    ({ path }) =>
      path !== asked &&
      !isEmpty(before.answers[path]) &&
      !Object.hasOwn(after.answers, path) &&
      !isStillAsked(after, path),
  )

/** Whether the question of a path is still to come, unanswered. */
function isStillAsked(form: Form, path: string): boolean {
  const { questions, at } = form.walk
  const body = bodyIn(form)
  return questions
    .slice(at)
    .some((each) => each.path === path && isToAsk(form, each) && !hasAnswer(each, body))
}

function withReply(form: Form, question: Question, reply: QuestionResult): Omit<Step, 'isFirst'> {
  let formAfter = withAnswer(form, question, reply.value)
  const related: [Question, Json][] = []
  const pathsDone = [...form.walk.settled]
  for (const [name, value] of reply.also ?? []) {
    const other = sibling(question, name)
    if (!other || (value === undefined && valueInForm(formAfter, other) === undefined)) continue
    formAfter = withAnswer(formAfter, other, value)
    if (value === undefined) continue
    related.push([other, value])
    pathsDone.push(other.path)
  }
  const questionsLeft = form.walk.questions.filter((each) => each.follows !== question.path)
  formAfter = { ...formAfter, walk: { ...form.walk, questions: questionsLeft, settled: pathsDone } }
  const nextQuestion = reply.next === undefined ? undefined : sibling(question, reply.next)
  const newQuestions = openedBy(form, formAfter).filter(({ path }) => path !== nextQuestion?.path)
  const next = (nextQuestion ? [nextQuestion, ...newQuestions] : newQuestions).map((each) => ({
    ...each,
    follows: question.path,
  }))
  const at = questionsLeft.findIndex(({ path }) => path === question.path)
  const questions = questionsLeft.toSpliced(at + 1, 0, ...next)
  return { form: { ...formAfter, walk: { ...formAfter.walk, questions } }, related }
}

/** The questions that an answer opens: essential ones that it asks for only now, and those whose proposal it has changed. */
function openedBy(before: Form, after: Form): readonly Question[] {
  const bodies = [bodyIn(before), bodyIn(after)] as const
  const [was, is] = bodies
  const isNew = (each: Question) => each.field.essential === true && !isAskedFor(each, was)
  return after.sections
    .flatMap(questionsIn)
    .filter((each) => isAskedFor(each, is) && !hasAnswer(each, is) && !isStillAsked(after, each.path))
    .filter((each) => isNew(each) || isProposedAnew(before, each, before.answers[each.path], bodies))
}

function openedFrom(form: Form, from: number): Form {
  const { questions } = form.walk
  const next = questions.findIndex((question, at) => at >= from && isToAsk(form, question))
  return { ...form, walk: { ...form.walk, at: next < 0 ? questions.length : next } }
}

/**
 * Whether a question that is still to come may settle a doubt about the field at a path: that of the field, or one that
 * the last answer leads to, such as the start of a loan.
 */
export function maySettle(form: Form, last: Question, path: string): boolean {
  const { questions, at } = form.walk
  return questions[at]?.follows === last.path || isStillAsked(form, path)
}

/** Whether a question is always asked: a single one that was chosen by name, and one that an answer leads to. */
const isCertain = ({ walk }: Form, { follows }: Question) => !walk.isCounted || follows !== undefined

function isToAsk(form: Form, question: Question): boolean {
  const { walk } = form
  const body = bodyIn(form)
  if (walk.settled.includes(question.path) && hasAnswer(question, body)) return false
  return isCertain(form, question) || isAskedFor(question, body) || hasAnswer(question, body)
}

/** The number of questions left, as the answers are now. */
const countLeft = (form: Form): number =>
  form.walk.questions.slice(form.walk.at).filter((question) => isToAsk(form, question)).length

/** The answer that Enter alone gives in a new record. */
function presetFor(form: Form, question: Question, body: Json): Json {
  const isAsked = question.field.essential || isCertain(form, question)
  const isUnanswered = form.before === undefined && valueInForm(form, question) === undefined
  return isAsked && isUnanswered ? presetOf(question, body, form.law) : undefined
}

function sibling({ path, section }: Question, name: string): Question | undefined {
  const leaf = section.questions.find((each) => each.path === path.replace(/[^.]+$/, name))
  return leaf && { ...leaf, section }
}

function startOfNextSection(questions: readonly Question[], at: number): number {
  const current = questions[at]?.section
  const next = questions.findIndex(({ section }, index) => index > at && section !== current)
  return next < 0 ? questions.length : next
}
