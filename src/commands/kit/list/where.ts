import type { Context } from '../../../context/context.ts'
import { Failure, usage } from '../../../errors.ts'
import { compareNumbers, type ExactNumber, isNumber } from '../../../files/json/numbers.ts'
import { hasNoValue, type Json, parsePath, valueAt } from '../../../files/json/path.ts'
import { stringifyJson } from '../../../files/json/stringify.ts'
import { exactIn } from '../../../model/fields/amounts.ts'
import type { Field, Fields } from '../../../model/fields/field.ts'
import { isUuid } from '../../../model/records/identity.ts'
import { didYouMean, findField } from '../../../model/values/find-field.ts'
import { knownCodes } from '../../../model/values/read-code.ts'
import { readDate, typedDates } from '../../../model/values/read-date.ts'
import { dayIn } from '../../../reading/values.ts'
import { timeIn } from '../../../text/day.ts'
import { shellWord } from '../../../text/shell-word.ts'
import { foldText, plural } from '../../../text/words.ts'
import type { Options } from '../../cli/options.ts'
import { toListFields } from '../../cli/record-types.ts'
import { isBegun } from '../find/match-names.ts'

/** The items of a list, a page at a time. */
export type Pages = AsyncIterable<readonly Json[]>

/** What --where leaves of pages, as --sort has it. Throws a usage failure at once for what these fields cannot do. */
export function selectItems(
  context: Context,
  fields: Fields,
  { where = [], sort }: Options,
): (pages: Pages) => AsyncGenerator<readonly Json[]> {
  const conditions = where.map((text) => readCondition(context, fields, text))
  const order = sort === undefined ? undefined : chooseField(fields, sort.replace(/^[-+]/, ''))
  return async function* select(pages) {
    const watched = [...conditions, ...(order ? [{ field: order, kind: order.kind }] : [])].map(watch)
    let matching: Json[] = []
    let count = 0
    for await (const items of pages) {
      count += items.length
      for (const item of items) {
        // Each condition sees each item: what the list has of its field is told at the end.
        let isWanted = true
        for (const { see } of watched) if (!see(item)) isWanted = false
        if (isWanted) matching.push(item)
      }
      // Nothing is given out before it is known that the list has the fields: a later page may be the first with one.
      if (order || watched.some(({ isThere }) => !isThere())) continue
      if (matching.length > 0) yield matching
      matching = []
    }
    if (count > 0) for (const { assertComparable } of watched) assertComparable(context)
    if (order) yield sortItems(matching, order, sort?.startsWith('-') ?? false)
  }
}

/** Watches what the items of a list have of a field that is compared, or that they are sorted by. */
function watch({ field, kind, holds = () => true, isUnknownWord = false }: Watched) {
  let [isThere, isMet, readCount, unread] = [field.field !== undefined, false, 0, 0]
  return {
    isThere: () => isThere,
    /** Whether the item meets the condition. */
    see(item: Json): boolean {
      const value = field.read(item)
      const isWanted = holds(value)
      if (isWanted) isMet = true
      if (value === undefined) return isWanted
      isThere = true
      for (const each of [value].flat()) {
        if (hasNoValue(each)) continue
        if (kinds[kind].fits(each)) readCount += 1
        // `0000-00-00` and `n/a` stand for no day.
        else if (kind === 'flag' || /[1-9]/.test(comparedText(each))) unread += 1
      }
      return isWanted
    },
    /** Throws exit 2 for a field that no item has, and exit 10 where none of its values can be compared. */
    assertComparable(context: Context): void {
      if (!isThere) throw noField(field)
      if (readCount + unread === 0) context.warn(`no item of this list has a value of ${field.name}.`)
      const { what } = kinds[kind]
      if (unread > 0 && readCount === 0)
        throw new Failure(
          'invalid-response',
          `No value of ${field.name} in this list can be read as ${what}, so none can be compared.`,
          { hint: 'To look for a part of its text, use the sign ~ of --where.' },
        )
      if (unread > 0)
        context.warn(`${plural(unread, 'value')} of ${field.name} cannot be read as ${what}: not compared.`)
      if (isUnknownWord && !isMet)
        context.warn(`no item of this list has the ${field.name} that --where names.`)
    },
  }
}

/** Tests how an item's value compares with the typed one. `~`: it contains it. */
const operators = {
  '!=': (order: number) => order !== 0,
  '<=': (order: number) => order <= 0,
  '>=': (order: number) => order >= 0,
  '=': (order: number) => order === 0,
  '<': (order: number) => order < 0,
  '>': (order: number) => order > 0,
  '~': undefined,
} as const

type Operator = keyof typeof operators

interface Watched {
  readonly field: ChosenField
  /** How values are compared; `any` where only their text matters, or whether there is one. */
  readonly kind: ValueKind
  readonly holds?: (value: Json) => boolean
  /** Whether the field has words of its own, and what was typed after `=` is none that is known: it may be misspelt. */
  readonly isUnknownWord?: boolean
}

/** Reads `<field><op><value>`. Throws a usage failure for what is none, or for a value that the field cannot have. */
function readCondition(context: Context, fields: Fields, text: string): Watched {
  const [, name = '', sign = '', typed = ''] = /^([^!=<>~]+)(!=|<=|>=|==?|<|>|~)(.*)$/s.exec(text) ?? []
  if (name.trim() === '')
    throw usage(
      `--where ${text} is not a condition.`,
      `Write a field, one of ${Object.keys(operators).join(' ')} and a value, in quotes: --where ${shellWord('startDate>=2026-04-20', context.host.platform)}`,
    )
  const today = context.today()
  const operator = sign.replace('==', '=') as Operator
  const isSame = operator === '=' || operator === '!='
  const isOrder = !isSame && operator !== '~'
  const operand = typed.trim()
  const chosenField = chooseField(fields, name.trim())
  // Of a field that nothing declares, a day that is typed says what it holds.
  const isFree = isOrder && chosenField.kind === 'any' && exactIn(operand) === undefined
  const isDay = isFree && 'date' in readDate(operand, typedDates(today))
  const field: ChosenField = isDay ? { ...chosenField, kind: 'date' } : chosenField
  if (operand === '') {
    if (!isSame) throw usage(`--where ${field.name}${operator} has no value to compare with.`)
    return { field, kind: 'any', holds: (value) => [value].flat().every(hasNoValue) === (operator === '=') }
  }
  const test = operators[operator]
  const compare = test && orderAgainst(field, operand, today, isOrder)
  const part = foldText(operand)
  const one = (value: Json) => {
    if (hasNoValue(value)) return operator === '!='
    if (!compare) return foldText(comparedText(value)).includes(part)
    const order = compare(value)
    return order === undefined ? operator === '!=' : test(order)
  }
  // A list of lines has the value if one of its lines has it.
  const holds = (value: Json) =>
    Array.isArray(value) ? (operator === '!=' ? value.every(one) : value.some(one)) : one(value)
  const isUnknownWord = operator === '=' && field.field !== undefined && mayBeMisspelt(field.field, operand)
  return { field, kind: test ? field.kind : 'any', holds, isUnknownWord }
}

const mayBeMisspelt = (field: Field, typed: string) =>
  (field.codes !== undefined || field.type === 'unknown') &&
  !field.money &&
  !knownCodes(field).some((code) => code.toLowerCase() === typed.toLowerCase())

/** Below zero for a smaller value; undefined where it does not compare. `isOrder`: which is smaller matters. */
function orderAgainst(
  { name, kind, field }: ChosenField,
  operand: string,
  today: string,
  isOrder: boolean,
): (value: Json) => number | undefined {
  const number = exactIn(operand)
  const time = beginsWithTime.test(operand) ? timeIn(operand) : undefined
  const dated = kind === 'text' ? { date: dayInText(operand) } : readDate(operand, typedDates(today))
  const day = 'date' in dated ? dated.date : undefined
  const flag = flagOf(operand)
  const reading = { number, date: time ?? day, flag, text: operand, any: operand }[kind]
  const { what, such = '' } = kinds[kind]
  if (reading === undefined) throw usage(`--where: ${operand} is not ${what}${such}, as ${name} has it.`)
  if (kind === 'flag' && isOrder) throw usage(`${name} is yes or no: only = and != compare it.`)
  return (value) => {
    if (typeof value === 'boolean' || kind === 'flag') {
      const own = flagOf(value)
      return own === undefined || flag === undefined ? undefined : own - flag
    }
    // Text of digits is compared as a number by < and >, and digit for digit by =: 012345 is not 12345.
    const mayBePadded = kind === 'any' && (field !== undefined || ![operand, value].some(isZeroPadded))
    const mayBeNumber = kind === 'number' || isOrder || mayBePadded
    if (number !== undefined && mayBeNumber) {
      const own = exactIn(value)
      if (own !== undefined) return compareNumbers(own, number)
    }
    if (kind === 'number') return undefined
    const text = comparedText(value)
    // A table shortens UUIDs, and puts a mark where it cuts.
    const isCut = operand.endsWith('…')
    if (!isOrder && (isCut || isUuid(text)) && isBegun(text, operand, isCut ? 1 : undefined)) return 0
    const [own, wanted] = time === undefined ? [dayInText(text), day] : [timeIn(text), time]
    if (own !== undefined && wanted !== undefined) return own < wanted ? -1 : Number(own > wanted)
    if (kind === 'date') return undefined
    if (isOrder) return compareText(text, operand)
    return text.normalize().toLowerCase() === operand.normalize().toLowerCase() ? 0 : 1
  }
}

const isZeroPadded = (value: Json) => typeof value === 'string' && /^0\d/.test(value)

/** Dictionary order, the same on every computer. Capitals do not matter, and A-10 comes after A-9. */
const { compare: compareText } = new Intl.Collator('en', { sensitivity: 'accent', numeric: true })

function comparedText(value: Json): string {
  return typeof value === 'object' && value !== null && !isNumber(value)
    ? stringifyJson(value)
    : String(value)
}

const flags = new Map(Object.entries({ true: 1, yes: 1, false: 0, no: 0 }))

const flagOf = (value: Json): number | undefined => flags.get(String(value).toLowerCase())

/** How a field is compared. With `any`, where the field is not documented, each value decides. */
type ValueKind = 'number' | 'date' | 'flag' | 'text' | 'any'

interface ComparedKind {
  readonly what: string
  readonly such?: string
  /** Whether a value can be compared with others of its kind. */
  readonly fits: (value: Json) => boolean
}

const anyText: ComparedKind = { what: 'text', fits: () => true }

const kinds: Readonly<Record<ValueKind, ComparedKind>> = {
  number: { what: 'a number', such: ', such as 27.5', fits: (value) => exactIn(value) !== undefined },
  date: {
    what: 'a date',
    such: ', such as 2026-04-20 or 20/4/2026',
    fits: (value) => timeIn(comparedText(value)) !== undefined,
  },
  flag: { what: 'yes or no', fits: (value) => flagOf(value) !== undefined },
  text: anyText,
  any: anyText,
}

/** A field of a list's items, as an option names it. */
export interface ChosenField {
  readonly name: string
  readonly kind: ValueKind
  /** The field of the contract. One that it does not have must be in the first items. */
  readonly field?: Field
  /** All fields of the contract, and those with nearly this name. */
  readonly fields: Fields
  readonly near?: readonly string[]
  readonly read: (item: Json) => Json
  /** The paths of the field: in an answer, then in a request. */
  readonly paths: readonly (readonly string[])[]
}

const valueKinds: Partial<Record<Field['type'], ValueKind>> = {
  number: 'number',
  integer: 'number',
  decimal: 'number',
  date: 'date',
  timestamp: 'date',
  boolean: 'flag',
  unknown: 'any',
}

/** The field that a name means. Throws a usage failure, with suggestions, for an unknown or ambiguous name. */
export function chooseField(fields: Fields, name: string): ChosenField {
  const { found, near = [] } = findField(fields, name)
  if (!found) {
    const segments = parsePath(name)
    if (!segments) throw noField({ name, fields })
    const valueIn = (item: Json) =>
      valueAt(item, [name]) ?? valueAt(item, segments) ?? linesAt(item, segments)
    return { name, kind: 'any', fields, near, read: valueIn, paths: [segments] }
  }
  if (found.field.fields) throw usage(`${name} holds several fields.`, toListFields(fields))
  const fieldPaths = [found.answer, found.request].filter((path) => path !== undefined)
  const paths = [...new Set(fieldPaths)].map((path) => parsePath(path) ?? [path])
  return {
    name,
    kind: valueKinds[found.field.type] ?? 'text',
    field: found.field,
    fields,
    paths,
    // assumed: an item may have a field under its name in the request, as `get` reads it too.
    read: (item) => {
      for (const path of paths) {
        const value = valueAt(item, path) ?? linesAt(item, path)
        if (!hasNoValue(value)) return value
      }
      return undefined
    },
  }
}

/** The values at a path that leads through a list: those of all its lines; undefined where none has one. */
function linesAt(value: Json, [head, ...rest]: readonly string[]): Json {
  if (head === undefined) return value
  if (!Array.isArray(value)) return linesAt(valueAt(value, [head]), rest)
  const lines = value.flatMap((line: Json) => valueAt(line, [head, ...rest]) ?? [])
  return lines.length > 0 ? lines : undefined
}

/** Exit 2: a list does not have this field. */
export const noField = ({ name, near = [], fields }: Pick<ChosenField, 'name' | 'near' | 'fields'>) =>
  usage(`There is no field ${name} in this list.`, didYouMean(near) || toListFields(fields))

/** Sorts items by a field: numbers and dates before text, and items without a value last. Equal items keep their order. */
function sortItems(items: readonly Json[], field: ChosenField, isDescending: boolean): Json[] {
  const keyed = items.map((item) => ({ item, key: sortKey(field, field.read(item)) }))
  const direction = isDescending ? -1 : 1
  keyed.sort(({ key: one }, { key: other }) => {
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined)
    return direction * compareKeys(one, other)
  })
  return keyed.map(({ item }) => item)
}

type Key = number | ExactNumber | string

function compareKeys(one: Key, other: Key): number {
  if (typeof one === 'string') return typeof other === 'string' ? compareText(one, other) : 1
  return typeof other === 'string' ? -1 : compareNumbers(one, other)
}

function sortKey({ kind }: ChosenField, value: Json): Key | undefined {
  const first: Json = Array.isArray(value) ? value[0] : value
  if (hasNoValue(first)) return undefined
  const text = comparedText(first)
  const time = kind === 'date' || kind === 'any' ? timeIn(text) : undefined
  const flag = kind === 'flag' || typeof first === 'boolean' ? flagOf(first) : undefined
  return time ?? flag ?? (kind === 'text' ? undefined : exactIn(first)) ?? text
}

const beginsWithTime = /^\d{4}-\d\d-\d\d[T ]/

const dayInText = (text: string) => (timeIn(text) === undefined ? undefined : dayIn(text, ''))
