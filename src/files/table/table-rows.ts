import type { Issue } from '../../errors.ts'
import type { Facts } from '../../model/facts/facts.ts'
import { check } from '../../model/fields/check.ts'
import type { Kind } from '../../model/fields/field.ts'
import { leftExamples } from '../../model/fields/sample.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { splitTaxCode } from '../../model/standards/tax-code.ts'
import { warnings } from '../../model/standards/warnings.ts'
import type { DateOrder } from '../../model/values/date-formats.ts'
import { helpMark, helpText } from '../../model/values/explanation.ts'
import { valueOfKind, withoutDay } from '../../model/values/fill-kind.ts'
import type { SeenWords } from '../../model/values/read-code.ts'
import { amountIn, currencyIn, hoursIn } from '../../model/values/read-value.ts'
import { columnLetters } from '../formats/column-letters.ts'
import { isIndex, isObject, type Json, type JsonObject, valueAt } from '../json/path.ts'
import {
  type Column,
  columnFinder,
  type FindColumn,
  nameOrders,
  namesIn,
  type WholeNames,
} from './file-columns.ts'
import { digestOf } from './fingerprint.ts'
import type { WeekRow } from './match-file.ts'
import { type CellOptions, readCell } from './read-cell.ts'
import { clearsNothing, isClear, LazyRow, type Row, type RowIssue } from './row.ts'
import type { Layout } from './survey-table.ts'

/** One row of a table, as written in the file. */
export interface TableRow {
  readonly row: number
  readonly cells: readonly string[]
  /** The cells that the spreadsheet has as dates. */
  readonly dates?: ReadonlySet<number>
  /** The cells with a formula whose value was never computed. */
  readonly uncomputed?: ReadonlySet<number>
  /** In a workbook: the cells that are merged with another one, by column, which has the value of all of them: C2. */
  readonly mergedWith?: ReadonlyMap<number, string>
  /** In a workbook: the first column with a value to the right of the header. */
  readonly beyond?: number
  /** The cells as they stand in the file, where a name was taken apart. */
  readonly written?: readonly string[]
  /** By column, why what stands there cannot be used, or is doubtful. */
  readonly flaws?: ReadonlyMap<number, string>
  readonly doubts?: ReadonlyMap<number, string>
}

interface TableOptions {
  readonly type: RecordType
  /** YYYY-MM-DD */
  readonly today: string
  readonly facts: Facts
  readonly dateFormat?: DateOrder | undefined
  /** Whether semicolons separate the cells. */
  readonly semicolons?: boolean
  /** Whether a person is asked about what is doubtful. */
  readonly asks?: boolean
  /** Whether `[clear]` in a cell empties a field. */
  readonly clears?: boolean
  /** The words that this service has. */
  readonly seen?: SeenWords | undefined
  readonly layout: Layout
  readonly wholeNames?: WholeNames | undefined
  /** The columns whose sum goes behind the cells of the file, as hours. */
  readonly addedUp?: readonly number[] | undefined
  /** The weeks that stand in rows of their own: each goes behind the cells of the rows below it. */
  readonly weeks?: readonly WeekRow[] | undefined
}

/** The rows below the header, as records. Empty rows and a total are skipped, but counted. */
export async function* tableRows(
  rows: AsyncIterable<TableRow> | Iterable<TableRow>,
  columns: readonly Column[],
  options: TableOptions,
): AsyncGenerator<Row> {
  const find = columnFinder(columns)
  const table: Table = {
    columns,
    options,
    find,
    splitCodes: codeSplitter(columns, find),
    start: recordFiller(columns),
    ...cellOptions(options),
  }
  const { layout, wholeNames, weeks = [], addedUp = [], semicolons = false } = options
  const { headingRow, totalRow, left } = layout
  const weekRows = new Set(weeks.map(({ row }) => row))
  for await (const written of rows) {
    if (weekRows.has(written.row)) continue
    if (written.row <= headingRow || written.row === totalRow || left?.has(written.row)) continue
    const apart = wholeNames ? withNameApart(written, wholeNames) : written
    const isData = !isEmpty(apart) && helpLineIn(apart, table) !== 'whole'
    if (!isData) continue
    const added = addedUp.length === 0 ? apart : withSum(apart, addedUp, semicolons)
    yield recordOf(weeks.length === 0 ? added : withCell(added, weekAt(weeks, apart.row)), table)
  }
}

/** A row with the sum of the hours in these cells behind the others: days without any are left empty. */
function withSum(row: TableRow, places: readonly number[], semicolons: boolean): TableRow {
  const filled = places.filter((at) => (row.cells[at] ?? '').trim() !== '')
  const amounts = filled.map((at) => hoursOf(row.cells[at] ?? '', semicolons))
  const sum = amounts.reduce<number>((all, each) => all + (each ?? 0), 0)
  const wrong = filled[amounts.indexOf(undefined)]
  const flaw = wrong === undefined ? undefined : `${columnLetters(wrong)}${row.row} is no number of hours`
  return {
    ...row,
    written: row.written ?? row.cells,
    cells: [...row.cells, filled.length === 0 ? '' : String(Number(sum.toFixed(4)))],
    ...(flaw !== undefined && { flaws: new Map([[row.cells.length, flaw]]) }),
  }
}

function hoursOf(cell: string, semicolons: boolean): number | undefined {
  const digits = amountIn(cell, semicolons) ?? hoursIn(cell.trim())?.digits
  return digits === undefined ? undefined : Number(digits)
}

/** A row with one more cell, which a file of rejected rows has too. */
const withCell = (row: TableRow, cell: string): TableRow => ({
  ...row,
  written: [...(row.written ?? row.cells), cell],
  cells: [...row.cells, cell],
})

const weekAt = (weeks: readonly WeekRow[], row: number) =>
  weeks.findLast((each) => each.row < row)?.text ?? ''

/** A title that people write before a name. */
const titles = /^(mr|mrs|miss|ms|mx|dr|prof|professor|rev|reverend|sir|dame|lord|lady)\.?\s+(?=\S)/i

/** A whole name in its parts: a comma parts surname and forename, else the first word is the forename. */
export function namePartsIn(whole: string): { title: string; forename: string; surname: string } {
  const [, first = '', behind = ''] = /^([^,]*[^,\s])\s*,\s*([^,]*[^,\s])$/.exec(whole) ?? []
  const title = (titles.exec(whole) ?? titles.exec(behind))?.[1] ?? ''
  const shown = title && title.charAt(0).toUpperCase() + title.slice(1).toLowerCase()
  const bare = (text: string) => text.replace(titles, '')
  if (first !== '') return { title: shown, forename: bare(behind), surname: bare(first) }
  const [forename = '', ...rest] = bare(whole).split(' ')
  return { title: shown, forename, surname: rest.join(' ') }
}

/** The row with the surname in the place of the whole name, and forename and title behind all other cells. */
function withNameApart(row: TableRow, { at, order, hasTitle }: WholeNames): TableRow {
  const { cells } = row
  const each: TableRow = { ...row, written: cells }
  const whole = (cells[at] ?? '').replace(/\s+/g, ' ').trim()
  const behind = (forename: string, title = '') => (hasTitle ? [forename, title] : [forename])
  if (whole === '' || isClear(whole) || at >= cells.length)
    return { ...each, cells: [...cells, ...behind('')] }
  const { title, forename, surname } = namePartsIn(whole)
  if (surname === '' || whole.split(',').length > 2) {
    const flaw =
      order === 'surnameFirst'
        ? `expected a surname, a comma and a forename, as ${nameOrders[order]}`
        : `expected a forename, a blank and a surname, as ${nameOrders[order]}`
    return { ...each, cells: [...cells, ...behind('')], flaws: new Map([[at, flaw]]) }
  }
  // The comma says it, whatever the other rows have.
  const isSure = whole.includes(',') || (order === 'forenameFirst' && !surname.includes(' '))
  const doubt = isSure ? undefined : `read as the forename ${forename} and the surname ${surname}`
  return {
    ...each,
    cells: [...cells.with(at, surname), ...behind(forename, title)],
    ...(doubt !== undefined && { doubts: new Map([[at, doubt]]) }),
  }
}

/** What all rows have in common, worked out once. */
interface Table {
  readonly columns: readonly Column[]
  readonly options: TableOptions
  readonly find: FindColumn
  readonly splitCodes: SplitCodes
  readonly start: ReturnType<typeof recordFiller>
  /** How a cell is read, and one that the spreadsheet has as a date. */
  readonly asText: CellOptions
  readonly asDate: CellOptions
}

function cellOptions(
  { dateFormat, semicolons = false, asks = false, today, seen, type: { currency } }: TableOptions,
  more: Partial<CellOptions> = {},
): Pick<Table, 'asText' | 'asDate'> {
  const asText = { dateFormat, semicolons, asks, currency, today, seen, ...more }
  return { asText, asDate: { ...asText, isDate: true } }
}

function isEmpty({ cells, uncomputed, beyond }: TableRow): boolean {
  if (beyond !== undefined || (uncomputed?.size ?? 0) > 0) return false
  return cells.every((cell) => cell.trim() === '')
}

const neverComputed =
  'the formula in this cell was never computed: open the file in Excel or LibreOffice and save it'

const mergedInto = (other: string) =>
  `the cell is merged with ${other}, which alone has the value: unmerge the cells and fill in each of them`

/** Whether a merged cell says for several rows whose lines they are, or of which week: that adds up nothing twice. */
const isOfRowsBelow = ({ lines }: RecordType, path: string, at: number, other: string) =>
  lines !== undefined &&
  !path.startsWith(`${lines.path}[`) &&
  /^[A-Z]+/.exec(other)?.[0] === columnLetters(at)

function recordOf(each: TableRow, table: Table): Row {
  const { columns, options, find, asText, asDate } = table
  const { row, cells, dates, uncomputed, mergedWith } = each
  const { type, today, facts } = options
  const found: RowIssue[] = rowIssues(each, table)
  const doubts: RowIssue[] = []
  const kinds: { readonly at: number; readonly kind: Kind }[] = []
  const cleared: string[] = []
  let givenId: string | undefined
  const currencies = new Map<string, string>()
  const { record, fill, close } = table.start()
  for (let at = 0; at < columns.length; at++) {
    const { place, name, fills } = columns[at] as Column
    const cell = cells[at] ?? ''
    const isUncomputed = uncomputed?.has(at) ?? false
    if (!fills) {
      if (name.trim().toLowerCase() === 'id' && cell.trim() !== '') givenId ??= cell.trim()
      if (name.trim() === '' && (isUncomputed || cell.trim() !== '')) {
        found.push({ path: '', message: `${place} has no name, but it contains a value`, column: at })
      }
      continue
    }
    const { path, field } = fills
    if (isUncomputed) {
      found.push({ path, message: `${place}: ${neverComputed}`, column: at })
      continue
    }
    const other = mergedWith?.get(at)
    if (other !== undefined && !isOfRowsBelow(type, path, at, other)) {
      found.push({ path, message: `${place}: ${mergedInto(other)}`, column: at })
      continue
    }
    const flaw = each.flaws?.get(at)
    if (flaw !== undefined) {
      found.push({ path, message: `${place}: ${flaw}`, column: at })
      continue
    }
    const doubt = each.doubts?.get(at)
    if (doubt !== undefined) doubts.push({ path, message: `${place}: ${doubt}`, column: at })
    if (isClear(cell)) {
      if (options.clears) cleared.push(path)
      else found.push({ path, message: `${place}: ${clearsNothing}`, column: at })
      continue
    }
    const isDate = dates?.has(at) ?? false
    const { value, issue, warning, note, kind } = readCell(field, cell, isDate ? asDate : asText)
    if (issue !== undefined && !holdsARow(cell, columns.length))
      found.push({ path, message: `${place}: ${issue}`, column: at })
    if (warning !== undefined) doubts.push({ path, message: `${place}: ${warning}`, column: at })
    if (note !== undefined) doubts.push({ path, message: `${place}: ${note}`, column: at })
    if (kind) kinds.push({ at, kind })
    if (value !== undefined) fill(at, value)
    const currency = field.type === 'number' || field.type === 'decimal' ? currencyIn(cell) : undefined
    if (currency !== undefined) currencies.set(path, currency)
  }
  const places = close()
  // A row may have overtime alone, which is the second line of its hours.
  const lines = type.lines && record[type.lines.path]
  if (Array.isArray(lines)) for (const at of lines.keys()) lines[at] ??= {}
  for (const { at, kind } of kinds) {
    const { fills, place } = columns[at] as Column
    const meant = valueOfKind(type, fills?.segments ?? [], kind, record)
    const { path, label, value, isGiven } = meant
    if (isGiven) continue
    if (value === undefined) {
      found.push({ path, message: `${place}: ${withoutDay(meant, kind)}`, column: at })
      continue
    }
    const section = valueAt(record, path.split('.').slice(0, -1))
    if (isObject(section)) section[path.split('.').at(-1) ?? ''] = value
    const message = `${place}: ${label} is sent as the start date, because the file does not say it`
    doubts.push({ path, message, column: at })
  }
  const { note, issue } = asText.asWritten ? {} : table.splitCodes(record)
  if (issue) found.push(issue)
  const inColumn = ({ path, message }: Issue): RowIssue => {
    const at = find(path)
    return at ? { path, message: `${at.place}: ${message}`, column: at.column } : { path, message }
  }
  return new LazyRow(
    {
      row,
      original: each.written ?? cells,
      record,
      notes: note ? [note] : [],
      ...(givenId !== undefined && { givenId }),
      ...(cleared.length > 0 && { cleared }),
      ...(places.size > 0 && { places }),
      ...(currencies.size > 0 && { currencies }),
    },
    {
      asWritten: () => recordOf(each, { ...table, ...cellOptions(options, { asWritten: true }) }).record,
      issues() {
        const ruledOut = [...check(type, record), ...leftExamples(type, record)]
        if (found.length === 0) return ruledOut.map(inColumn)
        const known = new Set(found.map(({ path }) => path))
        return [...found, ...ruledOut.filter(({ path }) => !known.has(path)).map(inColumn)]
      },
      warnings: () => [...doubts, ...warnings(type, record, today, facts).map(inColumn)],
      digest: () => digestOf(JSON.stringify(cells)),
    },
  )
}

/** What is wrong with the row as a whole. */
function rowIssues(each: TableRow, table: Table): Issue[] {
  const { row, cells, beyond } = each
  const { columns, options } = table
  const { type, layout } = options
  if (beyond !== undefined) {
    return [
      {
        path: '',
        message: `there is a value in column ${columnLetters(beyond)}, which has no name in row ${layout.headingRow}`,
      },
    ]
  }
  const surplus = cells.slice(columns.length).some((cell) => cell.trim() !== '')
  if (surplus || cells.length < columns.length) {
    return [
      {
        path: '',
        message:
          `the row has ${cells.length} cells, and the header ${columns.length}: ` +
          'a delimiter or a quotation mark is missing, or there is one too many',
      },
    ]
  }
  const swallowed = cells.findIndex((cell) => holdsARow(cell, columns.length))
  if (swallowed >= 0) {
    const place = columns[swallowed]?.place ?? 'a cell'
    return [
      {
        path: '',
        message: `${place} holds what looks like a whole row: a quotation mark is probably missing`,
      },
    ]
  }
  if (helpLineIn(each, table) === 'changed') {
    return [{ path: '', message: 'this is the help line of the template, changed: delete it' }]
  }
  const names = row === layout.headingRow + 1 ? namesIn(type, cells) : 0
  const filled = cells.filter((cell) => cell.trim() !== '').length
  return names > 2 && names > filled / 2
    ? [{ path: '', message: 'this is a second row of names: delete it' }]
    : []
}

/** Whether a line within a cell has as many delimiters as a row: a missing quotation mark swallowed that row. */
function holdsARow(cell: string, width: number): boolean {
  if (width < 4 || !/[\r\n]/.test(cell)) return false
  return cell.split(/\r\n|\r|\n/).some((line) => (line.match(/[,;\t|]/g)?.length ?? 0) >= width - 1)
}

/**
 * Whether a row is the help line of a workbook of `template`: each of its cells is the help of its column. With
 * anything else in it, it is `changed`, and nothing of it is left out in silence.
 */
function helpLineIn(
  { row, cells }: TableRow,
  { columns, options }: Pick<Table, 'columns' | 'options'>,
): 'whole' | 'changed' | undefined {
  if (row !== options.layout.headingRow + 1 || !cells.some((cell) => cell.startsWith(helpMark)))
    return undefined
  const isHelp = cells.every((cell, at) => {
    const field = columns[at]?.fills?.field
    const text = cell.startsWith(helpMark) ? cell.slice(helpMark.length) : cell
    return text.trim() === '' || (field !== undefined && text.trim() === helpText(field))
  })
  return isHelp ? 'whole' : 'changed'
}

/** Puts the value of the column `at` into a record. */
type FillRecord = (at: number, value: Json) => void

/** An object or a list that holds the values of columns. */
interface Holder {
  /** The holder around it; undefined for the record itself. */
  readonly around: number | undefined
  readonly name: string
  readonly isList: boolean
}

interface Target {
  readonly holder: number
  readonly name: string
  readonly isLine: boolean
  /** What is put beside the value. */
  readonly beside?: JsonObject | undefined
}

/**
 * Works out once where the values of each column go. Address lines are in their order, whatever that of the columns, and
 * close up when a cell is empty; in other lists the number in the path is the position.
 */
function recordFiller(columns: readonly Column[]): () => {
  readonly record: JsonObject
  readonly fill: FillRecord
  /** Closes up the lines of an address. Of those with a gap it returns the lines at their places. */
  readonly close: () => ReadonlyMap<Json, readonly Json[]>
} {
  const holders: Holder[] = []
  const known = new Map<string, number>()
  const holderAt = (segments: readonly string[], isList: boolean): number => {
    const path = segments.join('.')
    const before = known.get(path)
    if (before !== undefined) return before
    const around =
      segments.length === 0 ? undefined : holderAt(segments.slice(0, -1), isIndex(segments.at(-1) ?? ''))
    known.set(path, holders.push({ around, name: segments.at(-1) ?? '', isList }) - 1)
    return holders.length - 1
  }
  const targets = columns.map(({ fills }): Target | undefined => {
    if (!fills) return undefined
    const name = fills.segments.at(-1) ?? ''
    const { isLine, paid } = fills
    const beside = paid && ('code' in paid ? { rateId: paid.code } : paid)
    return { holder: holderAt(fills.segments.slice(0, -1), isIndex(name)), name, isLine, beside }
  })
  return () => {
    const record: JsonObject = {}
    const made: (JsonObject | Json[] | undefined)[] = []
    const withLines: Json[][] = []
    const open = (at: number): JsonObject | Json[] => {
      const { around, name, isList } = holders[at] as Holder
      made[at] ??= around === undefined ? record : put(open(around), name, isList ? [] : {})
      return made[at] as JsonObject | Json[]
    }
    return {
      record,
      fill(at, value) {
        const { holder, name, isLine, beside } = targets[at] as Target
        const inside = open(holder)
        put(inside, name, value)
        if (beside) Object.assign(inside, beside)
        if (isLine && Array.isArray(inside) && !withLines.includes(inside)) withLines.push(inside)
      },
      close() {
        const places = new Map<Json, readonly Json[]>()
        for (const list of withLines) {
          const filled = list.filter(() => true)
          if (filled.length === list.length) continue
          places.set(list, [...list])
          list.splice(0, list.length, ...filled)
        }
        return places
      },
    }
  }
}

function put<T extends Json>(holder: JsonObject | Json[], name: string, value: T): T {
  ;(holder as JsonObject)[name] = value
  return value
}

/** What became of a code that stands for two fields: a remark, or an issue if the other field says something else. */
interface SplitCode {
  readonly note?: RowIssue
  readonly issue?: RowIssue
}

/** Puts week 1/month 1, where it stands behind the tax code of a record, into the tax basis beside it, as the form does. */
type SplitCodes = (record: JsonObject) => SplitCode

/** Looks once where a table has tax codes. */
function codeSplitter(columns: readonly Column[], find: FindColumn): SplitCodes {
  const column = columns.findIndex(({ fills }) => fills?.field.standard === 'tax-code')
  const { fills, place } = columns[column] ?? {}
  if (!fills) return () => ({})
  const { path, segments } = fills
  const [above, name] = [segments.slice(0, -1), segments.at(-1) ?? '']
  const basisPath = [...above, 'taxBasis'].join('.')
  return (record) => {
    const section = valueAt(record, above)
    const written = isObject(section) ? section[name] : undefined
    const split = typeof written === 'string' ? splitTaxCode(written) : undefined
    if (!split || !isObject(section)) return {}
    const { taxBasis } = section
    section[name] = split.taxCode
    if (taxBasis === undefined) {
      section.taxBasis = split.taxBasis
      const message = `${place}: W1, M1 or X behind the code is sent as the tax basis ${split.taxBasis}`
      return { note: { path, message, column } }
    }
    if (taxBasis === split.taxBasis) return {}
    const basis = find(basisPath)
    const message = `${basis?.place}: it contradicts the W1, M1 or X behind the code in ${place}`
    return { issue: { path: basisPath, message, ...(basis && { column: basis.column }) } }
  }
}
