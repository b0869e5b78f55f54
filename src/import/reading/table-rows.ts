import { check } from '../../api/contract/fields/check.ts'
import { leftExamples } from '../../api/contract/fields/sample.ts'
import type { RecordType } from '../../api/contract/records/record-type.ts'
import { warnings } from '../../api/contract/standards/warnings.ts'
import type { DateOrder } from '../../api/contract/values/read-date.ts'
import type { Issue } from '../../errors.ts'
import { columnLetters } from '../../formats/column-letters.ts'
import { isIndex, type Json, type JsonObject, parsePath } from '../../json/path.ts'
import { stringifyJson } from '../../json/stringify.ts'
import { digestOf } from '../rows/fingerprint.ts'
import type { Row, RowIssue } from '../rows/row.ts'
import { readCell } from './cells/read-cell.ts'
import { type Column, type ColumnTarget, namesIn } from './columns/file-columns.ts'
import { helpLineIn } from './columns/find-help-line.ts'

/** One row of a table, as written in the file. */
export interface TableRow {
  readonly row: number
  readonly cells: readonly string[]
  /** The cells that the spreadsheet has as dates. */
  readonly dates?: ReadonlySet<number>
  /** The cells with a formula whose value was never computed. */
  readonly uncomputed?: ReadonlySet<number>
  /** In a workbook: the first column with a value to the right of the header. */
  readonly beyond?: number
}

export interface TableOptions {
  readonly type: RecordType
  /** YYYY-MM-DD */
  readonly today: string
  readonly dateFormat?: DateOrder | undefined
  /** Whether semicolons separate the cells. */
  readonly semicolons?: boolean
  /** Leaves codes as they are written in the file, instead of in their standard form. */
  readonly asWritten?: true
}

/** The rows below the header, as records. Empty rows are skipped, but counted. */
export async function* tableRows(
  rows: AsyncIterable<TableRow> | Iterable<TableRow>,
  columns: readonly Column[],
  options: TableOptions,
): AsyncGenerator<Row> {
  for await (const each of rows) {
    const isData = each.row > 1 && !isEmpty(each) && helpLineIn(each.row, each.cells, columns) !== 'whole'
    if (isData) yield recordOf(each, columns, options)
  }
}

function isEmpty({ cells, uncomputed, beyond }: TableRow): boolean {
  if (beyond !== undefined || (uncomputed?.size ?? 0) > 0) return false
  return cells.every((cell) => cell.trim() === '')
}

const neverComputed =
  'the formula in this cell was never computed: open the file in Excel or LibreOffice and save it'

function recordOf(each: TableRow, columns: readonly Column[], options: TableOptions): Row {
  const { row, cells, dates, uncomputed } = each
  const { type, today, dateFormat, semicolons = false, asWritten } = options
  const found: RowIssue[] = rowIssues(each, columns, type)
  const doubts: RowIssue[] = []
  const record: JsonObject = {}
  for (const [at, { place, fills }] of columns.entries()) {
    const cell = cells[at] ?? ''
    const isUncomputed = uncomputed?.has(at) ?? false
    if (!fills) {
      if (isNameless(columns[at]) && (isUncomputed || cell.trim() !== '')) {
        found.push({ path: '', message: `${place} has no name, but it contains a value`, column: at })
      }
      continue
    }
    const { path, field } = fills
    if (isUncomputed) {
      found.push({ path, message: `${place}: ${neverComputed}`, column: at })
      continue
    }
    const isDate = dates?.has(at) ?? false
    const { value, issue, warning } = readCell(field, cell, {
      dateFormat,
      isDate,
      semicolons,
      ...(asWritten && { asWritten }),
    })
    if (issue !== undefined) found.push({ path, message: `${place}: ${issue}`, column: at })
    if (warning !== undefined) doubts.push({ path, message: `${place}: ${warning}`, column: at })
    if (value !== undefined) setValue(record, fills, value)
  }
  // Checked on demand: the second pass over the file sends rows and does not need the issues again.
  return {
    row,
    original: cells,
    record,
    get asWritten() {
      return recordOf(each, columns, { ...options, asWritten: true }).record
    },
    get issues() {
      const known = new Set(found.map(({ path }) => path))
      const ruledOut = [...check(type, record), ...leftExamples(type, record)].filter(
        ({ path }) => !known.has(path),
      )
      return [...found, ...ruledOut.map((issue) => withColumn(issue, columns))]
    },
    get warnings() {
      return [...doubts, ...warnings(type, record, today).map((issue) => withColumn(issue, columns))]
    },
    get digest() {
      return digestOf(stringifyJson(record))
    },
  }
}

const isNameless = (column: Column | undefined) => column?.name.trim() === ''

/**
 * Puts a value at the path of its column. Address lines close up when a cell is empty; in other lists the number in
 * the path is the position.
 */
function setValue(record: JsonObject, { segments, isLine }: ColumnTarget, value: Json): void {
  let here = record
  for (const [at, segment] of segments.slice(0, -1).entries()) {
    // hasOwn, because a map may name any path, even one that every object inherits.
    if (!Object.hasOwn(here, segment)) here[segment] = isIndex(segments[at + 1] ?? '') ? [] : {}
    here = here[segment] as JsonObject
  }
  const last = segments.at(-1) ?? ''
  here[isLine && Array.isArray(here) ? here.length : last] = value
}

/** What is wrong with the row as a whole. */
function rowIssues({ row, cells, beyond }: TableRow, columns: readonly Column[], type: RecordType): Issue[] {
  if (beyond !== undefined) {
    return [
      {
        path: '',
        message: `there is a value in column ${columnLetters(beyond)}, which has no name in row 1`,
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
  if (helpLineIn(row, cells, columns) === 'changed') {
    return [{ path: '', message: 'this is the help line of the template, changed: delete it' }]
  }
  const names = row === 2 ? namesIn(type, cells) : 0
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

/** Adds to a contract issue the column where the value is. */
function withColumn({ path, message }: Issue, columns: readonly Column[]): RowIssue {
  const found = columnFor(columns, path)
  return found ? { path, message: `${found.place}: ${message}`, column: found.column } : { path, message }
}

/** The column that fills the field at a path, or a field above it. */
export function columnFor(
  columns: readonly Column[],
  path: string,
): { readonly column: number; readonly place: string } | undefined {
  const segments = parsePath(path)?.join('.')
  const column = columns.findIndex(({ fills }) => {
    const filled = fills?.segments.join('.')
    return filled !== undefined && (filled === segments || segments?.startsWith(`${filled}.`))
  })
  const place = columns[column]?.place
  return place === undefined ? undefined : { column, place }
}
