import type { Issue } from '../../errors.ts'
import { fieldAtPlace } from '../../model/fields/field-tree.ts'
import { isBlank, type RecordType } from '../../model/records/record-type.ts'
import { checkRecord } from '../../model/resources/check-record.ts'
import { leftExamples } from '../../model/standards/sample.ts'
import { warnings } from '../../model/standards/warnings.ts'
import type { DateOrder } from '../../model/values/date-order.ts'
import { beginsHelp, fieldHelp } from '../../model/values/explanation.ts'
import type { HourRate } from '../../model/values/hour-headings.ts'
import { type Implied, impliedValue, splitImplied } from '../../model/values/implied-values.ts'
import type { ServiceWords } from '../../model/values/read-code.ts'
import type { PlacedValue } from '../../model/values/read-record.ts'
import { nameSome } from '../../text/words.ts'
import { columnLetters } from '../formats/column-letters.ts'
import { isObject, type Json, type JsonObject, lastName, recordBuilder, valueAt } from '../json/path.ts'
import type { Column, TableRow } from './column.ts'
import { columnFinder, countNames, type FindColumn } from './file-columns.ts'
import { rowDigest } from './fingerprint.ts'
import { cellReader, type ReadCell } from './read-cell.ts'
import {
  clearsNoLine,
  clearsNothing,
  type FileRow,
  isClear,
  leftToService,
  type RowIssue,
  rowWith,
} from './row.ts'
import { inColumn, type SourceOptions } from './row-source.ts'
import type { TableSurvey } from './survey-table.ts'

interface TableOptions {
  readonly given: SourceOptions
  readonly survey: TableSurvey
  /** Those of the file, and behind them others that are made of their cells. */
  readonly columns: readonly Column[]
  /** Rows between the others or below them that are not records. */
  readonly skipped: ReadonlySet<number>
  readonly dateFormat: DateOrder | undefined
  readonly serviceWords: ServiceWords | undefined
}

/** The rows below the header, as records. Those that are not records are skipped, but counted. */
export async function* tableRows(
  rows: AsyncIterable<TableRow>,
  options: TableOptions,
  isWanted?: (row: number) => boolean,
): AsyncGenerator<FileRow> {
  const { survey, skipped } = options
  const table = startTable(options)
  for await (const each of rows) {
    if (each.row <= survey.headingRow || skipped.has(each.row) || isWanted?.(each.row) === false) continue
    if (isEmptyRow(each) || isHelpLine(each, table)) continue
    yield asSheetRow(each, table)
  }
}

interface Table {
  readonly options: TableOptions
  readonly find: FindColumn
  readonly lines: readonly (readonly string[])[]
  readonly columns: readonly CellColumn[]
  /** The cells that rejected rows have beside those of the file. */
  readonly kept: readonly NonNullable<Column['make']>[]
  /** Values beside that of a column which no column has, such as the rate of its hours. */
  readonly beside: readonly {
    readonly column: number
    readonly segments: readonly string[]
    readonly value: Json
  }[]
  /** Makes the record of the values of the columns, and of what stands beside them. */
  readonly build: (values: readonly Json[]) => JsonObject
}

interface CellColumn extends Column {
  /** Undefined where it fills nothing. */
  readonly read?: ReadCell | undefined
  /** Reads what only the service sets. */
  readonly readOwned: (cell: string) => Json
  readonly isId: boolean
  readonly isNameless: boolean
  /** What stands below its heading in a workbook of `template`. */
  readonly help: string
}

function startTable(options: TableOptions): Table {
  const { given, survey, columns, dateFormat, serviceWords } = options
  const find = columnFinder(columns)
  const { semicolons } = survey
  const reading = { ...given, currency: given.type.currency, dateFormat, semicolons, serviceWords }
  const beside = columns.flatMap(({ fills }, column) =>
    Object.entries(paidBeside(fills?.paid)).map(([name, value]) => ({
      column,
      segments: [...(fills?.segments.slice(0, -1) ?? []), name],
      value,
    })),
  )
  return {
    options,
    find,
    lines: lineLists(columns),
    kept: columns.flatMap(({ make, isKept }) => (make && isKept ? [make] : [])),
    columns: columns.map((column) => ({
      ...column,
      read: column.fills && cellReader(column.fills.field, reading),
      readOwned: ownedReader(given.type, column, reading),
      isId: column.name.trim().toLowerCase() === 'id',
      isNameless: isBlank(column.name),
      help: column.fills ? fieldHelp(column.fills.field) : '',
    })),
    beside,
    build: recordBuilder([
      ...columns.map(({ fills }) => fills?.segments),
      ...beside.map(({ segments }) => segments),
    ]),
  }
}

/** Reads a cell of a field that only an answer has: as it stands, where it cannot be read as one. */
function ownedReader({ answer }: RecordType, { owned }: Column, options: Parameters<typeof cellReader>[1]) {
  const field = answer && owned && fieldAtPlace(answer.type.fields, owned)
  const read = field && cellReader(field, options)
  return (cell: string): Json => read?.(cell).value ?? cell.trim()
}

const isEmptyRow = ({ cells, flaws, problem }: TableRow) =>
  problem === undefined && (flaws?.size ?? 0) === 0 && cells.every(isBlank)

/** The cells of one row, read. */
interface RowReading {
  /** By column. */
  readonly values: Json[]
  readonly issues: RowIssue[]
  readonly doubts: RowIssue[]
  /** The rules by which cells were read. */
  readonly notes: RowIssue[]
  /** What cells say of fields beside theirs. */
  readonly implied: { readonly at: number; readonly implied: Implied }[]
  readonly cleared: string[]
  readonly currencies: Map<string, string>
  /** What only the service sets. */
  readonly owned: PlacedValue[]
  givenId: string | undefined
}

function readCells(row: TableRow, table: Table): RowReading {
  const { options, columns } = table
  const { cells, dates, flaws } = row
  const { given, survey } = options
  const width = survey.header.length
  const reading: RowReading = {
    values: [],
    issues: flawsOfRow(row, table).map((message) => ({ path: '', message })),
    doubts: [],
    notes: [],
    implied: [],
    cleared: [],
    currencies: new Map(),
    owned: [],
    givenId: undefined,
  }
  const say = (to: RowIssue[], at: number, message: string | undefined) => {
    const { fills, place } = columns[at] as CellColumn
    if (message !== undefined)
      to.push({ path: fills?.path ?? '', message: `${place}: ${message}`, column: at })
  }
  for (let at = 0; at < columns.length; at++) {
    const { place, fills, read, make, isId, owned, readOwned, isNameless } = columns[at] as CellColumn
    const madeCell = make?.(row)
    const text = madeCell?.cell ?? cells[at] ?? ''
    const cell = isHelp(text, columns[at]) ? '' : text
    if (!fills || !read) {
      if (isId && !isBlank(cell)) reading.givenId ??= cell.trim()
      if (owned && !isBlank(cell)) reading.owned.push({ at: owned, value: readOwned(cell) })
      if (isNameless && (flaws?.has(at) || !isBlank(cell)))
        reading.issues.push({
          path: '',
          message: `${place} has no name, but it contains a value`,
          column: at,
        })
      continue
    }
    const { path } = fills
    const isCleared = isClear(cell)
    const flaw =
      flaws?.get(at) ??
      madeCell?.flaw ??
      mergedFlaw(given.type, path, at, row.mergedWith?.get(at)) ??
      (isCleared ? whyNotCleared(given, path) : undefined)
    say(reading.issues, at, flaw)
    if (flaw !== undefined) continue
    say(reading.doubts, at, madeCell?.doubt)
    if (isCleared) {
      reading.cleared.push(path)
      continue
    }
    const { value, issue, warning, note, rule, kind, currency } = read(cell, dates?.has(at))
    if (issue !== undefined && !holdsARow(cell, width)) say(reading.issues, at, issue)
    say(reading.doubts, at, warning)
    say(reading.doubts, at, note)
    say(reading.notes, at, rule)
    if (currency !== undefined) reading.currencies.set(path, currency)
    const parts = splitImplied(fills.field, value, kind)
    reading.values[at] = parts.value
    if (parts.implied) reading.implied.push({ at, implied: parts.implied })
  }
  return reading
}

function asSheetRow(each: TableRow, table: Table): FileRow {
  const { find, columns, beside, kept } = table
  const { type, today, facts, clears } = table.options.given
  const { values, issues, doubts, notes, implied, cleared, currencies, owned, givenId } = readCells(
    each,
    table,
  )
  for (const [at, { column, value }] of beside.entries())
    if (values[column] !== undefined) values[columns.length + at] = value
  const record = table.build(values)
  const leftOut = leftToService(owned, clears)
  const places = closeLines(record, table.lines)
  // A row may have overtime alone, which is the second line of its hours.
  const lines = type.lines && record[type.lines.path]
  if (Array.isArray(lines)) for (const at of lines.keys()) lines[at] ??= {}
  for (const { at, implied: part } of implied) {
    const { fills, place } = columns[at] as CellColumn
    const impliedField = impliedValue(type, fills?.segments ?? [], part, { record, given: record })
    if (!impliedField) continue
    const { path, value, note, flaw } = impliedField
    const section = valueAt(record, path.split('.').slice(0, -1))
    if (value !== undefined && isObject(section)) section[lastName(path)] = value
    const other = find(path)
    if (flaw !== undefined)
      issues.push({
        path,
        message: `${other?.place ?? place}: ${flaw}`,
        column: other?.column ?? at,
        isBesideOther: true,
      })
    // How a code is written is the same in many rows.
    else ('kind' in part ? doubts : notes).push({ path, message: `${place}: ${note}`, column: at })
  }
  // A line that closed up over an empty cell stands in a later column.
  const columnFor = (path: string) =>
    find(path.replace(/^(.*)\[(\d+)\]$/, (_, list, at) => `${list}[${places.get(list)?.[at] ?? at}]`))
  const withColumn = <T extends Issue>(issue: T) => inColumn({ columnFor }, issue)
  return rowWith(
    {
      row: each.row,
      original: kept.length === 0 ? each.cells : [...each.cells, ...kept.map((make) => make(each).cell)],
      record,
      givenId,
      ...leftOut,
      notes: [...notes, ...leftOut.notes],
      cleared: cleared.length > 0 ? cleared : undefined,
      places: places.size > 0 ? places : undefined,
      currencies: currencies.size > 0 ? currencies : undefined,
    },
    {
      issues() {
        const ruledOut = [...checkRecord(type, record), ...leftExamples(type, record)]
        const pathsWithIssues = new Set(issues.map(({ path }) => path))
        return [...issues, ...ruledOut.filter(({ path }) => !pathsWithIssues.has(path)).map(withColumn)]
      },
      warnings: () => [...doubts, ...warnings(type, record, today, facts).map(withColumn)],
      digest: () => rowDigest(JSON.stringify(each.cells)),
    },
  )
}

/** The fields beside hours that are paid at a rate of their own. */
const paidBeside = (hourRate: HourRate | undefined) =>
  hourRate !== undefined && 'code' in hourRate ? { rateId: hourRate.code } : (hourRate ?? {})

/** Why `[clear]` in a cell does not empty its field; undefined where it does. */
function whyNotCleared({ type: { lines }, clears }: SourceOptions, path: string): string | undefined {
  if (!clears) return clearsNothing
  return lines && path.startsWith(`${lines.path}[`) ? clearsNoLine(path) : undefined
}

/** The flaw of a cell that is merged with another, but where it says for several rows whose lines they are: that adds up nothing twice. */
function mergedFlaw({ lines }: RecordType, path: string, at: number, other: string | undefined) {
  const isOfRowsBelow =
    lines && !path.startsWith(`${lines.path}[`) && /^[A-Z]+/.exec(other ?? '')?.[0] === columnLetters(at)
  return other === undefined || isOfRowsBelow
    ? undefined
    : `the cell is merged with ${other}, which alone has the value: unmerge the cells and fill in each of them`
}

/** What is wrong with a row as a whole. */
function flawsOfRow({ row, cells, problem }: TableRow, { options, columns }: Table): string[] {
  const { header, headingRow } = options.survey
  const width = header.length
  if (problem !== undefined) return [problem]
  if (cells.length < width || !cells.slice(width).every(isBlank))
    return [
      `the row has ${cells.length} cells, and the header ${width}: ` +
        'a comma (or what else divides the cells) or a quotation mark is missing, or there is one too many',
    ]
  const swallowed = cells.findIndex((cell) => holdsARow(cell, width))
  if (swallowed >= 0) {
    const place = columns[swallowed]?.place ?? 'a cell'
    return [`${place} holds what looks like a whole row: a quotation mark is probably missing`]
  }
  const helped = columns.filter((column, at) => isHelp(cells[at] ?? '', column)).map(({ place }) => place)
  if (helped.length > 0)
    return [
      `the help of the template still stands in ${nameSome(helped, 2)}: delete the row, or empty these cells`,
    ]
  const names = row === headingRow + 1 ? countNames(options.given.type, cells) : 0
  const cellCount = cells.filter((cell) => !isBlank(cell)).length
  return names > 2 && names > cellCount / 2 ? ['this is a second row of names: delete it'] : []
}

/** Whether a line in a cell has as many delimiters as a row, which a missing quotation mark swallowed. */
function holdsARow(cell: string, width: number): boolean {
  if (width < 4 || !(cell.includes('\n') || cell.includes('\r'))) return false
  return cell.split(/\r\n|\r|\n/).some((line) => (line.match(/[,;\t|]/g)?.length ?? 0) >= width - 1)
}

/** Whether a cell has the help of a workbook of `template` in it. */
const isHelp = (cell: string, { help }: Pick<CellColumn, 'help'> = { help: '' }) =>
  beginsHelp(cell) || (help !== '' && cell.length >= help.length && cell.trim() === help)

/** Whether a row has nothing but that help. Sorting the sheet moves it among the others. */
const isHelpLine = ({ cells }: TableRow, { columns }: Table) =>
  cells.every((cell, at) => isBlank(cell) || isHelp(cell, columns[at])) &&
  cells.some((cell, at) => isHelp(cell, columns[at]))

/** The lists whose values are lines, such as those of an address: they close up over empty cells. */
function lineLists(columns: readonly Column[]): readonly (readonly string[])[] {
  const lists = columns.flatMap(({ fills }) => (fills?.isLine ? [fills.segments.slice(0, -1)] : []))
  return [...new Map(lists.map((place) => [place.join('.'), place])).values()]
}

/** Closes up the lines of a record. Returns the places that they had, by the path of their list. */
function closeLines(record: JsonObject, lists: Table['lines']): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, readonly number[]>()
  for (const segments of lists) {
    const list = valueAt(record, segments)
    if (!Array.isArray(list)) continue
    const filled = [...list.keys()].filter((at) => at in list)
    places.set(segments.join('.'), filled)
    list.splice(0, list.length, ...filled.map((at) => list[at]))
  }
  return places
}
