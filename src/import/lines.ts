import { isSameNumber } from '../files/json/numbers.ts'
import { hasNoValue, isObject, type Json, type JsonObject } from '../files/json/path.ts'
import { fieldAt } from '../model/fields/field-tree.ts'
import type { Lines, RecordType } from '../model/records/record-type.ts'
import { plural } from '../text/words.ts'

/** What becomes of lines that the service has and a row lacks. Undefined: somebody has to say it. */
export type MissingLines = 'keep' | 'remove'

/** The lines of a record beside those that a row says. */
export interface LineMatch {
  /** The list as it is to be: lines of the service in their order, with what the row says of them, then new ones. */
  readonly after: readonly JsonObject[]
  /** The lines that both have. */
  readonly both: readonly { readonly before: JsonObject; readonly after: JsonObject }[]
  readonly added: readonly JsonObject[]
  /** The lines that the service has and the row lacks. */
  readonly missing: readonly JsonObject[]
}

/** How many lines are matched; more belong to no record that a person wrote. */
const mostLines = 200

/**
 * Finds for each line that a row says the one that the service has: by what tells them apart, such as rate code and rate,
 * and never by its position. What a row does not say tells nothing apart. Of several that fit, one with the same amount.
 */
export function matchLines(
  { by, amount }: Lines,
  there: Json,
  said: Json,
  missing: MissingLines = 'keep',
): LineMatch {
  const lines = objectsIn(there)
  const left = new Set(lines.slice(0, mostLines).keys())
  const matched = new Map<number, JsonObject>()
  const added: JsonObject[] = []
  const fits = (line: JsonObject, at: number, names: readonly string[]) =>
    names.every((name) => hasNoValue(line[name]) || isSameText(line[name], lines[at]?.[name]))
  const open = objectsIn(said)
  // What says everything is matched first, so that a line that says less does not take its place.
  for (const names of [[...by, amount], by]) {
    for (const line of [...open].sort((one, other) => saysOf(other, by) - saysOf(one, by))) {
      const at = [...left].find((each) => fits(line, each, names))
      if (at === undefined) continue
      left.delete(at)
      matched.set(at, line)
      open.splice(open.indexOf(line), 1)
    }
  }
  added.push(...open)
  const both = [...matched].map(([at, line]) => {
    const before = lines[at] ?? {}
    return { at, before, after: withSaid(before, line) }
  })
  const kept = lines.flatMap((line, at) => {
    const pair = both.find((each) => each.at === at)
    return pair ? [pair.after] : missing === 'remove' ? [] : [line]
  })
  return {
    after: [...kept, ...added],
    both: both.sort((one, other) => one.at - other.at),
    added,
    missing: [...left].map((at) => lines[at] ?? {}),
  }
}

/** Whether the service has the lines that a row says, and no others. */
export const isSameLines = ({ both, added, missing }: LineMatch): boolean =>
  added.length + missing.length === 0 && both.every(({ before, after }) => before === after)

const objectsIn = (list: Json): JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : [])

const saysOf = (line: JsonObject, by: readonly string[]) =>
  by.filter((name) => !hasNoValue(line[name])).length

/** A line of the service with what a row says of it; the same object where that is nothing else. */
function withSaid(before: JsonObject, line: JsonObject): JsonObject {
  const other = Object.entries(line).filter(
    ([name, value]) => !hasNoValue(value) && !isSameText(value, before[name]),
  )
  return other.length === 0 ? before : { ...before, ...Object.fromEntries(other) }
}

/** Whether two values are one: 37.50 and 37.5, a number and its text, a record and its id. */
function isSameText(one: Json, other: Json): boolean {
  const [left, right] = [textOf(one), textOf(other)]
  return left === right || (isNumeric(left) && isNumeric(right) && isSameNumber(left, right))
}

const textOf = (value: Json): string =>
  isObject(value) && !hasNoValue(value.id) ? String(value.id) : hasNoValue(value) ? '' : String(value).trim()

const isNumeric = (text: string) => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)

/** What a person calls the rate of a line: its code, for the id that the record has. */
export type NameRate = (id: string) => string | undefined

/** `30 hours, STD at 14.20` */
export function describeLine({ by, amount }: Lines, line: JsonObject, nameRate?: NameRate): string {
  return [amountOf(line[amount]), rateOf(by, line, nameRate)].filter(Boolean).join(', ')
}

/** `STD at 14.20`: what a line is known by. */
function rateOf(by: readonly string[], line: JsonObject, nameRate?: NameRate): string {
  const [code, rate] = by.map((name) => textOf(line[name]))
  const name = code ? (nameRate?.(code) ?? code) : ''
  return [name, rate && `at ${rate}`].filter(Boolean).join(' ')
}

const amountOf = (amount: Json) => {
  const text = textOf(amount)
  return text === '1' ? plural(1, 'hour') : `${text || 'no'} hours`
}

/** What becomes of the lines of a record, for whoever decides about it: which stay, change, come and go. */
export function describeMatch(
  lines: Lines,
  { both, added, missing }: LineMatch,
  {
    nameRate,
    kept,
  }: { readonly nameRate?: NameRate | undefined; readonly kept?: MissingLines | undefined } = {},
): string {
  const { by, amount } = lines
  const describe = (line: JsonObject) => describeLine(lines, line, nameRate)
  const stay = both.filter(({ before, after }) => before === after).map(({ before }) => describe(before))
  const change = both
    .filter(({ before, after }) => before !== after)
    .map(({ before, after }) => {
      const others = Object.keys(after).filter((name) => name !== amount && after[name] !== before[name])
      const isAmount = !isSameText(before[amount], after[amount])
      const hours = isAmount
        ? `${textOf(before[amount]) || 'no'} → ${amountOf(after[amount])}`
        : amountOf(before[amount])
      const rest = others.map(
        (name) => `${name} ${textOf(before[name]) || '(empty)'} → ${textOf(after[name])}`,
      )
      return [hours, rateOf(by, before, nameRate), ...rest].filter(Boolean).join(', ')
    })
  const says = (what: string, parts: readonly string[]) =>
    parts.length === 0 ? [] : [`${what}: ${parts.join('; ')}`]
  return [
    ...says('changed', change),
    ...says('new', added.map(describe)),
    ...says(
      kept === 'remove' ? 'removed' : kept === 'keep' ? 'kept beside the sheet' : 'not in the sheet',
      missing.map(describe),
    ),
    ...says('unchanged', stay),
  ].join('. ')
}

/** How much of each line a record has and is to have: what a list of changes shows. */
export interface LineChange {
  readonly path: string
  readonly field: string
  readonly from: Json
  readonly to: Json
}

/** The changes of a match, one for each line; those of other fields of a line beside them. */
export function changesOfLines(
  type: RecordType & { readonly lines: Lines },
  { after, both, added, missing }: LineMatch,
  { nameRate, kept }: { readonly nameRate?: NameRate | undefined; readonly kept?: MissingLines | undefined },
): readonly LineChange[] {
  const { path, by, amount } = type.lines
  const label = fieldAt(type.fields, `${path}[0].${amount}`)?.label ?? amount
  const about = (line: JsonObject, name = amount) => {
    const field = name === amount ? label : (fieldAt(type.fields, `${path}[0].${name}`)?.label ?? name)
    const rate = rateOf(by, line, nameRate)
    return rate === '' ? field : `${field}, ${rate}`
  }
  const placeOf = (line: JsonObject, name = amount) => {
    const at = after.indexOf(line)
    return at < 0 ? path : `${path}[${at}].${name}`
  }
  return [
    ...both.flatMap(({ before, after: now }) =>
      Object.keys(now)
        .filter((name) => now[name] !== before[name])
        .map((name) => ({
          path: placeOf(now, name),
          field: about(before, name),
          from: before[name] ?? null,
          to: now[name] ?? null,
        })),
    ),
    ...added.map((line) => ({
      path: placeOf(line),
      field: about(line),
      from: null,
      to: line[amount] ?? null,
    })),
    ...(kept === 'remove'
      ? missing.map((line) => ({ path, field: about(line), from: line[amount] ?? null, to: null }))
      : []),
  ]
}
