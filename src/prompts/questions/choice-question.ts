import type { Field } from '../../api/contract/fields/field.ts'
import { countryCodes, countryName, countryRemark } from '../../api/contract/standards/places/country.ts'
import type { Json } from '../../json/path.ts'
import { cell } from '../../render/text/format-cell.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { FormContext } from '../form/form-context.ts'
import { type FormKey, formKeys } from '../terminal/form-keys.ts'
import type { Choice } from '../terminal/prompt.ts'
import { type AskedField, hintOf, type QuestionReply } from './asked-field.ts'
import { formatValue } from './format-value.ts'

/** What a field is chosen from: the values seen, the official ones, yes and no, the two countries. */
export function suggestedValues({
  type,
  exampleValues: seen = [],
  standardValues: official = [],
}: Field): readonly Json[] {
  if (type === 'boolean') return [true, false]
  if (type === 'country') return ['GB', 'IE']
  return [...new Set([...seen, ...official])]
}

/** A value to choose; any other may be typed, because the allowed sets are not shown. */
export function askChoice({ ask }: FormContext, asked: AskedField): Promise<QuestionReply> {
  const { field, now, before } = asked
  const there = [now, before].filter((value) => cell(value) !== '')
  const values = [...new Set([...there, ...suggestedValues(field)])]
  const given = values.map((value) => choiceOf(field, value))
  const keep: Choice<QuestionReply> = { value: { value: now }, name: 'leave empty', short: '' }
  const empty: Choice<QuestionReply> = { value: { move: 'empty' }, name: 'leave empty', short: '' }
  const choices = there.includes(now) ? [...given, empty] : [keep, ...given]
  return ask.choose<QuestionReply>({
    message: field.label,
    hint: hintOf(asked, ''),
    ...(field.help && { help: field.help }),
    choices,
    find: (typed) => [...beginning(choices, typed), ...otherwise(field, typed, values)],
    none: nothing[field.type] ?? 'Nothing here is called so.',
    moves: wordsOf(formKeys),
  })
}

const wordsOf = (words: Readonly<Record<string, FormKey>>): Record<string, QuestionReply> =>
  Object.fromEntries(Object.entries(words).map(([word, move]) => [word, { move }]))

const nothing: Partial<Record<Field['type'], string>> = {
  boolean: 'Answer yes or no.',
  country: 'Not understood: expected a country, such as Ireland or IE.',
}

function choiceOf(field: Field, value: Json): Choice<QuestionReply> {
  const name = field.type === 'country' ? countryLine(String(value)) : cell(value)
  return { value: { value }, name, short: formatValue(field, value, true) }
}

/** A value that only holds what is typed is another value. */
function beginning(choices: readonly Choice<QuestionReply>[], typed: string): Choice<QuestionReply>[] {
  return choices.filter(({ name }) => name.toLowerCase().startsWith(typed.toLowerCase()))
}

/** What may be typed besides the suggestions. */
function otherwise(field: Field, typed: string, values: readonly Json[]): Choice<QuestionReply>[] {
  if (field.type === 'boolean') {
    const value = ['true', 'false'].indexOf(typed.toLowerCase())
    return value < 0 ? [] : [choiceOf(field, value === 0)]
  }
  if (field.type === 'country') {
    const codes = countriesCalled(typed).filter((code) => !values.includes(code) || !isBeginning(code, typed))
    return codes.map((code) => choiceOf(field, code))
  }
  const isListed = values.some((value) => cell(value).toLowerCase() === typed.toLowerCase())
  return isListed
    ? []
    : [{ value: { value: typed }, name: `${safeText(typed)} (as typed)`, short: safeText(typed) }]
}

/** The codes that a name, the beginning of one, or a code stands for; two letters that are no code come last. */
function countriesCalled(typed: string): string[] {
  const text = typed.toUpperCase()
  const meant = countryRemark(typed)?.suggestion
  const names = countryCodes.map((code) => [code, countryName(code).toUpperCase()] as const)
  const beginning = names.filter(([, name]) => name.startsWith(text)).map(([code]) => code)
  // Two letters are a code, and lie by chance in many names.
  const holding = text.length < 3 ? [] : names.filter(([, name]) => name.includes(text)).map(([code]) => code)
  const isCode = /^[A-Z]{2}$/.test(text)
  const first = meant ? [meant] : isCode && countryCodes.includes(text) ? [text] : []
  return [...new Set([...first, ...beginning, ...holding, ...(isCode ? [text] : [])])]
}

const isBeginning = (code: string, typed: string) =>
  countryName(code).toLowerCase().startsWith(typed.toLowerCase())

function countryLine(code: string): string {
  return countryRemark(code) ? `${code} (as typed)` : `${countryName(code)} (${code})`
}
