import { check } from '../../api/contract/check.ts'
import { formatPath, type Json, type JsonObject, valueAt, withValueAt } from '../../api/contract/path.ts'
import { warnings } from '../../api/contract/standards/warnings.ts'
import { type Issue, invalidInput } from '../../errors.ts'
import type { Row } from '../row.ts'
import { type Cell, readCell } from './cell.ts'
import { columnsOf } from './columns.ts'
import type { SourceOptions } from './source.ts'

/** A line of a table, and its number as a spreadsheet counts. */
export interface Line {
  readonly row: number
  readonly cells: readonly Cell[]
}

/** A table as rows of records: its header, and how a line under it is read. */
export interface Table {
  readonly header: readonly string[]
  /** Undefined for an empty line. */
  read(line: Line): Row | undefined
}

/** Throws a Failure (exit 3) for a header that names no fields. */
export function tableOf(header: readonly string[], options: SourceOptions): Table {
  const { type, map, dateFormat, today } = options
  const columns = columnsOf(header, type, map)
  const width = header.length
  return { header, read }

  function read({ row, cells }: Line): Row | undefined {
    if (cells.every(isBlank)) return undefined
    const issues: Issue[] = []
    if (isHeader(cells)) issues.push({ path: '', message: 'it repeats the header; take it away' })
    else issues.push(...ragged(cells))
    let record: Json = {}
    for (const { at, name, segments, field } of columns) {
      const { value, issue } = readCell(field, cells[at] ?? null, { dateFormat })
      const path = formatPath(segments)
      if (issue)
        issues.push({ path, message: path === name ? issue : `${issue} (column ${at + 1}, ${name})` })
      else if (value !== undefined) record = put(record, segments, value)
    }
    const body = record as JsonObject
    return {
      row,
      original: cells.map(asText),
      record: body,
      // Judged when somebody asks: the second reading of a file sends, and asks no more.
      get issues() {
        return issues.length > 0 ? issues : check(type, body).map(named)
      },
      get warnings() {
        return warnings(type, body, today)
      },
    }
  }

  function named(issue: Issue): Issue {
    const column = columns.find(({ segments }) => formatPath(segments) === issue.path)
    if (!column || column.name === issue.path) return issue
    return { ...issue, message: `${issue.message} (column ${column.at + 1}, ${column.name})` }
  }

  /** Cells without a name above them, or none where there should be some: somewhere a comma is too many. */
  function ragged(cells: readonly Cell[]): Issue[] {
    const extra = cells.findIndex((cell, at) => !isBlank(cell) && (at >= width || header[at]?.trim() === ''))
    if (extra >= 0) {
      return [{ path: '', message: `column ${extra + 1} has a value and no name in the header` }]
    }
    return cells.length < width && cells.length > 0 && !isShort(cells)
      ? [{ path: '', message: `it has ${cells.length} cells, and the header ${width}` }]
      : []
  }

  /** Excel leaves out empty cells at the end of some lines. */
  function isShort(cells: readonly Cell[]): boolean {
    return header.slice(cells.length).every((name) => name.trim() === '')
  }

  function isHeader(cells: readonly Cell[]): boolean {
    return header.every((name, at) => asText(cells[at] ?? null).trim() === name.trim())
  }
}

/** The header of a table that has one. */
export function headerOf(line: Line | undefined): string[] {
  if (!line || line.cells.every(isBlank)) {
    throw invalidInput('The file has no header: its first row is empty. Nothing was sent.', [])
  }
  return line.cells.map(asText)
}

/** An address has no gaps: what is empty above closes up. */
function put(record: Json, segments: readonly string[], value: Json): Json {
  const above = valueAt(record, segments.slice(0, -1))
  const closesUp = Number(segments.at(-1)) > (Array.isArray(above) ? above.length : 0)
  if (!closesUp || typeof value === 'object') return withValueAt(record, segments, value)
  const end = String(Array.isArray(above) ? above.length : 0)
  return withValueAt(record, [...segments.slice(0, -1), end], value)
}

const isBlank = (cell: Cell) =>
  cell === null || (typeof cell === 'string' && cell.replaceAll('\u00A0', ' ').trim() === '')

function asText(cell: Cell): string {
  if (cell === null) return ''
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell)
}
