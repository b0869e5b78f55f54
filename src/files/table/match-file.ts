import { Failure, type Issue, invalidInput, usage } from '../../errors.ts'
import { normalizeName } from '../../model/fields/labels.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { onlyElsewhere } from '../../model/resources/country-candidates.ts'
import type { DateOrder } from '../../model/values/date-order.ts'
import { guessHeading, headingFor, readHeading } from '../../model/values/find-field.ts'
import { readHourHeading } from '../../model/values/hour-headings.ts'
import { nameSome, wordList } from '../../text/words.ts'
import { encodingOfExcel, lostLetters, readAsExcelSaves, unreadableLetter } from '../formats/text-encoding.ts'
import type { Column, ColumnMap, FileColumns, UnmatchedColumn } from './column.ts'
import { describeCell, findDateOrder, orderRemark, unclearOrder } from './date-order.ts'
import { addDays } from './day-columns.ts'
import { columnsOf, shownName } from './file-columns.ts'
import type { Matching, MatchingHelp, SourceOptions } from './row-source.ts'
import { betterHeadings } from './sheet-layout.ts'
import type { TableSurvey } from './survey-table.ts'
import { findWeeks, withDates } from './week-rows.ts'
import { nameOrders } from './whole-names.ts'

/** Settles the field of each column, and the date order. Throws exit 3 with everything left open. */
export async function matchFile(
  survey: TableSurvey,
  { type, help, ignoreColumn: ignored = [], ...given }: SourceOptions,
  earlierMatching: Matching | undefined,
) {
  const { header } = survey
  const unknown = ignored.find((name) => !header.some((each) => normalizeName(each) === normalizeName(name)))
  if (unknown !== undefined)
    throw usage(
      `No column is called ${unknown}.`,
      `The columns are: ${header.filter((name) => name.trim() !== '').join(', ')}.`,
    )
  const firstMap = { ...earlierMatching?.map, ...Object.fromEntries(ignored.map((name) => [name, null])) }
  const { map, found } = await settleColumns(type, survey, { help, dateFormat: given.dateFormat }, firstMap)
  const week = findWeeks(type, found.columns, survey, given.today)
  // Right after those of the file, as in a row of a file of rejected rows.
  const withWeek = week ? [...found.columns, week.column] : found.columns
  const all = { ...found, columns: withWeek }
  const withDays = addDays(type, all, survey, map)
  const columns = withDays?.columns ?? withWeek
  const dated = week ? { ...survey, dates: withDates(survey, found.columns.length, week.weeks) } : survey
  const { dateFormat, remarks } = given.dateFormat
    ? { dateFormat: given.dateFormat, remarks: [] }
    : await settleOrder(columns, dated, { help, today: given.today }, earlierMatching?.dateFormat)
  // What a later file with this header may be read by.
  const matching: Matching = {
    map: Object.keys(map).length > 0 ? map : undefined,
    dateFormat,
    encoding: given.encoding ?? earlierMatching?.encoding,
  }
  return {
    columns,
    matching,
    /** The rows that say nothing but the week of the rows below them. */
    weekRows: week?.weeks.map(({ row }) => row) ?? [],
    doubts: withDays ? [{ row: 0, message: withDays.doubt }] : [],
    remarks: [...(week?.says ?? []), ...remarks],
  }
}

/** The columns as the map says, and as a person adds to it. Throws exit 3 with everything left open. */
async function settleColumns(
  type: RecordType,
  survey: TableSurvey,
  { help, dateFormat }: Pick<SourceOptions, 'help' | 'dateFormat'>,
  first: ColumnMap,
): Promise<{ readonly map: ColumnMap; readonly found: FileColumns }> {
  for (let map = first; ; ) {
    const fileColumns = columnsOf(type, survey, map)
    if (map === first) {
      assertLetters(fileColumns)
      assertNoWords(type, fileColumns, survey)
      assertHeader(type, fileColumns, survey)
    }
    if (fileColumns.unmatched.length + fileColumns.issues.length === 0) return { map, found: fileColumns }
    if (fileColumns.issues.length > 0 || !help?.matchColumns)
      throw unmatchedFailure(type, fileColumns, { headingRow: survey.headingRow, help })
    // Dates of both orders would stop the import when its columns were answered for.
    if (dateFormat === undefined) findDateOrder(fileColumns.columns, survey)
    const isPaid = fileColumns.unmatched.some(({ of }) => of === 'hours')
    const rates = isPaid ? await help.rates?.() : undefined
    map = { ...map, ...(await help.matchColumns(fileColumns, survey, rates ?? [])) }
  }
}

/** The order of the dates, as the file shows it; else it is asked; that of an earlier file only where there is no terminal. */
async function settleOrder(
  columns: readonly Column[],
  survey: TableSurvey,
  { help, today }: Pick<SourceOptions, 'help' | 'today'>,
  before: DateOrder | undefined,
) {
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
    throw new Failure(
      'input',
      `The headings seem to be in row ${row} (${nameSome(cells.map(shownName), 3)}).`,
      {
        outcome: 'not-sent',
        hint: `If they are, add --heading-row ${row}: what is above them is left out.`,
        adds: ['--heading-row', String(row)],
      },
    )
  }
  if (isWhole) throw invalidInput('The file has no columns.', [])
}

/** Throws a Failure (exit 3) where a heading that is not known has a letter that could not be read. */
function assertLetters({ unmatched }: FileColumns): void {
  const lost = unmatched.filter(({ column }) => column.name.includes(unreadableLetter))
  if (lost.length === 0) return
  const issues = lost.map(({ column }) => ({ path: column.place, message: lostLetters }))
  throw invalidInput('The headings cannot be read.', issues, `${readAsExcelSaves}:`).with({
    adds: encodingOfExcel,
  })
}

/** Throws a Failure (exit 3) for the workbook of a list: its lines are words, of which their codes cannot be read back. */
function assertNoWords({ lines }: RecordType, { columns }: FileColumns, { examples }: TableSurvey): void {
  const at = columns.findIndex(({ fills }) => lines !== undefined && fills?.path === lines.path)
  if (!examples[at]?.some((value) => /^-?\d.* = -?\d/.test(value))) return
  throw invalidInput(
    `This is a list to be read: ${columns[at]?.place} has the lines of each record in words.`,
    [],
    'To change them in a sheet and import that: payroll timesheets export --out week.xlsx',
  )
}

/** The labels of the fields that a column may mean, the likeliest first. */
export function suggestionsFor(type: RecordType, { column, choices }: UnmatchedColumn): readonly string[] {
  const paths = choices.length > 0 ? choices : guessHeading(type, column.name)
  return paths.map((path) => headingFor(type, path))
}

/** A file with more unknown columns is not a list of people: their meanings are not worked out. */
const mostMatched = 100

/** The failure for columns that are not matched yet, all at once, with a map to fill in where nobody is asked. */
function unmatchedFailure(
  type: RecordType,
  { unmatched: open, issues }: FileColumns,
  { headingRow, help }: { readonly headingRow: number; readonly help: MatchingHelp | undefined },
): Failure {
  const unmatched = help?.matchColumns ? [] : open
  const isList = unmatched.length <= mostMatched
  const openIssues = isList
    ? unmatched.map((each) => columnIssue(type, each))
    : unmatched.map(({ column }) => ({ path: column.place, message: 'no field has this heading' }))
  const allIssues = [...openIssues, ...issues]
  // A guess in it would be taken.
  const map = Object.fromEntries(unmatched.map(({ column }) => [column.name, '?']))
  const count = allIssues.length === 1 ? 'One column' : `${allIssues.length} columns`
  const message = `${count} of row ${headingRow} cannot be used.`
  const header = 'To print a header to fill in: payroll template <record> -o csv'
  const inSheet =
    help?.mapFile === undefined
      ? 'Give each column a heading of its own in the sheet, in one row, and run the command again.'
      : `Put that right in the headings of the sheet or in ${help.mapFile}, and run the command again.`
  const inMap = `Save this as columns.json, with a field for each column or null for "do not import", and add --map columns.json: ${JSON.stringify(map)}`
  const ways = isList
    ? [...(issues.length > 0 ? [inSheet] : []), ...(unmatched.length > 0 ? [inMap] : [])]
    : [header]
  return invalidInput(message, allIssues, ways.join(' '))
}

function columnIssue(type: RecordType, each: UnmatchedColumn): Issue {
  const { column, choices, sameAs, of } = each
  const path = column.place
  if (of === 'names') {
    const ways = wordList(
      Object.values(nameOrders).map((order) => JSON.stringify(order)),
      'or',
    )
    return { path, message: `has the whole name: a map says ${ways}, as it is written` }
  }
  if (of === 'hours') {
    const ways =
      'Hours at <rate code>, Hours at x1.5 (of the basic rate), or Hours 2 beside Pay rate 2 for the column of its rate'
    return { path, message: `hours at which rate? A map says ${ways}` }
  }
  if (sameAs) return { path, message: `fills the same field as ${sameAs.place}` }
  const labels = suggestionsFor(type, each)
  if (choices.length > 0) return { path, message: `can mean ${wordList(labels, 'or')}: say which` }
  const message = onlyElsewhere(type, (other) => readHeading(other, column.name).path !== undefined)
  if (message !== undefined) return { path, message }
  if (type.lines && readHourHeading(column.name)?.measure !== undefined)
    return { path, message: 'another column has these hours, or their rate, already' }
  const suggestion = labels.length === 0 ? '' : `: did you mean ${wordList(labels, 'or')}?`
  return { path, message: `no field has this heading${suggestion}` }
}
