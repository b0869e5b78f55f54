import type { Json, JsonObject } from '../../json/path.ts'
import { cell } from '../../render/text/format-cell.ts'
import { askQuestion } from '../questions/ask-question.ts'
import type { FormContext } from './form-context.ts'
import { countAnswered, type FormSection, type Question } from './form-section.ts'

/** The record while its questions are asked. */
export interface FormState {
  readonly body: () => JsonObject
  /** The value from before this form. */
  readonly before: (question: Question) => Json
  /** The answer so far, or the value from before this form. */
  readonly now: (question: Question) => Json
  /** Keeps an answer; undefined means no answer in this form. */
  readonly take: (question: Question, value: Json) => Promise<void>
}

/** Asks one question after another, back and forth, until the last is answered or the person goes to the review. */
export async function askQuestions(
  form: FormContext,
  questions: readonly Question[],
  state: FormState,
): Promise<void> {
  const sections = [...new Set(questions.map(({ section }) => section))]
  let current: FormSection | undefined
  for (let at = 0; at < questions.length; ) {
    const question = questions[at] as Question
    if (question.section !== current) showHeading(form, sections, question.section, state.body())
    current = question.section
    const [now, before] = [state.now(question), state.before(question)]
    const { path, field } = question
    const reply = await askQuestion(form, { path, field, now, before, left: questions.length - at })
    if ('value' in reply) await state.take(question, reply.value)
    if (reply.also) await fillRelated(question, ...reply.also)
    if (reply.move === 'review') return
    if (reply.move === 'back' && at === 0) form.say('This is the first question.')
    else if (reply.move === 'back') at--
    else if (reply.move === 'on') at = startOfNextSection(questions, at)
    else at++
  }

  /** Fills in the field beside this one that the same answer also settled, and says so. */
  async function fillRelated({ path, section }: Question, name: string, value: Json): Promise<void> {
    const other = section.questions.find((leaf) => leaf.path === path.replace(/[^.]+$/, name))
    if (!other) return
    form.say(`${other.field.label}: ${cell(value)}, as the answer said.`, '  ')
    await state.take({ ...other, section }, value)
  }
}

function startOfNextSection(questions: readonly Question[], at: number): number {
  const current = questions[at]?.section
  const next = questions.findIndex(({ section }, index) => index > at && section !== current)
  return next < 0 ? questions.length : next
}

function showHeading(
  { say, style }: FormContext,
  sections: readonly FormSection[],
  section: FormSection,
  body: JsonObject,
): void {
  const count = sections.length > 1 ? `${sections.indexOf(section) + 1} of ${sections.length}: ` : ''
  const answered = `${countAnswered(section, body)} of ${section.questions.length} filled in`
  say('')
  say(`${style.heading(count + section.title)}${style.dim(` (${answered})`)}`)
}
