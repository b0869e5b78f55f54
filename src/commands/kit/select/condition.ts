import type { Fields } from '../../../api/contract/fields/field.ts'
import { usage } from '../../../errors.ts'
import { foldText } from '../../../formats/fold-text.ts'
import type { Json } from '../../../json/path.ts'
import { compareNumbers } from '../../../json/written-number.ts'
import { type ChosenField, chooseField, type Kind } from './chosen-field.ts'
import { compareText, flagOf, isMissing, numberOf, textOf } from './compare-values.ts'
import { compareMoments, momentOf, typedMoment } from './times.ts'

const operators = ['!=', '<=', '>=', '=', '<', '>', '~'] as const

type Operator = (typeof operators)[number]

/** One `--where`: a field, and whether an item's value of it is as wanted. */
export interface Condition {
  readonly field: ChosenField
  readonly holds: (value: Json) => boolean
  /** The value that it must be the same as, where it must. */
  readonly equals?: string
}

/** Reads `<field><op><value>`. Throws a usage failure for what is none, or for a value that the field cannot have. */
export function readCondition(fields: Fields, text: string, today: string): Condition {
  const [, name = '', sign = '', typed = ''] = /^([^!=<>~]+)(!=|<=|>=|=|<|>|~)(.*)$/s.exec(text) ?? []
  const operator = operators.find((each) => each === sign)
  if (!operator || name.trim() === '') {
    throw usage(
      `--where ${text} is not a condition. Nothing was sent.`,
      `Write a field, one of ${operators.join(' ')} and a value, in quotes: --where 'startDate>=2026-04-20'`,
    )
  }
  const field = chooseField(fields, name.trim())
  const wanted = typed.trim()
  if (wanted === '') return { field, holds: emptiness(operator, field.name) }
  if (operator === '~') return { field, holds: contains(wanted) }
  const compare = comparison(field, operator, wanted, today)
  const test = tests[operator]
  const one = (value: Json) => {
    const order = isMissing(value) ? undefined : compare(value)
    return order === undefined ? operator === '!=' : test(order)
  }
  // A list of lines has the value if one of its lines has it.
  const holds = (value: Json) =>
    Array.isArray(value) ? (operator === '!=' ? value.every(one) : value.some(one)) : one(value)
  return { field, holds, ...(operator === '=' && { equals: wanted }) }
}

const tests: Readonly<Record<Exclude<Operator, '~'>, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

/** `field=` and `field!=`: without a value, with one. */
function emptiness(operator: Operator, name: string): Condition['holds'] {
  if (operator === '=') return isMissing
  if (operator === '!=') return (value) => !isMissing(value)
  throw usage(`--where ${name}${operator} has no value to compare with. Nothing was sent.`)
}

function contains(wanted: string): Condition['holds'] {
  const part = foldText(wanted)
  const one = (value: Json) => !isMissing(value) && foldText(textOf(value)).includes(part)
  return (value) => (Array.isArray(value) ? value.some(one) : one(value))
}

/** How an item's value compares with the one that was typed; undefined where it does not. */
type Compare = (value: Json) => number | undefined

function comparison({ name, kind }: ChosenField, operator: Operator, typed: string, today: string): Compare {
  const number = numberOf(typed)
  const moment = kind === 'date' ? typedMoment(typed, today) : momentOf(typed)
  const flag = flagOf(typed)
  const readAs: Readonly<Record<Exclude<Kind, 'any' | 'text'>, unknown>> = { number, date: moment, flag }
  if (kind !== 'any' && kind !== 'text' && readAs[kind] === undefined) throw misfit(name, kind, typed)
  const isOrder = operator !== '=' && operator !== '!='
  if (kind === 'flag' && isOrder)
    throw usage(`${name} is yes or no: only = and != compare it. Nothing was sent.`)
  return (value) => {
    if (typeof value === 'boolean' || kind === 'flag') {
      const own = flagOf(value)
      return own === undefined || flag === undefined ? undefined : Number(own) - Number(flag)
    }
    // Text of digits is a number where it is larger or smaller, and the digits that it is where it is the same: 012345.
    if (number !== undefined && (kind === 'number' || kind === 'any' || (kind === 'text' && isOrder))) {
      const own = numberOf(value)
      if (own !== undefined) return compareNumbers(own, number)
    }
    if (kind === 'number') return undefined
    const own = moment && momentOf(textOf(value))
    if (own && moment) return compareMoments(own, moment)
    return kind === 'date' ? undefined : compareTyped(textOf(value), typed, isOrder)
  }
}

function compareTyped(value: string, typed: string, isOrder: boolean): number {
  if (isOrder) return compareText(value, typed)
  return value.normalize().toLowerCase() === typed.normalize().toLowerCase() ? 0 : 1
}

function misfit(name: string, kind: 'number' | 'date' | 'flag', typed: string) {
  const expected = {
    number: 'a number, such as 27.5',
    date: 'a date, such as 2026-04-20 or 20/4/2026',
    flag: 'yes or no',
  }
  return usage(`--where: ${typed} is not ${expected[kind]}, as ${name} has it. Nothing was sent.`)
}
