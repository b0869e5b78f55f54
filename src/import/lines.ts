import { hasNoValue, isObject, type Json, type JsonObject } from '../files/json/path.ts'
import type { FileRow } from '../files/table/row.ts'
import { fieldAt } from '../model/fields/field-tree.ts'
import type { HourLines, RecordType } from '../model/records/record-type.ts'
import { valueComparer } from '../model/values/compare-stored.ts'
import { capital, plural } from '../text/words.ts'

/** The fate of lines that the service has and a row lacks. Undefined: somebody has to decide. */
export type MissingLines = 'keep' | 'remove'

/** The lines of a record compared with those of a row. */
export interface LineMatch {
  /** The new list: the lines of the service in their order, updated from the row, then the new lines. */
  readonly after: readonly JsonObject[]
  readonly both: readonly { readonly before: JsonObject; readonly after: JsonObject }[]
  readonly added: readonly JsonObject[]
  /** The lines that the service has and the row lacks. */
  readonly missing: readonly JsonObject[]
}

/** Only this many lines are matched: no record that a person wrote has more. */
const mostMatchedLines = 200

/**
 * Matches each line of a row to a line of the service: by the fields that tell lines apart, never by
 * position. Lines that agree in the amount too are matched first.
 */
export function matchLines(
  type: RecordType,
  { path, by, amount }: Lines,
  there: Json,
  { lines: rowLines, otherNames }: { readonly lines: Json } & Pick<FileRow, 'otherNames'>,
  missing: MissingLines = 'keep',
): LineMatch {
  const isSameValue = valueComparer(type)
  /** Whether a value of a row is that of the service, which may name it otherwise. */
  const isSame: SameInLine = (name, ofRow, there) =>
    isSameValue(`${path}[0].${name}`, ofRow, there) ||
    otherNames?.get(plainText(ofRow))?.includes(plainText(there)) === true
  const lines = objectsIn(there)
  const unmatched = new Set(lines.slice(0, mostMatchedLines).keys())
  const matches = new Map<number, JsonObject>()
  const newLines: JsonObject[] = []
  const fits = (line: JsonObject, at: number, names: readonly string[]) =>
    names.every((name) => hasNoValue(line[name]) || isSame(name, line[name], lines[at]?.[name]))
  const open = objectsIn(rowLines)
  // A line that says everything is matched first, so that one that says less does not take its place.
  for (const names of [[...by, amount], by]) {
    for (const line of [...open].sort((one, other) => filledIn(other, by) - filledIn(one, by))) {
      const at = [...unmatched].find((each) => fits(line, each, names))
      if (at === undefined) continue
      unmatched.delete(at)
      matches.set(at, line)
      open.splice(open.indexOf(line), 1)
    }
  }
  newLines.push(...open)
  const both = [...matches].map(([at, line]) => {
    const before = lines[at] ?? {}
    return { at, before, after: withSaid(before, line, isSame) }
  })
  const result = lines.flatMap((line, at) => {
    const pair = both.find((each) => each.at === at)
    return pair ? [pair.after] : missing === 'remove' ? [] : [line]
  })
  return {
    after: [...result, ...newLines],
    both: both.sort((one, other) => one.at - other.at),
    added: newLines,
    missing: [...unmatched].map((at) => lines[at] ?? {}),
  }
}

/** Whether the service has the lines that a row says, and no others. */
export const isSameLines = ({ both, added, missing }: LineMatch): boolean =>
  added.length + missing.length === 0 && both.every(({ before, after }) => before === after)

const objectsIn = (list: Json): JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : [])

const filledIn = (line: JsonObject, by: readonly string[]) =>
  by.filter((name) => !hasNoValue(line[name])).length

/** A line of the service, updated from the row's line. Returns the same object where nothing differs. */
function withSaid(before: JsonObject, line: JsonObject, isSame: SameInLine): JsonObject {
  const other = Object.entries(line).filter(
    ([name, value]) => !hasNoValue(value) && !isSame(name, value, before[name]),
  )
  return other.length === 0 ? before : { ...before, ...Object.fromEntries(other) }
}

type Lines = NonNullable<RecordType['lines']>

/** Whether a value of a line of a row is the one of that name in a line of the service. */
type SameInLine = (name: string, ofRow: Json, there: Json) => boolean

const plainText = (value: Json): string =>
  isObject(value) && !hasNoValue(value.id) ? String(value.id) : hasNoValue(value) ? '' : String(value).trim()

/** The name that a person uses for a rate: its code, found by the rate's id. */
type NameRate = (id: string) => string | undefined

/** The words that describe lines. */
export interface LineWords {
  readonly nameRate?: NameRate | undefined
  /** What becomes of lines that the row lacks, where somebody decided it. */
  readonly missingLines?: MissingLines | undefined
}

/** The rate of a line, which tells it apart: `STD at 14.20`. */
function rateInWords(by: readonly string[], line: JsonObject, nameRate?: NameRate): string {
  const [code, rate] = by.map((name) => plainText(line[name]))
  const name = code ? (nameRate?.(code) ?? code) : ''
  return [name, rate && `at ${rate}`].filter(Boolean).join(' ')
}

const hoursInWords = (amount: Json) => {
  const text = plainText(amount)
  return text === '1' ? plural(1, 'hour') : `${text || 'no'} hours`
}

/** Describes which lines of a record stay, change, are added and are removed. */
export function describeMatch(
  { by, amount }: HourLines,
  { both, added, missing }: LineMatch,
  { nameRate, missingLines }: LineWords = {},
): string {
  /** `30 hours, STD at 14.20` */
  const describe = (line: JsonObject) =>
    [hoursInWords(line[amount]), rateInWords(by, line, nameRate)].filter(Boolean).join(', ')
  const describeChange = ({ before, after }: LineMatch['both'][number]) => {
    const otherFields = Object.keys(after).filter((name) => name !== amount && after[name] !== before[name])
    const hours =
      before[amount] === after[amount]
        ? hoursInWords(before[amount])
        : `${plainText(before[amount]) || 'no'} → ${hoursInWords(after[amount])}`
    const rest = otherFields.map(
      (name) => `${name} ${plainText(before[name]) || '(empty)'} → ${plainText(after[name])}`,
    )
    return [hours, rateInWords(by, before, nameRate), ...rest].filter(Boolean).join(', ')
  }
  const isSame = ({ before, after }: LineMatch['both'][number]) => before === after
  const lacking = { remove: 'removed', keep: 'kept beside the sheet', open: 'not in the sheet' }
  const parts: readonly (readonly [what: string, lines: readonly string[]])[] = [
    ['changed', both.filter((each) => !isSame(each)).map(describeChange)],
    ['new', added.map(describe)],
    [lacking[missingLines ?? 'open'], missing.map(describe)],
    ['unchanged', both.filter(isSame).map(({ before }) => describe(before))],
  ]
  return parts
    .flatMap(([what, lines]) => (lines.length > 0 ? [`${what}: ${lines.join('; ')}`] : []))
    .map((part, at) => (at === 0 ? part : capital(part)))
    .join('. ')
}

interface LineChange {
  readonly path: string
  readonly field: string
  readonly from: Json
  readonly to: Json
}

/** The changes of all matched lines, field by field. A new line fills what does not tell it apart, and a removed one is a change of its amount. */
export function changesOfLines(
  { fields, lines }: RecordType,
  { after, both, added, missing }: LineMatch,
  { nameRate, missingLines }: LineWords,
): readonly LineChange[] {
  if (!lines) return []
  const { path, by, amount } = lines
  const label = (name: string) => fieldAt(fields, `${path}[0].${name}`)?.label ?? name
  /** The change of one field from the service's line, if any, to the new one, if any. */
  const change = (name: string, before: JsonObject | undefined, now: JsonObject | undefined): LineChange => {
    const at = now ? after.indexOf(now) : -1
    return {
      path: at < 0 ? path : `${path}[${at}].${name}`,
      field: [label(name), rateInWords(by, before ?? now ?? {}, nameRate)].filter(Boolean).join(', '),
      from: before?.[name] ?? null,
      to: now?.[name] ?? null,
    }
  }
  const linesToRemove = missingLines === 'remove' ? missing : []
  return [
    ...both.flatMap(({ before, after: now }) =>
      Object.keys(now).flatMap((name) => (now[name] === before[name] ? [] : [change(name, before, now)])),
    ),
    ...added.flatMap((line) => {
      const otherNames = Object.keys(line).filter(
        (name) => ![...by, amount].includes(name) && !hasNoValue(line[name]),
      )
      return [amount, ...otherNames].map((name) => change(name, undefined, line))
    }),
    ...linesToRemove.map((line) => change(amount, line, undefined)),
  ]
}
