import type { Field } from '../api/contract/field.ts'
import type { Json } from '../api/contract/path.ts'
import { expectations, schemaOf } from '../api/contract/schema.ts'
import { countryRemark, judge } from '../api/contract/standards/standards.ts'
import { cell } from '../render/cell.ts'
import { mask } from '../render/mask.ts'
import { type Ask, Separator } from './ask.ts'
import { spelledOut, typedDate } from './typed-date.ts'

/** What a question needs to know besides its field. */
export interface Asking {
  readonly ask: Ask
  /** A line above the next question. */
  readonly say: (text: string) => void
  /** YYYY-MM-DD. */
  readonly today: string
}

/**
 * Asks for one field, in the way its type deserves. Enter keeps what there is; `undefined` means that there is
 * nothing. What the document rules out is asked again; what a public standard doubts, the person decides.
 */
export async function question(asking: Asking, field: Field, current: Json): Promise<Json> {
  for (let value = current; ; ) {
    const typed = await answer(asking, field, value)
    const remark = typed === value ? undefined : remarkOn(field, typed, asking.today)
    if (!remark) return typed
    const { message, suggestion } = remark
    const choice = await asking.ask.select<'take' | 'keep' | 'again'>({
      message: `${field.label}: ${message}.`,
      choices: [
        ...(suggestion
          ? [{ value: 'take' as const, name: `Take ${field.sensitive ? 'the corrected form' : suggestion}` }]
          : []),
        { value: 'keep', name: 'Keep it as typed' },
        { value: 'again', name: 'Type it again' },
      ],
    })
    if (choice === 'take') return suggestion
    if (choice === 'keep') return typed
    value = current
  }
}

function remarkOn(field: Field, value: Json, today: string) {
  if (field.type === 'country') return countryRemark(value)
  return field.standard && judge(field.standard, value, today)
}

function answer(asking: Asking, field: Field, current: Json): Promise<Json> {
  if (field.type === 'boolean') return choice(asking, field, current, [true, false])
  if (field.type === 'lines') return addressLines(asking, field, current)
  const suggestions = [...(field.seen ?? []), ...(field.official ?? [])]
  if (suggestions.length > 0) return choice(asking, field, current, [...new Set(suggestions)])
  return typedIn(asking, field, current)
}

const other = Symbol('other')

/** Values that were seen, and room for any other: the allowed sets are not shown. */
async function choice(asking: Asking, field: Field, current: Json, values: readonly Json[]): Promise<Json> {
  const given = current !== undefined && current !== null
  const listed = given && !values.includes(current) ? [current, ...values] : values
  const chosen = await asking.ask.select<Json>({
    message: field.label,
    ...(given && { default: current }),
    choices: [
      ...(given ? [] : [{ value: undefined, name: 'leave empty' }]),
      ...listed.map((value) => ({ value, name: cell(value) })),
      ...(field.type === 'string' ? [new Separator(), { value: other, name: 'something else …' }] : []),
    ],
    ...(field.help && { theme: { style: { description: (text: string) => text } } }),
  })
  return chosen === other ? typedIn(asking, field, current) : chosen
}

async function typedIn({ ask, today }: Asking, field: Field, current: Json): Promise<Json> {
  const kept = shown(field, current)
  const message = `${field.label}${hint(field, kept)}`
  const validate = (typed: string) => {
    if (typed.trim() === '') return true
    const fits = schemaOf(field).safeParse(read(field, typed, today)).success
    return fits || `That is not it: ${expectationOf(field)}.`
  }
  const typed =
    field.sensitive && field.type !== 'date'
      ? await ask.password({ message, mask: '*', validate })
      : await ask.input({
          message,
          validate,
          transformer: (text, { isFinal }) => (isFinal ? readBack(field, text, today) : text),
        })
  return typed.trim() === '' ? current : read(field, typed, today)
}

/** Line after line until an empty one. Typing the first line replaces all there were. */
async function addressLines({ ask }: Asking, field: Field, current: Json): Promise<Json> {
  const lines: string[] = []
  for (;;) {
    const kept = lines.length === 0 ? shown(field, current) : ''
    const line = await ask.input({
      message: `${field.label}, line ${lines.length + 1}${kept && ` [${kept}]`}`,
    })
    if (line.trim() === '') return lines.length > 0 ? lines : current
    lines.push(line.trim())
  }
}

/** Typed text as the JSON of its field; what cannot be read stays text, for the check to refuse. */
function read(field: Field, typed: string, today: string): Json {
  const text = typed.trim()
  switch (field.type) {
    case 'date':
      return typedDate(text, today) ?? text
    case 'timestamp': {
      const date = typedDate(text, today)
      return date ? `${date}T00:00:00.000Z` : text
    }
    case 'number':
    case 'integer': {
      const digits = text.replace(/^[£€]/, '').replaceAll(',', '')
      return /^-?\d+(\.\d+)?$/.test(digits) ? Number(digits) : text
    }
    case 'decimal':
      return text.replace(/^[£€]/, '').replaceAll(',', '')
    case 'country':
      return (text.length > 2 && countryRemark(text)?.suggestion) || text.toUpperCase()
    case 'array':
    case 'unknown':
      return parsed(text)
    default:
      return text
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A finished answer as it was understood: a date spelled out, a country by its code. */
function readBack(field: Field, typed: string, today: string): string {
  if (typed.trim() === '') return ''
  const value = read(field, typed, today)
  const date =
    field.type === 'date' || field.type === 'timestamp'
      ? /^\d{4}-\d\d-\d\d/.exec(String(value))?.[0]
      : undefined
  return date ? spelledOut(date) : cell(value)
}

function shown(field: Field, current: Json): string {
  const text = cell(current)
  return text !== '' && field.sensitive ? mask(text) : text
}

function hint(field: Field, kept: string): string {
  if (kept) return ` [${kept}]`
  return field.type === 'date' || field.type === 'timestamp' ? ' (day/month/year)' : ''
}

function expectationOf(field: Field): string {
  const isDate = field.type === 'date' || field.type === 'timestamp'
  return isDate ? 'expected a date that exists, as 4/11/1991 or 1991-11-04' : expectations[field.type]
}
