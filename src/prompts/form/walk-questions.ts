import { isAskedFor, isEmpty, siblingOf } from '../../api/contract/fields/field-tree.ts'
import { type Json, type JsonObject, withValueAt } from '../../json/path.ts'
import { presetOf } from '../../values/fill-kind.ts'
import { askQuestion } from '../questions/ask-question.ts'
import type { QuestionResult } from '../questions/asked-field.ts'
import { formatValue } from '../questions/format-value.ts'
import type { FormContext } from './form-context.ts'
import { type FormSection, hasAnswer, type Question } from './form-section.ts'

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
export async function askQuestions(
  form: FormContext,
  chosen: readonly Question[],
  state: FormState,
): Promise<void> {
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
