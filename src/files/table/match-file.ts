import { Failure, type Issue, invalidInput, usage } from '../../errors.ts'
import { countryCandidates } from '../../model/countries/country-candidates.ts'
import { normalizeName } from '../../model/fields/labels.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import type { DateOrder } from '../../model/values/date-formats.ts'
import { guessHeading, headingFor, readHeading } from '../../model/values/find-field.ts'
import { readDate } from '../../model/values/read-date.ts'
import { nameSome, wordList } from '../../text/words.ts'
import { columnLetters } from '../formats/column-letters.ts'
import { encodingOfExcel, lostLetters, readAsExcelSaves, unreadable } from '../formats/text-encoding.ts'
import { type DatePlace, describeCell, findDateOrder, orderRemark, unclearOrder } from './date-order.ts'
import {
  type Column,
  type ColumnMap,
  columnsOf,
  dayColumns,
  type FileColumns,
  fillsHours,
  type NameOrder,
  nameOrders,
  namePartsOf,
  targetAt,
  type UnmatchedColumn,
  type WholeNames,
} from './file-columns.ts'
import type { TableDoubt } from './left-rows.ts'
import { betterHeadings } from './sheet-layout.ts'
import { dateKindOf, type TableSurvey, weekLabel } from './survey-table.ts'

/** How a file is read, where the file itself does not say it. */
export interface Matching {
  readonly map?: ColumnMap | undefined
  readonly dateFormat?: DateOrder | undefined
  readonly encoding?: string | undefined
  /** The headings of columns of numbers that are not imported, as somebody said who knew their sum. */
  readonly without?: readonly string[] | undefined
}

/** A payment rate of the service: its code, and what it is called. */
export interface NamedRate {
  readonly code: string
  readonly name: string
}

/** Who is asked how a file is to be read: the memory of earlier files and, at a terminal, a person. */
export interface MatchingHelp {
  /** The path that was typed after --map. */
  readonly mapFile?: string | undefined
  /** The matching of an earlier file with this header; undefined if there is none, or it is not to be used. */
  recall(header: readonly string[]): Promise<Matching | undefined>
  /** Says which of several sheets is imported; absent where there is no terminal. */
  chooseSheet?(sheets: readonly { readonly at: number; readonly name: string }[]): Promise<number>
  /** Says which fields the unmatched columns fill; absent where there is no terminal. */
  matchColumns?(found: FileColumns, survey: TableSurvey, rates: readonly NamedRate[]): Promise<ColumnMap>
  chooseOrder?(unclear: readonly DatePlace[], header: readonly string[]): Promise<DateOrder>
  /** Says how the whole names in a column are taken apart; null leaves the column out. */
  chooseNameOrder?(column: Column, values: readonly string[]): Promise<NameOrder | null>
  /** The payment rates of the service, by which hours may be paid; absent where there is no terminal. */
  rates?: (() => Promise<readonly NamedRate[]>) | undefined
  /** Keeps the matching for the next file with this header. */
  remember(header: readonly string[], matching: Matching): Promise<void>
}

interface Asked extends Matching {
  readonly type: RecordType
  /** YYYY-MM-DD */
  readonly today: string
  readonly help?: MatchingHelp | undefined
  readonly ignored?: readonly string[] | undefined
  /** The matching from the memory; what was typed and what the file shows win. */
  readonly recalled?: Matching | undefined
}

/** How a table is read. */
export interface FileMatch {
  readonly columns: readonly Column[]
  /** The weeks in rows of their own, for the last of the columns: each is that of the rows below it. */
  readonly weeks: readonly WeekRow[]
  readonly wholeNames?: WholeNames | undefined
  readonly dateFormat?: DateOrder | undefined
  /** The columns of the days of a week, where nothing but their sum says the hours: it is in the column after those of the file. */
  readonly addedUp: readonly number[]
  /** Sentences for a person who was not asked. */
  readonly remarks: readonly string[]
  readonly doubts: readonly TableDoubt[]
}

/** Settles the field of each column, and the date order. Throws exit 3 with everything left open. */
export async function matchFile(
  survey: TableSurvey,
  { type, help, recalled, ignored = [], ...given }: Asked,
): Promise<FileMatch> {
  const { header } = survey
  const unknown = ignored.find((name) => !header.some((each) => normalizeName(each) === normalizeName(name)))
  if (unknown !== undefined)
    throw usage(
      `No column is called ${unknown}.`,
      `The columns are: ${header.filter((name) => name.trim() !== '').join(', ')}.`,
    )
  const { map, found } = await settleColumns(type, survey, help, {
    ...(given.map ?? recalled?.map),
    ...Object.fromEntries(ignored.map((name) => [name, null])),
  })
  const { wholeNames, empty } = found
  const days = daysToAdd(type, found, survey, map)
  const filled = days?.columns ?? found.columns
  const week = weekRows(type, filled, survey, given.today)
  const columns = week ? [...filled, week.column] : filled
  const dated = week ? { ...survey, dates: withDates(survey, columns.length - 1, week) } : survey
  const { dateFormat, remarks } = given.dateFormat
    ? { dateFormat: given.dateFormat, remarks: [] }
    : await settleOrder(columns, dated, { help, before: recalled?.dateFormat, today: given.today })
  const { encoding = recalled?.encoding } = given
  await help?.remember(header, {
    map: Object.keys(map).length > 0 ? map : undefined,
    dateFormat,
    encoding,
  })
  return {
    columns,
    weeks: week?.weeks ?? [],
    addedUp: days?.places ?? [],
    doubts: days ? [{ row: 0, message: days.says }] : [],
    wholeNames,
    dateFormat,
    remarks: [...(week?.says ?? []), ...emptyRemark(empty), ...remarks],
  }
}

/** The columns as the map says, and as a person adds to it. Throws exit 3 with everything left open. */
async function settleColumns(
  type: RecordType,
  survey: TableSurvey,
  help: MatchingHelp | undefined,
  first: ColumnMap,
): Promise<{ readonly map: ColumnMap; readonly found: FileColumns }> {
  for (let map = first; ; ) {
    const found = columnsOf(type, survey, map)
    if (map === first) {
      assertLetters(found)
      assertHeader(type, found, survey)
    }
    const whole = wholeNameIn(type, found, survey)
    if (whole) {
      if (!help?.chooseNameOrder) throw wholeName(whole)
      const values = survey.examples[survey.header.indexOf(whole.name)] ?? []
      const order = await help.chooseNameOrder(whole, values)
      map = { ...map, [whole.name]: order && nameOrders[order] }
      continue
    }
    if (found.unmatched.length + found.issues.length === 0) return { map, found }
    if (found.issues.length > 0 || !help?.matchColumns) throw unmatchedFailure(type, found, survey.headingRow)
    const isPaid = found.unmatched.some(({ isHours }) => isHours)
    const rates = isPaid ? await help.rates?.() : undefined
    map = { ...map, ...(await help.matchColumns(found, survey, rates ?? [])) }
  }
}

/** Names the columns that nobody is asked about, because no row has anything in them. */
function emptyRemark(empty: readonly Column[]): readonly string[] {
  if (empty.length === 0) return []
  const are = empty.length === 1 ? 'is' : 'are'
  return [
    `${nameSome(
      empty.map(({ place }) => place),
      5,
    )} ${are} empty, and not imported`,
  ]
}

/** The hours of each row as the sum of its days, where no column has them and no map says what the days are. */
function daysToAdd(
  type: RecordType,
  { columns, unmatched }: FileColumns,
  { header }: TableSurvey,
  map: ColumnMap,
) {
  const path = 'rates[0].units'
  const fills = targetAt(type, path)
  const places = dayColumns(header)
  const said = new Set(Object.keys(map).map(normalizeName))
  const isSaid = places.some((at) => columns[at]?.fills || said.has(normalizeName(header[at] ?? '')))
  const isAsked = isSaid || unmatched.length > 0 || columns.some(fillsHours)
  const [first, last] = [columns[places[0] ?? -1], columns[places.at(-1) ?? -1]]
  if (!fills || !first || !last || isAsked) return undefined
  const name = headingFor(type, path)
  const place = `${first.place} to ${last.place}`
  return {
    places,
    columns: [
      ...columns.map((column, at) => (places.includes(at) ? { ...column, addsTo: path } : column)),
      { name, place, fills },
    ],
    says: `${place} are the days of the week, and no column has their sum: they are added up as the hours of each row`,
  }
}

/** The weeks that stand in rows of their own, above the headings or between the rows, where no column says them. */
interface WeekRows {
  readonly column: Column
  /** In their order; the rows between the headings and one of them are without a week. */
  readonly weeks: readonly WeekRow[]
  readonly says: readonly string[]
}

/** A row that says the week of the rows below it. */
export interface WeekRow {
  readonly row: number
  /** As the file writes the day. */
  readonly text: string
  readonly cell: string
}

/** The weeks that a sheet says once for the rows below: above the headings for all of them, or between them. */
function weekRows(
  type: RecordType,
  columns: readonly Column[],
  { top, headingRow, weeks: between }: TableSurvey,
  today: string,
): WeekRows | undefined {
  const isFilled = (path: string) => columns.some(({ fills }) => fills?.path === path)
  if (isFilled('endDate') || isFilled('startDate')) return undefined
  const [above] = top.filter(({ row }) => row < headingRow).flatMap((each) => weekIn(each) ?? [])
  const all = [...(above ? [above] : []), ...between.flatMap((each) => weekIn(each) ?? [])]
  const [first] = all
  // All of them must be ends of weeks, or all of them starts.
  const same = all.filter(({ path }) => path === first?.path)
  const fills = first && targetAt(type, first.path)
  if (!fills || same.length < all.length) return undefined
  const label = headingFor(type, first.path)
  const whose = (at: number) => (all.length === 1 && all[at] === above ? 'all rows' : 'the rows below')
  return {
    column: { name: label, place: `cell ${first.cell} (${label})`, fills },
    weeks: all,
    says: all.map(({ says }, at) => `${says}: it is the week of ${whose(at)}`),
  }

  function weekIn({ row, cells }: TableSurvey['weeks'][number]) {
    for (const [at, cell] of cells.entries()) {
      const [, letter = '', word = '', rest = ''] = weekLabel.exec(cell.trim()) ?? []
      if (!weekLabel.test(cell.trim())) continue
      const [text = ''] = [rest, ...cells.slice(at + 1)]
        .map((each) => each.trim())
        .filter((each) => each !== '')
      const isStart = /^(?:c|commenc|start|begin)/i.test(letter + word) && !/^e/i.test(letter)
      if (!('date' in readDate(text, { today, order: 'dmy' }))) continue
      const place = columnLetters(at) + row
      const says = `${place} says ${cell.trim()}${rest === '' ? ` ${text}` : ''}`
      return { row, text, cell: place, path: isStart ? 'startDate' : 'endDate', says }
    }
    return undefined
  }
}

/** The dates of the columns, with those of the weeks in rows of their own. */
function withDates({ dates }: TableSurvey, at: number, { weeks }: WeekRows): TableSurvey['dates'] {
  const all = [...dates]
  while (all.length <= at) all.push({})
  const shown = weeks.flatMap(({ text, cell }) => {
    const kind = dateKindOf(text)
    return kind ? [[kind, { cell, text }] as const] : []
  })
  // Reversed, so that the first of each kind wins.
  return all.with(at, Object.fromEntries(shown.toReversed()))
}

/** The order of the dates, as the file shows it; else it is asked; that of an earlier file only where there is no terminal. */
async function settleOrder(
  columns: readonly Column[],
  survey: TableSurvey,
  {
    help,
    before,
    today,
  }: {
    readonly help: MatchingHelp | undefined
    readonly before: DateOrder | undefined
    readonly today: string
  },
): Promise<Pick<FileMatch, 'dateFormat' | 'remarks'>> {
  const { order, by, unclear } = findDateOrder(columns, survey)
  if (unclear.length === 0) return { dateFormat: order ?? before, remarks: [] }
  if (order && by) {
    return {
      dateFormat: order,
      remarks: [orderRemark(order, unclear, `as ${describeCell(by)} shows`, today)],
    }
  }
  if (help?.chooseOrder) return { dateFormat: await help.chooseOrder(unclear, survey.header), remarks: [] }
  if (!before) throw unclearOrder(unclear)
  const other = before === 'mdy' ? 'dmy, if the day' : 'mdy, if the month'
  const why = 'as in the last file with these headings'
  return {
    dateFormat: before,
    remarks: [`${orderRemark(before, unclear, why, today)}. Add --date-format ${other} comes first`],
  }
}

/** Throws a Failure where the headings seem to stand further down, below more than a title, or there are none. */
function assertHeader(
  type: RecordType,
  { columns, unmatched, issues }: FileColumns,
  { top, headingRow }: Pick<TableSurvey, 'top' | 'headingRow'>,
): void {
  const here = columns.filter(({ fills }) => fills).length
  const isWhole = unmatched.length + issues.length === 0
  if (isWhole && here > 0) return
  const below = top.filter(({ row }) => row > headingRow)
  const better = betterHeadings(type, here, below)
  if (better) {
    const { row, cells } = better
    const names = cells.map((cell) => cell.replace(/\s+/g, ' ').trim().slice(0, 40))
    throw new Failure('input', `The headings seem to be in row ${row} (${nameSome(names, 3)}).`, {
      outcome: 'not-sent',
      hint: `If they are, add --heading-row ${row}: what is above them is left out.`,
      adds: ['--heading-row', String(row)],
    })
  }
  if (isWhole) throw invalidInput('The file has no columns.', [])
}

/** Throws a Failure (exit 3) where a heading that is not known has a letter that could not be read. */
function assertLetters({ unmatched }: FileColumns): void {
  const lost = unmatched.filter(({ column }) => column.name.includes(unreadable))
  if (lost.length === 0) return
  const issues = lost.map(({ column }) => ({ path: column.place, message: lostLetters }))
  const failure = invalidInput('The headings cannot be read.', issues, `${readAsExcelSaves}:`)
  throw new Failure('input', failure.message, {
    ...failure.details,
    outcome: 'not-sent',
    adds: encodingOfExcel,
  })
}

/** The column of whole names, where no other has the rest: as a forename it would lose the surname. */
function wholeNameIn(
  type: RecordType,
  { columns, unmatched, wholeNames }: FileColumns,
  { examples }: TableSurvey,
): Column | undefined {
  const names = namePartsOf(type)
  if (!names || wholeNames) return undefined
  const parts = [names.forename, names.surname]
  const named = columns.filter(({ fills }) => fills && parts.includes(fills.path))
  if (named.length > 1) return undefined
  const mayBeEither = unmatched.filter(({ choices }) => parts.every((path) => choices.includes(path)))
  const asked = new Set(mayBeEither.map(({ at }) => at))
  return columns.find((column, at) => {
    if (named.length === 0 ? !asked.has(at) : column !== named[0]) return false
    const isCertain = readHeading(type, column.name).path !== undefined
    const values = examples[at] ?? []
    const wholes = values.filter((value) => (isCertain ? /\S,\s*\S/ : /\S\s+\S/).test(value.trim()))
    return wholes.length * 2 > values.length
  })
}

/** The failure of a column of whole names that nobody was asked about. */
function wholeName({ name, place }: Column): Failure {
  const map = (order: string | null) => JSON.stringify({ [name]: order })
  return invalidInput(
    `The whole name is in one column, ${place}.`,
    [],
    `To have it taken apart, save ${map(nameOrders.surnameFirst)} as columns.json, or ${map(nameOrders.forenameFirst)} where the forename comes first, or ${map(null)} to leave the column out, and add --map columns.json.`,
  )
}

/** The labels of the fields that a column may mean, the likeliest first. */
export function suggestionsFor(type: RecordType, { column, choices }: UnmatchedColumn): readonly string[] {
  const paths = choices.length > 0 ? choices : guessHeading(type, column.name)
  return paths.map((path) => headingFor(type, path))
}

/** A file with more unknown columns is not a list of people: their meanings are not worked out. */
const mostMatched = 100

/** The failure for columns that are not matched yet, all at once, with a map to fill in. */
function unmatchedFailure(type: RecordType, { unmatched, issues }: FileColumns, headingRow: number): Failure {
  const isList = unmatched.length <= mostMatched
  const known = isList
    ? unmatched.map((each) => issueOf(type, each))
    : unmatched.map(({ column }) => ({ path: column.place, message: 'not known' }))
  const all = [...known, ...issues]
  // A guess in it would be taken.
  const map = Object.fromEntries(unmatched.map(({ column }) => [column.name, '?']))
  const count = all.length === 1 ? 'One column' : `${all.length} columns`
  const message = `${count} of row ${headingRow} cannot be used.`
  return unmatched.length === 0 || !isList
    ? invalidInput(message, all, 'To print a header to fill in: payroll template <record> -o csv')
    : invalidInput(
        message,
        all,
        `Save this as columns.json, with a field for each column or null for "do not import", and add --map columns.json: ${JSON.stringify(map)}`,
      )
}

function issueOf(type: RecordType, each: UnmatchedColumn): Issue {
  const { column, choices, sameAs, isHours } = each
  const path = column.place
  if (isHours) {
    const ways =
      'Hours at <rate code>, Hours at x1.5 (of the basic rate), or Hours 2 beside Pay rate 2 for the column of its rate'
    return { path, message: `hours at which rate? A map says ${ways}` }
  }
  if (sameAs) return { path, message: `fills the same field as ${sameAs.place}` }
  const labels = suggestionsFor(type, each)
  if (choices.length > 0) return { path, message: `can mean ${labels.join(' or ')}: say which` }
  const other = countryCandidates.find(
    ({ sent }) => sent !== type && readHeading(sent, column.name).path !== undefined,
  )
  if (other && countryCandidates.some(({ sent }) => sent === type)) {
    const message = `not a field of ${type.displayName}, only of ${other.candidate} (${other.flag})`
    return { path, message }
  }
  const meant = labels.length === 0 ? '' : `: did you mean ${wordList(labels, 'or')}?`
  return { path, message: `not known${meant}` }
}
