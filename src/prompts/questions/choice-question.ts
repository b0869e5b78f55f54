import type { Json } from '../../files/json/path.ts'
import { countries } from '../../model/countries/countries.ts'
import type { Field } from '../../model/fields/field.ts'
import { countryCode, countryCodes, countryName, countryWarning } from '../../model/standards/country.ts'
import { knownCodes, readCode, type ServiceWords } from '../../model/values/read-code.ts'
import { toText } from '../../render/text/format-field.ts'
import type { Choice, TypedChoices } from '../terminal/prompt.ts'
import {
  type AskedField,
  asTyped,
  type Doubt,
  type QuestionReply,
  questionHint,
  repliesByKey,
} from './asked-field.ts'
import type { FormContext } from './form-context.ts'
import { formatValue } from './format-value.ts'

/** The values to offer: known codes, yes and no, or the countries of this program. */
export function suggestedValues(field: Field, serviceWords: ServiceWords): readonly Json[] {
  const { type } = field
  if (type === 'boolean') return [true, false]
  if (type === 'country') return countries.map(({ isoCode }) => isoCode)
  // For a person without a title there is `leave empty`.
  return knownCodes(field, serviceWords).filter((value) => value !== 'NONE')
}

/** Asks for one of the known values. Another may be typed, because interface.md does not list the allowed ones. */
export function askChoice(form: FormContext, question: AskedField, doubt: Doubt): Promise<QuestionReply> {
  const { ask, shown, serviceWords } = form
  const { field, now, before } = question
  const isCountry = field.type === 'country'
  const current = [now, before].filter((value) => toText(value) !== '')
  const values = [...new Set([...current, ...suggestedValues(field, serviceWords)])]
  const choiceOf = (value: Json): Choice<QuestionReply> => {
    const text = formatValue(field, value, { ...shown, masked: false })
    const code = String(value)
    const country = countryCode(code) === code ? `${countryName(code)} (${code})` : `${code} (as typed)`
    const name = isCountry ? country : text
    return {
      value: { value },
      name,
      short: text,
      codes: [toText(value)],
      isDoubtful: doubt({ value }) !== undefined,
    }
  }
  const keep: Choice<QuestionReply> = { value: { value: now }, name: 'leave empty', short: '' }
  const empty: Choice<QuestionReply> = { value: { move: 'empty' }, name: 'leave empty', short: '' }
  const offered = values.map(choiceOf)
  return ask.choose<QuestionReply>({
    message: field.label,
    hint: questionHint(question, field.type === 'string' ? ' (or type another)' : ''),
    help: field.help ?? (isCountry ? 'For another country, type its name or its code.' : undefined),
    choices: current.includes(now) ? [...offered, empty] : [keep, ...offered],
    more: isCountry ? countryCodes.filter((code) => !values.includes(code)).map(choiceOf) : undefined,
    typed: (text) => typedChoices(form, field, text, choiceOf, doubt),
    // Two letters are a country code, and must not match in the middle of a name. A text that fits no known
    // code is an answer of its own.
    insideFrom: isCountry ? 3 : Number.POSITIVE_INFINITY,
    none: noMatchByType[field.type],
    keys: repliesByKey,
  })
}

const noMatchByType: Partial<Record<Field['type'], string>> = {
  boolean: 'Answer yes or no.',
  country: 'Not understood: expected a country, such as Ireland or IE.',
}

/** What else a typed text can mean: true for yes, w for weekly, Éire for Ireland, or the text itself. */
function typedChoices(
  { serviceWords }: FormContext,
  field: Field,
  text: string,
  choiceOf: (value: Json) => Choice<QuestionReply>,
  doubt: Doubt,
): TypedChoices<QuestionReply> {
  if (field.type === 'boolean') {
    const value = ['true', 'false'].indexOf(text.toLowerCase())
    return { meant: value < 0 ? undefined : choiceOf(value === 0) }
  }
  if (field.type === 'country') {
    const suggested = countryWarning(text)?.suggestion
    // assumed: the service may know a code of two letters that is none today.
    const isCode = /^[A-Z]{2}$/i.test(text)
    return {
      meant: suggested === undefined ? undefined : choiceOf(suggested),
      answer: isCode ? choiceOf(text.toUpperCase()) : undefined,
    }
  }
  const code = readCode(field, text, serviceWords)
  return code === undefined ? { answer: asTyped(text, doubt) } : { meant: choiceOf(code) }
}
