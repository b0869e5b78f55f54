import { declined, Interrupted, type Issue } from '../../errors.ts'
import { isEmpty, type JsonObject, lastName, valueAt } from '../../files/json/path.ts'
import type { Leaf } from '../../model/fields/field-tree.ts'
import { type Operation, recordSentBy } from '../../model/records/operation.ts'
import { addedWarnings, doubtOf } from '../../model/standards/warnings.ts'
import { findField } from '../../model/values/find-field.ts'
import { safeText } from '../../render/text/safe-text.ts'
import { withOrigin } from '../../text/words.ts'
import { askQuestion } from '../questions/ask-question.ts'
import { keyHelp } from '../questions/asked-field.ts'
import { createFormContext, type FormContext, type FormHost } from '../questions/form-context.ts'
import { formatValue } from '../questions/format-value.ts'
import type { Choice } from '../terminal/prompt.ts'
import {
  type Answers,
  askingFor,
  bodyIn,
  emptyForm,
  type Form,
  type FormSection,
  hasAnswer,
  isUntouched,
  maySettle,
  openQuestion,
  type Question,
  questionsIn,
  ruledOutBy,
  takeReply,
  withAnswer,
} from './form.ts'
import { inShort, neededLine, review, screensOf, sectionLabel } from './review.ts'

interface FormStart {
  readonly before?: JsonObject | undefined
  readonly answers?: Answers | undefined
  /** Whether these are the answers of a form that was stopped: it goes on behind the last of them. */
  readonly isResumed?: boolean
  /** Called after each answer, and when the form is stopped. */
  readonly keep?: ((answers: Answers) => Promise<void>) | undefined
  /**
   * Checks the record before it is sent. Returns the paths of fields to ask for again; empty to go back,
   * undefined to send.
   */
  readonly beforeSending?: ((body: JsonObject) => Promise<readonly string[] | undefined>) | undefined
  /** What the message says about the kept answers when the form is interrupted. */
  readonly kept?: string | undefined
}

/** The decision of the person at the end of a form. */
export type FormEnd =
  | { readonly next: 'send'; readonly body: JsonObject }
  | { readonly next: 'draft'; readonly answers: Answers }

/**
 * Asks the essential questions, shows the whole record, and asks more as long as the person wants. Whoever chooses Send
 * has seen the record and where it goes. Throws Interrupted on Ctrl-C, and a Failure when the person stops.
 */
export async function fillForm(host: FormHost, operation: Operation, start: FormStart): Promise<FormEnd> {
  const type = recordSentBy(operation)
  const { before, answers = {}, keep } = start
  const law = { today: host.today, facts: host.facts }
  const filling: Filling = {
    form: createFormContext(host, type, () => bodyIn(filling.state)),
    start,
    state: emptyForm(type, before, answers, law),
  }
  try {
    showOpening(filling)
    await askEssentials(filling)
    return await reviewAndEnd(filling)
  } catch (error) {
    if (!(error instanceof Interrupted) || !keep || !isWork(filling)) throw error
    await keep(filling.state.answers)
    throw error.with({ hint: start.kept ?? error.details.hint })
  }
}

interface Filling {
  readonly form: FormContext
  readonly start: FormStart
  state: Form
}

/** Whether anything was given that Enter alone would not have answered: nothing else is work to lose. */
function isWork({ start: { before, answers }, state }: Filling): boolean {
  if (before === undefined) return !isUntouched(state)
  return Object.keys(state.answers).length > 0 && state.answers !== answers
}

async function keepNow(filling: Filling): Promise<void> {
  await filling.start.keep?.(isWork(filling) ? filling.state.answers : {})
}

/**
 * Asks the essential questions of a new record. One that was skipped before the form was stopped is not asked again. A
 * list is: the form may have been stopped in its midst, in a line that has no hours yet.
 */
async function askEssentials(filling: Filling): Promise<void> {
  const { start, state } = filling
  if (start.before !== undefined) return
  const body = bodyIn(state)
  const essential = state.sections.flatMap(questionsIn).filter(({ field }) => field.essential)
  const last = start.isResumed ? essential.findLast((question) => hasAnswer(question, body)) : undefined
  const isBegun = last !== undefined && Array.isArray(valueAt(body, last.path))
  const open = essential
    .slice(last ? essential.indexOf(last) : 0)
    .filter((question) => !hasAnswer(question, body) || (isBegun && question === last))
  await ask(filling, open, true)
}

/** Shows the record, and does what the person chooses, until that ends the form. */
async function reviewAndEnd(filling: Filling): Promise<FormEnd> {
  const { form } = filling
  const { before, beforeSending } = filling.start
  let reviewed: JsonObject | undefined
  let isAllShown = true
  for (;;) {
    const { state } = filling
    const body = bodyIn(state)
    const pages = recordPages(form, state)
    const isLong = pages.length > 1
    const isWhole = isAllShown || !isLong ? await showPages(form, pages) : false
    const needed = isWhole ? '' : neededLine(form, state)
    if (needed !== '') form.print(`${needed}\n`)
    if (isLong) form.say(inShort(form, state))
    if (before) showChanges(form, state, 'What changes', before)
    else if (reviewed) showChanges(form, state, 'What changed', reviewed)
    reviewed = body
    const next = await whatNext(filling, isLong)
    isAllShown = next === 'read'
    const again = next === 'send' ? await beforeSending?.(body) : undefined
    const questions = state.sections.flatMap(questionsIn)
    if (again)
      await ask(
        filling,
        questions.filter(({ path }) => again.includes(path)),
      )
    else if (next === 'send') return { next, body }
    else if (next === 'draft') return { next, answers: state.answers }
    else if (next === 'stop') throw declined('Stopped.')
    else if (next === 'edit') await ask(filling, await whichQuestions(form, state))
  }
}

/**
 * Asks questions one after another, back and forth. After the first review, who goes back from the first of them is at
 * the review again.
 */
async function ask(filling: Filling, questions: readonly Question[], isBeforeReview = false): Promise<void> {
  const { form } = filling
  filling.state = askingFor(filling.state, questions)
  let current: FormSection | undefined
  for (let open = openQuestion(filling.state); open; open = openQuestion(filling.state)) {
    const { question, asked } = open
    if (question.section !== current) form.say(`\n${form.style.heading(question.section.title)}`)
    current = question.section
    const formBefore = filling.state
    const reply = await askQuestion(form, {
      ...asked,
      keep: async (value) => {
        filling.state = withAnswer(filling.state, question, value)
        await keepNow(filling)
      },
    })
    const { answers } = filling.state
    // A part that was kept while the question was open is no answer where the question was left without one.
    const { form: next, related, isFirst } = takeReply(formBefore, reply)
    filling.state = next
    for (const { field } of ruledOutBy(question, formBefore, next))
      form.say(`${field.label}: nothing now, because of this answer.`, '  ')
    for (const [{ field }, value] of related)
      form.say(`${field.label}: ${formatValue(field, value, form.shown)}, as in the answer.`, '  ')
    for (const { path, message } of newDoubts(form, question, bodyIn(formBefore), bodyIn(next))) {
      const says = safeText(`${sectionLabel(next.sections, path)}: ${message}`)
      // A doubt that a later question may settle stands in the review, if it still holds.
      if (!maySettle(next, question, path)) form.say(`${form.style.caution('!')} ${says}`, '  ')
    }
    if (isFirst && isBeforeReview)
      form.say('This is the first question. >> goes to the review, where each answer can be changed.')
    else if (isFirst) filling.state = askingFor(next, [])
    if (next.answers !== answers) await keepNow(filling)
  }
}

function showOpening({ form, start }: Filling): void {
  const { say, style, isPlain, type, service } = form
  const { before, keep, answers = {} } = start
  const count = Object.keys(answers).length
  const filledIn = count > 0 ? ` ${count} ${count === 1 ? 'answer is' : 'answers are'} there already.` : ''
  say(`${style.bold(`${before ? 'Change' : 'New'}: ${type.displayName}`)}, on ${service.name}.${filledIn}`)
  say(keyHelp({ isUpdate: before !== undefined, isPlain }))
  say(`Ctrl-C stops: nothing is sent${keep ? ', and your answers are kept' : ''}.`)
}

/** How many lines the menu takes below the record, and how many a page keeps free for its own question. */
const [menuLines, pageLines] = [9, 3]

/** The record as one page if the menu fits below it. A screen reader always gets one page. */
function recordPages(form: FormContext, state: Form): readonly string[] {
  const text = review(form, state)
  const isShort = text.split('\n').length + menuLines <= form.rows()
  return form.isPlain || isShort ? [text] : screensOf(text, form.rows() - pageLines)
}

/** Shows the pages until the person ends them. Returns whether the last one was shown. */
async function showPages(form: FormContext, pages: readonly string[]): Promise<boolean> {
  for (const [at, page] of pages.entries()) {
    form.print(`${pages.length > 1 ? '\n' : ''}${page}\n`)
    if (at === pages.length - 1) continue
    const next = await form.ask.line<'next' | 'end'>({
      message: `Page ${at + 1} of ${pages.length}`,
      hint: ' (Enter shows the next, > goes to the menu)',
      keys: { '>': 'end', '>>': 'end' },
      read: (text) =>
        text.trim() === ''
          ? { value: 'next', echo: '' }
          : { refused: 'Enter shows the next page, and > goes to the menu, where you can edit or send it.' },
    })
    if (next === 'end') return false
  }
  return true
}

type Next = 'edit' | 'read' | 'send' | 'draft' | 'stop'

/** The menu below the record. It is short, so that the record stays visible. Enter alone sends nothing. */
function whatNext({ form, start, state }: Filling, isLong: boolean) {
  const { name, origin, protected: isProtected } = form.service
  const to = withOrigin(name, origin)
  const isBlank = isUntouched(state)
  const unless = isBlank ? { disabled: 'nothing is filled in' } : {}
  return form.ask.choose<Next>({
    message: 'What next?',
    help: isProtected ? `It goes to ${to}, which is protected: choosing Send sends it.` : undefined,
    choices: [
      { value: 'edit', name: 'Edit a section or a field' },
      { value: 'send', name: `Send it to ${to}`, ...unless },
      ...(isLong ? [{ value: 'read' as const, name: 'Read the record again' }] : []),
      start.keep && !isBlank
        ? { value: 'draft', name: 'Stop, and keep it as a draft' }
        : { value: 'stop', name: 'Stop, and send nothing' },
    ],
  })
}

/** Asks which part to change. Returns the questions of a section, or one named field; none to go back. */
function whichQuestions({ ask, type }: FormContext, state: Form): Promise<Question[]> {
  const { sections } = state
  const body = bodyIn(state)
  const questions = sections.flatMap(questionsIn)
  // Answered and essential fields come first: `USC rate 1` then means the yearly one, which the review shows.
  const isNear = (question: Question) => question.field.essential === true || hasAnswer(question, body)
  const fields = [...questions.filter(isNear), ...questions.filter((question) => !isNear(question))]
  const choiceOf = (question: Question): Choice<Question[]> => ({
    value: [question],
    name: question.field.section
      ? `${question.field.label} (${question.section.title})`
      : question.field.label,
    short: question.field.label,
    codes: [question.path, lastName(question.path)],
  })
  const choicesOf = (paths: readonly (string | undefined)[]) =>
    questions.filter(({ path }) => paths.includes(path)).map(choiceOf)
  return ask.choose<Question[]>({
    message: 'Which part?',
    hint: ' (type the name of a section or a field)',
    choices: [
      ...sections
        .map((section) => ({ value: questionsIn(section), name: section.title }))
        .filter(({ value }) => value.length > 0),
      { value: [], name: 'None: back to the record', short: 'none' },
    ],
    more: fields.map(choiceOf),
    // As --set finds a field: by a heading or an abbreviation too.
    typed: (text) => {
      const { found, near } = findField(type.fields, text)
      return found ? { meant: choicesOf([found.request])[0] } : { near: choicesOf(near) }
    },
    none: 'No section or field matches.',
    keys: { '<': [] },
  })
}

/** The doubts that an answer caused, without the one that its own question has shown. */
function newDoubts(
  { type, today, facts }: FormContext,
  leaf: Leaf,
  before: JsonObject,
  after: JsonObject,
): Issue[] {
  const warning = doubtOf(leaf.field, valueAt(after, leaf.path), today)
  const isOwn = ({ path, message }: Issue) =>
    warning !== undefined && path === leaf.path && message.startsWith(warning.message)
  return addedWarnings(type, before, after, today, facts).filter((issue) => !isOwn(issue))
}

function showChanges(form: FormContext, state: Form, title: string, before: JsonObject): void {
  const { say, style } = form
  const { sections } = state
  const after = bodyIn(state)
  const changes = sections.flatMap(({ questions }) =>
    questions.flatMap((leaf) => {
      const [old, now] = [before, after].map((record) => valueAt(record, leaf.path))
      const isSame = JSON.stringify(old) === JSON.stringify(now) || (isEmpty(old) && isEmpty(now))
      if (isSame) return []
      const [was, is] = [old, now].map((each) => formatValue(leaf.field, each, form.shown))
      const change = `${was || 'nothing'} → ${is || 'nothing'}${was === is ? ' (changed)' : ''}`
      return [`${sectionLabel(sections, leaf.path)}: ${change}`]
    }),
  )
  if (changes.length === 0) return
  say(style.heading(title))
  for (const line of changes) say(line, '  ')
  say('')
}
