import type { RecordType } from '../api/contract/records/record-type.ts'
import { type Failure, invalidInput, usage } from '../errors.ts'
import { columnLetters } from '../formats/column-letters.ts'
import type { DateOrder } from '../values/date-formats.ts'
import { readDate } from '../values/read-date.ts'
import { headingFor, readHeading } from '../values/read-heading.ts'
import { type DatePlace, orderRemark, orderShown, placeName, unclearOrder } from './date-order.ts'
import {
  type Column,
  type ColumnMap,
  columnsOf,
  type FileColumns,
  type NameOrder,
  nameOrders,
  namePartsOf,
  plainName,
  targetAt,
  type WholeNames,
} from './file-columns.ts'
import { betterHeadings, weekLabel } from './sheet-layout.ts'
import { dateKindOf, type TableSurvey } from './survey-table.ts'
import { unmatchedFailure } from './unmatched-columns.ts'

/** How a file is read, as far as the file itself does not say it. */
export interface Matching {
  readonly map?: ColumnMap | undefined
  readonly dateFormat?: DateOrder | undefined
  readonly encoding?: string | undefined
}

/** A payment rate of the service: its code, and what it is called. */
export interface NamedRate {
  readonly code: string
  readonly name: string
}

/** Who is asked how a file is to be read: the memory of earlier files and, at a terminal, a person. */
export interface MatchingHelp {
  /** What was typed behind --map. */
  readonly mapFile?: string | undefined
  /** What is known of a file with this header; undefined if nothing is, or it is not to be used. */
  recall(header: readonly string[]): Promise<Matching | undefined>
  /** Says which of several sheets is imported; absent where there is no terminal. */
  chooseSheet?(sheets: readonly { readonly at: number; readonly name: string }[]): Promise<number>
  /** Says what the columns are that are not known; absent where there is no terminal. */
  matchColumns?(found: FileColumns, survey: TableSurvey, rates: readonly NamedRate[]): Promise<ColumnMap>
  chooseOrder?(unclear: readonly DatePlace[], header: readonly string[]): Promise<DateOrder>
  /** Says how the whole names in a column are taken apart; null leaves the column out. */
  chooseNameOrder?(column: Column, values: readonly string[]): Promise<NameOrder | null>
  /** The payment rates of the service, by which hours may be paid; absent where there is no terminal. */
  rates?: (() => Promise<readonly NamedRate[]>) | undefined
  /** Keeps it for the next file with this header. */
  remember(header: readonly string[], matching: Matching): Promise<void>
}

interface Asked extends Matching {
  readonly type: RecordType
  /** YYYY-MM-DD */
  readonly today: string
  readonly help?: MatchingHelp | undefined
  readonly ignored?: readonly string[] | undefined
  /** From the memory; what was typed and what the file shows win. */
  readonly recalled?: Matching | undefined
}

/** How a table is read. */
interface FileMatch {
  readonly columns: readonly Column[]
  /** What stands above the table for all rows, for the last of the columns. */
  readonly constants: readonly string[]
  readonly wholeNames?: WholeNames
  readonly dateFormat?: DateOrder | undefined
  /** What a person should know of it who was not asked. */
  readonly remarks: readonly string[]
}

/**
 * Settles which field each column fills, and the order of day and month. Throws a Failure (exit 3) that names
 * everything that is left open.
 */
export async function matchFile(
  survey: TableSurvey,
  { type, help, recalled, ignored = [], ...given }: Asked,
): Promise<FileMatch> {
  const { header } = survey
  const unknown = ignored.find((name) => !header.some((each) => plainName(each) === plainName(name)))
  if (unknown !== undefined)
    throw usage(
      `No column is called ${unknown}.`,
      `The columns are: ${header.filter((name) => name.trim() !== '').join(', ')}.`,
    )
  let map: ColumnMap = {
    ...(given.map ?? recalled?.map),
    ...Object.fromEntries(ignored.map((name) => [name, null])),
  }
  let found = columnsOf(type, header, map)
  assertHeader(type, found, survey)
  await settleNames()
  while (found.unmatched.length > 0 && found.issues.length === 0 && help?.matchColumns) {
    map = { ...map, ...(await help.matchColumns(found, survey, await ratesFor(found))) }
    found = columnsOf(type, header, map)
    await settleNames()
  }
  if (found.unmatched.length > 0 || found.issues.length > 0)
    throw unmatchedFailure(type, found, survey.headingRow)
  const { wholeNames } = found
  const week = weekAbove(type, found.columns, survey, given.today)
  const columns = week ? [...found.columns, week.column] : found.columns
  const dated = week ? { ...survey, dates: withDate(survey, columns.length - 1, week) } : survey
  const { dateFormat, remarks } = given.dateFormat
    ? { dateFormat: given.dateFormat, remarks: [] }
    : await settleOrder(columns, dated, { help, before: recalled?.dateFormat, today: given.today })
  const { encoding = recalled?.encoding } = given
  await help?.remember(header, {
    ...(Object.keys(map).length > 0 && { map }),
    ...(dateFormat && { dateFormat }),
    ...(encoding !== undefined && { encoding }),
  })
  return {
    columns,
    constants: week ? [week.text] : [],
    ...(wholeNames && { wholeNames }),
    dateFormat,
    remarks: [...(week ? [week.says] : []), ...remarks],
  }

  async function ratesFor({ unmatched }: FileColumns): Promise<readonly NamedRate[]> {
    return unmatched.some(({ isHours }) => isHours) ? ((await help?.rates?.()) ?? []) : []
  }

  async function settleNames(): Promise<void> {
    const column = wholeNameIn(type, found, survey)
    if (!column) return
    if (!help?.chooseNameOrder) throw wholeName(column)
    const order = await help.chooseNameOrder(column, survey.examples[columnAt(column)] ?? [])
    map = { ...map, [column.name]: order && nameOrders[order] }
    found = columnsOf(type, header, map)
  }

  function columnAt({ name }: Column): number {
    return header.indexOf(name)
  }
}

interface WeekAbove {
  readonly column: Column
  readonly text: string
  readonly cell: string
  readonly says: string
}

/** The week that stands above the headings, where no column says it: it is that of all rows. */
function weekAbove(
  type: RecordType,
  columns: readonly Column[],
  { top, headingRow }: TableSurvey,
  today: string,
): WeekAbove | undefined {
  const isFilled = (path: string) => columns.some(({ fills }) => fills?.path === path)
  if (isFilled('endDate') || isFilled('startDate')) return undefined
  for (const { row, cells } of top.filter((each) => each.row < headingRow)) {
    for (const [at, cell] of cells.entries()) {
      const [, letter = '', word = '', rest = ''] = weekLabel.exec(cell.trim()) ?? []
      if (!weekLabel.test(cell.trim())) continue
      const [text = ''] = [rest, ...cells.slice(at + 1)]
        .map((each) => each.trim())
        .filter((each) => each !== '')
      const path =
        /^(?:c|commenc|start|begin)/i.test(letter + word) && !/^e/i.test(letter) ? 'startDate' : 'endDate'
      const fills = targetAt(type, path)
      if (!fills || !('date' in readDate(text, { today, order: 'dmy' }))) continue
      const place = columnLetters(at) + row
      const label = headingFor(type, path)
      const says = `${place} says ${cell.trim()}${rest === '' ? ` ${text}` : ''}: it is the week of all rows`
      return { column: { name: label, place: `cell ${place} (${label})`, fills }, text, cell: place, says }
    }
  }
  return undefined
}

/** What the dates of the columns show, with that of the week above. */
function withDate({ dates }: TableSurvey, at: number, { text, cell }: WeekAbove): TableSurvey['dates'] {
  const kind = dateKindOf(text)
  const all = [...dates]
  while (all.length <= at) all.push({})
  return kind ? all.with(at, { [kind]: { cell, text } }) : all
}

/** What the file shows wins; else it is asked; the order of an earlier file is used only where there is no terminal to ask at. */
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
  const { order, by, unclear } = orderShown(columns, survey)
  if (unclear.length === 0) return { dateFormat: order ?? before, remarks: [] }
  if (order && by) {
    return { dateFormat: order, remarks: [orderRemark(order, unclear, `as ${placeName(by)} shows`, today)] }
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

/** As many headings are named. */
const mostNamed = 3

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
  const found = betterHeadings(type, here, below)
  if (found) {
    const { row, cells } = found
    const names = cells.slice(0, mostNamed).map((cell) => cell.replace(/\s+/g, ' ').trim().slice(0, 40))
    throw invalidInput(
      `The headings seem to be in row ${row} (${names.join(', ')}${cells.length > mostNamed ? ', …' : ''}).`,
      [],
      `If they are, add --heading-row ${row}: what is above them is left out.`,
    )
  }
  if (isWhole) throw invalidInput('The file has no columns.', [])
}

/**
 * The column that has the whole names, where none has the rest of them: to take it for the forename would create people
 * without a surname. A forename may be two words itself, under a heading that says that it is one.
 */
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
  return columns.find((column, at) => {
    const isAsked = unmatched.some(
      (each) => each.at === at && parts.every((path) => each.choices.includes(path)),
    )
    if (named.length === 0 ? !isAsked : column !== named[0]) return false
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
