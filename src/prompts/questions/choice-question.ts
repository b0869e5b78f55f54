import { countries } from '../../api/contract/countries/countries.ts'
import type { Field } from '../../api/contract/fields/field.ts'
import { countryCodes, countryName, countryWarning } from '../../api/contract/standards/country.ts'
import type { Json } from '../../json/path.ts'
import { cell } from '../../render/text/format-field.ts'
import { safeText } from '../../render/text/safe-text.ts'
import { knownCodes, readCode } from '../../values/read-code.ts'
import type { FormContext } from '../form/form-context.ts'
import { type Choice, noMatch } from '../terminal/prompt.ts'
import {
  type AskedField,
  hintOf,
  keyOfInput,
  moveWords,
  type QuestionReply,
  repliesByKey,
} from './asked-field.ts'
import { formatValue, type Shown } from './format-value.ts'

/** The values to offer for a field: examples, values of the standard, yes and no, or the codes of our countries. */
export function suggestedValues(field: Field): readonly Json[] {
  const { type } = field
  if (type === 'boolean') return [true, false]
  if (type === 'country') return countries.map(({ isoCode }) => isoCode)
  // A person without a title has none: there is `leave empty` for it.
  return knownCodes(field).filter((value) => value !== 'NONE')
}

/** Offers values to choose from. The person may type another, because the document does not list the allowed ones. */
export async function askChoice(form: FormContext, asked: AskedField): Promise<QuestionReply> {
  const { ask, shown } = form
  const { field, now, before } = asked
  const help =
    field.help ?? (field.type === 'country' ? 'For another country, type its name or its code.' : '')
  const current = [now, before].filter((value) => cell(value) !== '')
  const values = [...new Set([...current, ...suggestedValues(field)])]
  const offered = values.map((value) => choiceOf(field, value, shown()))
  const keep: Choice<QuestionReply> = { value: { value: now }, name: 'leave empty', short: '' }
  const empty: Choice<QuestionReply> = { value: { move: 'empty' }, name: 'leave empty', short: '' }
  const other: Choice<QuestionReply> = { value: { move: 'explain' }, name: 'Other: type it', short: 'other' }
  const choices = [
    ...(current.includes(now) ? [...offered, empty] : [keep, ...offered]),
    ...(field.type === 'string' ? [other] : []),
  ]
  const reply = await ask.choose<QuestionReply>({
    message: field.label,
    hint: hintOf(asked, ''),
    ...(help && { help }),
    choices,
    find: (typed) => {
      const found = beginningWith(choices, typed)
      const others = otherValues(field, typed, values, shown())
      return [...found, ...others.filter((other) => !found.some((choice) => isSame(choice, other)))]
    },
    none: noMatchByType[field.type] ?? noMatch,
    moves: repliesByKey,
  })
  return reply === other.value ? askOther(form, asked) : reply
}

/** Asks for a word that is not offered: the service may know more. Enter goes back to those that are. */
async function askOther(form: FormContext, asked: AskedField): Promise<QuestionReply> {
  const { field } = asked
  const typed = await form.ask.line({
    message: `${field.label}, as your back office calls it`,
    hint: ' (Enter goes back to the list)',
    moves: moveWords,
  })
  const move = keyOfInput(typed)
  if (typed.trim() === '' || move === 'back') return askChoice(form, asked)
  return move ? { move } : { value: readCode(field, typed) ?? typed.trim(), isOther: true }
}

const noMatchByType: Partial<Record<Field['type'], string>> = {
  boolean: 'Answer yes or no.',
  country: 'Not understood: expected a country, such as Ireland or IE.',
}

function choiceOf(field: Field, value: Json, shown: Shown): Choice<QuestionReply> {
  const text = formatValue(field, value, { ...shown, masked: false })
  const name = field.type === 'country' ? countryLine(String(value)) : text
  return { value: { value }, name, short: text }
}

/** Matches the start of a name, or of the code that is sent: a name that contains the text later is another value. */
function beginningWith(choices: readonly Choice<QuestionReply>[], typed: string): Choice<QuestionReply>[] {
  const text = typed.toLowerCase()
  const codeOf = ({ value }: Choice<QuestionReply>) =>
    'value' in value ? cell(value.value).toLowerCase() : ''
  const exact = choices.filter((choice) => codeOf(choice) === text)
  const begins = ({ name }: Choice<QuestionReply>) => name.toLowerCase().startsWith(text)
  const byName = choices.filter(begins)
  const byCode = choices.filter((choice) => codeOf(choice).startsWith(text))
  return [...new Set([...exact, ...byName, ...byCode])]
}

function isSame({ value: one }: Choice<QuestionReply>, { value: other }: Choice<QuestionReply>): boolean {
  return 'value' in one && 'value' in other && one.value === other.value
}

/** Choices made from the typed text itself. */
function otherValues(
  field: Field,
  typed: string,
  values: readonly Json[],
  shown: Shown,
): Choice<QuestionReply>[] {
  if (field.type === 'boolean') {
    const value = ['true', 'false'].indexOf(typed.toLowerCase())
    return value < 0 ? [] : [choiceOf(field, value === 0, shown)]
  }
  if (field.type === 'country') {
    const codes = countryCodesFor(typed).filter((code) => !values.includes(code) || !isBeginning(code, typed))
    return codes.map((code) => choiceOf(field, code, shown))
  }
  const code = readCode(field, typed)
  if (code !== undefined) return [choiceOf(field, code, shown)]
  const isListed = values.some((value) => cell(value).toLowerCase() === typed.toLowerCase())
  return isListed
    ? []
    : [{ value: { value: typed }, name: `${safeText(typed)} (as typed)`, short: safeText(typed) }]
}

/** Country codes for a code, a name, or a part of a name. Two letters that are not a known code come last. */
function countryCodesFor(typed: string): string[] {
  const text = typed.toUpperCase()
  const suggested = countryWarning(typed)?.suggestion
  const names = countryCodes.map((code) => [code, countryName(code).toUpperCase()] as const)
  const beginning = names.filter(([, name]) => name.startsWith(text)).map(([code]) => code)
  // Two letters are a code; many names contain them by chance.
  const containing =
    text.length < 3 ? [] : names.filter(([, name]) => name.includes(text)).map(([code]) => code)
  const isCode = /^[A-Z]{2}$/.test(text)
  const first = suggested ? [suggested] : isCode && countryCodes.includes(text) ? [text] : []
  return [...new Set([...first, ...beginning, ...containing, ...(isCode ? [text] : [])])]
}

const isBeginning = (code: string, typed: string) =>
  countryName(code).toLowerCase().startsWith(typed.toLowerCase())

function countryLine(code: string): string {
  return countryWarning(code) ? `${code} (as typed)` : `${countryName(code)} (${code})`
}
