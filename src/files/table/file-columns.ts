import type { Issue } from '../../errors.ts'
import { anything, type Field } from '../../model/fields/field.ts'
import { fieldAt, leafFields } from '../../model/fields/field-tree.ts'
import { normalizeName } from '../../model/fields/labels.ts'
import { requestPath, requestPlace } from '../../model/mapping/field-mapping.ts'
import { inEveryRecord } from '../../model/mapping/map-record.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { findField, headingFor, isOfPay, readHeading } from '../../model/values/find-field.ts'
import {
  type HourRate,
  hourRateText,
  isWeekday,
  readHourHeading,
  readHourRate,
  sideBySide,
} from '../../model/values/hour-headings.ts'
import { knownCodes, readCode } from '../../model/values/read-code.ts'
import { wordList } from '../../text/words.ts'
import { columnLetters } from '../formats/column-letters.ts'
import { formatPath, parsePath } from '../json/path.ts'
import {
  type Column,
  type ColumnMap,
  type ColumnTarget,
  type FileColumns,
  targetAt,
  type UnmatchedColumn,
} from './column.ts'
import { dayColumns, isOfHours } from './day-columns.ts'
import { rejectColumns } from './reject-columns.ts'
import { isSameAmount } from './skipped-rows.ts'
import type { TableSurvey } from './survey-table.ts'
import { findWholeName, type NameOrder, nameOrderOf, namePartsOf, withNamesApart } from './whole-names.ts'

/** The meaning of one heading: the field that its column fills, a question, a flaw, or none of them. */
interface ColumnMeaning {
  readonly fills?: ColumnTarget | undefined
  /** Set where the column has whole names. */
  readonly order?: NameOrder | undefined
  readonly asks?: Pick<UnmatchedColumn, 'choices' | 'of'>
  readonly flaw?: string
  readonly owned?: readonly string[]
}

/** The field of each column: as the map says, or by path, label or usual heading. Never by a guess. */
export function columnsOf(
  type: RecordType,
  survey: Pick<TableSurvey, 'header' | 'examples' | 'sums'>,
  map: ColumnMap,
): FileColumns {
  const { header, examples, sums } = survey
  const meanings = meaningsOf(type, survey, map)
  const columnsByHeading = header.map(
    (name, at): Column => ({
      name,
      place: columnPlace(name, at),
      fills: meanings[at]?.fills,
      owned: meanings[at]?.owned,
    }),
  )
  const whole = meanings.findIndex(({ order }) => order !== undefined)
  const order = meanings[whole]?.order
  const withParts = withFirstLine(
    type,
    order ? withNamesApart(type, columnsByHeading, whole, order) : columnsByHeading,
  )
  const repeats = repeatedColumns(withParts)
  const columns = withParts.map((column, at) =>
    repeats.has(at) ? { name: column.name, place: column.place } : column,
  )
  // Days are not asked about if their hours are the imported ones, or if they are added up as the hours. Where no row
  // has hours, as of formulas that were never computed, each row says so.
  const days = dayColumns(header)
  const hours = columns.flatMap(({ fills }, at) => (isOfHours(fills?.path) ? [at] : []))
  const areDaysSaid =
    hours.every((at) => (examples[at] ?? []).length === 0) ||
    addUpAlike(
      days.map((at) => sums[at]),
      hours.map((at) => sums[at]),
    )
  const names = findWholeName(
    type,
    columns,
    meanings.map(({ asks }) => asks?.choices ?? []),
    examples,
  )
  const open = columns.flatMap((column, at): UnmatchedColumn[] => {
    const [asks, sameAs] = [meanings[at]?.asks, repeats.get(at)]
    if (areDaysSaid && days.includes(at)) return []
    if (at === names) return [{ column, at, choices: [], of: 'names' }]
    if (asks) return [{ column, at, ...asks }]
    return sameAs && !haveSameName(sameAs, column) ? [{ column, at, choices: [], sameAs }] : []
  })
  // A column in which no row has anything is not asked about. Without rows it is not known which those are.
  const hasRows = examples.some((values) => values.length > 0)
  return {
    columns,
    unmatched: open.filter(({ at }) => !hasRows || (examples[at] ?? []).length > 0),
    issues: columns.flatMap((column, at): Issue[] => {
      const [flaw, sameAs] = [meanings[at]?.flaw, repeats.get(at)]
      if (flaw !== undefined) return [{ path: column.place, message: flaw }]
      // A map goes by names, so it could not tell these two apart.
      const message = `has the same name as ${sameAs?.place}: rename one of them`
      return sameAs && haveSameName(sameAs, column) ? [{ path: column.place, message }] : []
    }),
  }
}

/** The meaning of each heading, to which the others of the header may add something. */
function meaningsOf(
  type: RecordType,
  { header, examples }: Pick<TableSurvey, 'header' | 'examples'>,
  map: ColumnMap,
): readonly ColumnMeaning[] {
  const own = ownHeader(header)
  const end = Math.min(own.length, header.findLastIndex((name) => name.trim() !== '') + 1)
  const fieldInMap = mapByName(map)
  const surname = namePartsOf(type)?.surname
  const hours = hourColumns(type, own, examples, fieldInMap)
  const hasHours = fieldAt(type.fields, 'rates[0].units') !== undefined
  const hasDays = hasHours && dayColumns(header).length > 0
  const beside = hasHours ? besideHours(header, examples) : []
  const names = header.slice(0, end)
  const isKnown = (each: string) =>
    (readHeading(type, each).path ?? findField(type.fields, pathInHeading(each)).found) !== undefined
  const hasIds = own.some((each) => answeredOnly(type, each) === 'id')
  const isSavedList = {
    hasIds,
    // Asked of such a list alone: an unknown name is compared with each field.
    isWhole: hasIds && own.every((each, at) => isKnown(each) || !examples[at]?.length),
  }
  const whole = names.findIndex((name) => name.trim() !== '' && nameOrderOf(fieldInMap(name)))
  return names.map((name, at): ColumnMeaning => {
    const values = examples[at] ?? []
    // A sheet may begin in its second column, or have a gap between two.
    if (name.trim() === '')
      return values.length === 0 ? {} : { flaw: 'has no name: two cells of the header were probably merged' }
    const fromMap = fieldInMap(name)
    if (fromMap === null) return {}
    const ofAnswer = fromMap === undefined ? meaningInAnswer(type, name, values, isSavedList) : undefined
    if (ofAnswer) return ofAnswer
    if (fromMap === undefined && beside.includes(at)) return {}
    if (surname && at === whole) return { fills: targetAt(type, surname), order: nameOrderOf(fromMap) }
    const ofHours = hours.get(at)
    if (ofHours) return ofHours
    if (fromMap !== undefined) return meaningFromMap(type, fromMap)
    // Beside the days of a week, `Total` means the hours.
    const isSum = hasDays && /^totals?$/i.test(name.trim())
    return meaningFromHeading(type, isSum ? 'Total hours' : name, values)
  })
}

function meaningFromMap(type: RecordType, target: string): ColumnMeaning {
  const { path, choices } = readHeading(type, target)
  const fills = path === undefined ? undeclaredTarget(type, target) : targetAt(type, path)
  if (fills) return { fills }
  const flaw =
    choices.length > 1 ? `can mean ${wordList(choices, 'or')}` : `is not a field of ${type.displayName}`
  return { flaw: `the map says ${target}, which ${flaw}` }
}

function meaningFromHeading(type: RecordType, name: string, values: readonly string[]): ColumnMeaning {
  const { path, choices } = readHeading(type, name)
  const fills = path === undefined ? undefined : targetAt(type, path)
  if (fills) return { fills }
  // Of several meanings, the one whose words all values are, as W1M1 and Cumulative of `Tax code basis`.
  const targets = choices.flatMap((each) => targetAt(type, each) ?? [])
  const [ofWords, ...moreTargets] = targets.filter(({ field }) => areCodes(field, values))
  return ofWords && choices.length > 1 && moreTargets.length === 0
    ? { fills: ofWords }
    : { asks: { choices } }
}

function areCodes(field: Field, values: readonly string[]): boolean {
  const texts = values.filter((value) => value.trim() !== '')
  const isCode = (text: string) => readCode(field, text) !== undefined || knownCodes(field).includes(text)
  return texts.length > 0 && texts.every((value) => isCode(value.trim()))
}

/** What a column means that an answer has, as a list that was saved as a table does, and no request. */
function meaningInAnswer(
  type: RecordType,
  name: string,
  values: readonly string[],
  isSavedList: { readonly hasIds: boolean; readonly isWhole: boolean },
): ColumnMeaning | undefined {
  const isOf = (one: string) => haveSameText(one, name)
  if (isOf('updatedAt')) return { owned: ['updatedAt'] }
  if (!isOf('deletedAt') && [...inEveryRecord].some(isOf)) return {}
  const path = answeredOnly(type, name)
  if (path === undefined || !isSavedList.hasIds) return undefined
  const isSent = readHeading(type, name).path !== undefined
  // USC bands are one field for an answer and another for a request, which has them in an object.
  if (isSent && values.some((value) => value.startsWith('{'))) return undefined
  // A label alone may be a word of somebody else, where it means no other field: a status, which is asked about.
  if (path !== pathInHeading(name) && !isSavedList.isWhole && !isSent) return undefined
  const at = parsePath(path) ?? []
  const last = at.at(-1) ?? ''
  const sentInside = formatPath(requestPlace(type, at.slice(0, -1)))
  // "defaultVATCode is an object rather than an identifier".
  if (last === 'id' && fieldAt(type.fields, sentInside)?.type === 'string')
    return { fills: targetAt(type, sentInside) }
  return inEveryRecord.has(last) && path !== 'updatedAt' ? {} : { owned: at }
}

/** The path of a field that an answer has and no request, by that or by its label. */
function answeredOnly(type: RecordType, heading: string): string | undefined {
  const leaves = leafFields(type.answer?.type.fields ?? {})
  const labelled = leaves.filter(({ field }) => field.label === heading)
  const path = (leaves.find((leaf) => leaf.path === pathInHeading(heading)) ?? labelled[0])?.path
  const isSent = path !== undefined && fieldAt(type.fields, requestPath(type, path)) !== undefined
  return isSent || labelled.length > 1 ? undefined : path
}

/** The path that a table of ours has behind a label which several fields have: `Description (defaultVATCode.description)`. */
const pathInHeading = (heading: string) => / \(([\w.[\]]+)\)$/.exec(heading)?.[1] ?? heading

const timeName =
  /^(?:shift |time )?(?:start|begin|finish|end|clock(?:ed)? in|clock(?:ed)? out|from|until|to|in|out)(?:ed)?(?: time)?$/i
const breakName =
  /^(?:unpaid |meal )?(?:breaks?|lunch)(?: (?:taken|time|length))?(?:[ (/]+(?:mins?|minutes|h|hrs?|hours?)\)?)?$/i
const clock =
  /^(?:\d{1,2}[:.]\d\d(?::\d\d)?(?:\s*[ap]\.?m\.?)?|\d{1,2}\s*[ap]\.?m\.?|(?:[01]\d|2[0-4])[0-5]\d)$/i

/** Whether a heading is of when work began or ended: as times they are not imported, but tell two shifts of a day apart. */
export const isOfShift = (name: string) => timeName.test(name.trim())

/** Whether a column has breaks, which are no hours that are paid. */
const isOfBreaks = (name: string) => breakName.test(name.trim())

/**
 * The columns of a sheet of hours that have when the work began and ended, with words such as `off` among the
 * times, and the breaks beside them. None of them is imported. Breaks alone are asked about: the hours may be
 * with or without them.
 */
function besideHours(header: readonly string[], examples: TableSurvey['examples']): readonly number[] {
  const at = [...header.keys()]
  const isTime = (value: string) => clock.test(value.trim())
  const times = at.filter((each) => {
    const values = examples[each] ?? []
    return (
      isOfShift(header[each] ?? '') &&
      values.some(isTime) &&
      values.every((value) => isTime(value) || !/\d/.test(value))
    )
  })
  return times.length === 0 ? [] : [...times, ...at.filter((each) => isOfBreaks(header[each] ?? ''))]
}

const hourFields = { hours: 'units', rate: 'rate', code: 'rateId' } as const

/** The meaning of columns of hours, where several kinds of them stand side by side or a map says at which rate they are paid. */
function hourColumns(
  type: RecordType,
  header: readonly string[],
  examples: TableSurvey['examples'],
  fieldInMap: (name: string) => string | null | undefined,
): ReadonlyMap<number, ColumnMeaning> {
  const meanings = new Map<number, ColumnMeaning>()
  if (!fieldAt(type.fields, 'rates[0].units')) return meanings
  const pathOf = (measure: keyof typeof hourFields, line: number) => `rates[${line}].${hourFields[measure]}`
  const paidAt = (path: string, hourRate: HourRate | undefined): ColumnMeaning => {
    const target = targetAt(type, path)
    return target ? { fills: { ...target, paid: hourRate } } : {}
  }
  const usualOf = (name: string) => {
    const { path } = readHeading(type, name)
    return (Object.keys(hourFields) as (keyof typeof hourFields)[]).find((each) => pathOf(each, 0) === path)
  }
  // Where the days of a week stand side by side, Saturday and Sunday are days, and no kinds of hours; so is a `Day` of names.
  const hasDays = dayColumns(header).length > 0
  const free = header.flatMap((name, at) =>
    fieldInMap(name) === undefined && !(hasDays && isWeekday(name)) && !examples[at]?.some(isWeekday)
      ? [{ at, name, usual: usualOf(name) }]
      : [],
  )
  const fromMap = header.map((name) => fieldInMap(name) ?? '')
  const lineNumbers = fromMap.map((target) =>
    Number(/^rates\[(\d+)\]/.exec(readHeading(type, target).path ?? '')?.[1] ?? -1),
  )
  const hasOthers = fromMap.some((target, at) => readHourRate(target) || (lineNumbers[at] ?? 0) > 0)
  const isTotal = (name: string) => /\btotal\b/i.test(name)
  const side = sideBySide(
    free.filter(({ name }) => !isTotal(name)),
    hasOthers,
  )
  for (const { at, measure, line, rate, isOpen } of side)
    meanings.set(at, isOpen ? { asks: { choices: [], of: 'hours' } } : paidAt(pathOf(measure, line), rate))
  if (side.length > 0)
    // A total beside several kinds of hours is not imported.
    for (const { at, name, usual } of free) if (isTotal(name) && usual === 'hours') meanings.set(at, {})
  let line = Math.max(0, ...side.map((each) => each.line), ...lineNumbers)
  for (const [at, target] of fromMap.entries()) {
    const rate = readHourRate(target)
    if (rate) meanings.set(at, paidAt(pathOf('hours', ++line), rate))
  }
  return meanings
}

/** `Address` beside `Address 2` is its first line, unless another column is. */
function withFirstLine(type: RecordType, columns: readonly Column[]): readonly Column[] {
  const paths = new Set(columns.map(({ fills }) => fills?.path))
  const hasLines = (path: string) => [...paths].some((each) => each?.startsWith(`${path}[`))
  return columns.map((column) => {
    const { field, path = '' } = column.fills ?? {}
    if (field?.type !== 'lines' || !hasLines(path) || paths.has(`${path}[0]`)) return column
    const fills = targetAt(type, `${path}[0]`)
    return fills ? { ...column, fills } : column
  })
}

/** Looks a name up in a map, exactly or else without regard to case and spaces. */
function mapByName(map: ColumnMap): (name: string) => string | null | undefined {
  const loose = new Map(Object.entries(map).map(([name, path]) => [normalizeName(name), path]))
  return (name) => (Object.hasOwn(map, name) ? map[name] : loose.get(normalizeName(name)))
}

/** The target for a path that a map names, in a record whose fields are not documented. */
function undeclaredTarget(type: RecordType, path: string): ColumnTarget | undefined {
  const segments = type.documented ? undefined : parsePath(path)
  return segments && { path: formatPath(segments), segments, field: anything(''), isLine: false }
}

/** How many cells of a row are names of fields: shows that a row is a header. */
export function countNames(type: RecordType, cells: readonly string[]): number {
  const hasHours = fieldAt(type.fields, 'rates[0].units') !== undefined
  const isName = (cell: string) =>
    readHeading(type, cell).path !== undefined ||
    (hasHours && (readHourHeading(cell)?.measure !== undefined || isWeekday(cell)))
  return cells.filter((cell) => cell.trim() !== '' && isName(cell)).length
}

/** A heading as a sentence names it. */
export const shownName = (name: string) => name.replace(/\s+/g, ' ').trim().slice(0, 40)

function columnPlace(name: string, at: number): string {
  const heading = shownName(name)
  return `column ${columnLetters(at)}${heading && ` (${heading})`}`
}

const haveSameText = (one: string, other: string) => normalizeName(one) === normalizeName(other)

const haveSameName = (one: Column, other: Column) => haveSameText(one.name, other.name)

/** By place, the columns that fill a field which another one before them fills, or a part of it, each with that one. */
function repeatedColumns(columns: readonly Column[]): ReadonlyMap<number, Column> {
  // The first column that fills a path, and the first that fills anything below it.
  const whole = new Map<string, Column>()
  const within = new Map<string, Column>()
  const repeats = new Map<number, Column>()
  for (const [at, column] of columns.entries()) {
    const { segments = [] } = column.fills ?? {}
    const paths = segments.map((_, end) => segments.slice(0, end + 1).join('.'))
    const own = paths.at(-1)
    if (own === undefined) continue
    const sameAs = paths.map((path) => whole.get(path)).find(Boolean) ?? within.get(own)
    if (sameAs) repeats.set(at, sameAs)
    else {
      for (const path of paths) within.set(path, within.get(path) ?? column)
      whole.set(own, column)
    }
  }
  return repeats
}

/** Whether this is the header of a rejects file: its last columns are the ones that we add. */
function isRejects(header: readonly string[]): boolean {
  return rejectColumns.every((name, at) => header.at(at - rejectColumns.length) === name)
}

/** The header without the columns of a rejects file. What is remembered of a file goes by it. */
export function ownHeader(header: readonly string[]): readonly string[] {
  return isRejects(header) ? header.slice(0, -rejectColumns.length) : header
}

/** A column as it is shown to somebody who checks the matching. */
export interface ShownColumn {
  /** `C` */
  readonly letters: string
  readonly name: string
  /** The path of the field that it fills, and what a person calls it; undefined for a column that is not imported. */
  readonly path: string | undefined
  readonly field: string | undefined
  /** Its first value. It may be sensitive: mask it before it is shown. */
  readonly first: string
  /** The sum of its numbers, where it has no others, and how many they are. */
  readonly sum: number | undefined
  readonly count: number
}

/** The columns of a file with what they fill, in their order. */
export function shownColumns(
  type: RecordType,
  columns: readonly Column[],
  { header, examples, sums, counts }: Pick<TableSurvey, 'header' | 'examples' | 'sums' | 'counts'>,
): readonly ShownColumn[] {
  return ownHeader(header).flatMap((name, at): ShownColumn[] => {
    const { fills, addsTo } = columns[at] ?? {}
    const { path = addsTo, paid } = fills ?? {}
    const [values, count] = [examples[at] ?? [], counts[at] ?? 0]
    if (name.trim() === '' && values.length === 0) return []
    // A whole name fills several fields, each by a column of its own after those of the file.
    const moreTargets = fills
      ? columns
          .slice(header.length)
          .flatMap((each) => (each.place === columns[at]?.place ? (each.fills ?? []) : []))
      : []
    const label = path === undefined ? undefined : paid ? hourRateText(paid) : headingFor(type, path)
    const field =
      addsTo === undefined
        ? label && wordList([label, ...moreTargets.map((each) => headingFor(type, each.path))], 'and')
        : `part of ${label}`
    const sum = count > 0 ? sums[at] : undefined
    return [
      { letters: columnLetters(at), name: shownName(name), path, field, first: values[0] ?? '', sum, count },
    ]
  })
}

/** The columns of numbers that are not imported although their heading is one of hours or pay. */
export function leftOutNumbers(columns: readonly ShownColumn[]): readonly ShownColumn[] {
  const hours = columns.filter(({ path }) => isOfHours(path)).map(({ sum }) => sum)
  const notImported = columns.filter(({ path }) => path === undefined)
  const days = notImported.filter(({ name }) => isWeekday(name))
  // Days that add up to the imported hours are accounted for, and so is a total of these.
  const areDaysSaid = addUpAlike(
    days.map(({ sum }) => sum),
    hours,
  )
  const isSaid = (column: ShownColumn) =>
    days.includes(column)
      ? areDaysSaid
      : hours.length > 0 && /\btotal\b/i.test(column.name) && addUpAlike([column.sum], hours)
  return notImported.filter(
    (column) => column.count > 0 && isOfPay(column.name) && !isOfBreaks(column.name) && !isSaid(column),
  )
}

/** Whether the sums of some columns add up to those of others. */
function addUpAlike(...columns: readonly (readonly (number | undefined)[])[]): boolean {
  const [one = 0, other = 0] = columns.map((sums) => sums.reduce<number>((total, sum = 0) => total + sum, 0))
  return isSameAmount(one, other)
}

interface FoundColumn {
  /** Counted from 0. */
  readonly column: number
  readonly place: string
}

/** Finds the column that fills the field at a path, or a field above it. */
export type FindColumn = (path: string) => FoundColumn | undefined

/** Looks at the columns once: a file has thousands of remarks about a few paths. */
export function columnFinder(columns: readonly Column[]): FindColumn {
  const byPath = new Map<string, FoundColumn>()
  for (const [column, { fills, place }] of columns.entries()) {
    if (fills) byPath.set(fills.segments.join('.'), { column, place })
  }
  return (path) => {
    const segments = parsePath(path) ?? []
    for (let end = segments.length; end > 0; end--) {
      const column = byPath.get(segments.slice(0, end).join('.'))
      if (column) return column
    }
    return undefined
  }
}
