import type { Field, Fields } from '../../api/contract/fields/field.ts'
import { fieldAt } from '../../api/contract/fields/field-tree.ts'
import { type Json, valueAt } from '../../json/path.ts'
import { cell } from '../text/format-cell.ts'
import { fieldText, isAmount } from '../text/format-field.ts'
import { labelFor } from '../text/label.ts'
import type { Style } from '../text/style.ts'
import { broken, cut, widthOf } from '../text/width.ts'
import { wrapText } from '../text/wrap-text.ts'
import { drawTable } from './draw-table.ts'
import { gap, leastColumn, widthsWithin } from './table-widths.ts'

/** How many letters of an id a table shows: enough to tell it from the others, and to type it. */
const shortId = 8

/** Ids that are alike for longer stay whole. */
const longestId = 36

/** How a table is made to fit. */
export interface TableSpace {
  /** That of the terminal, in columns. Without it, for a pipe or a file, nothing is ever cut. */
  readonly width?: number | undefined
  /** Whether ids may be shortened and the last columns left out: where a person has not asked for them. */
  readonly mayDrop?: boolean
}

/**
 * Rows under their labels, without borders: as easily copied as read; amounts at the right of their columns. Without
 * columns, each row is its value. Where the terminal is too narrow for that, each row is a card of its own.
 */
export function table(
  rows: readonly Json[],
  columns: readonly string[],
  fields: Fields,
  style: Style,
  { width, mayDrop = false }: TableSpace = {},
): string {
  if (columns.length === 0) return rows.map((row) => `${cell(row)}\n`).join('')
  const declared = columns.map((path) => fieldAt(fields, path))
  const labels = columns.map((path, at) => labelFor(path, declared[at]))
  const values = rows.map((row) => columns.map((path) => valueIn(row, path)))
  const cells = values.map((row) => row.map((value, at) => fieldText(value, declared[at])))
  if (width !== undefined && mayDrop) shortenIds(columns, cells)
  const widths = width === undefined ? undefined : widthsWithin(width, { columns, labels, cells }, mayDrop)
  if (width !== undefined && !widths) return cardsOf(labels, cells, style, width)
  const shown = columns.slice(0, widths?.length)
  const heads = shown.map((_, at) => linesOf(labels[at] ?? '', widths?.[at]))
  const wide = shown.map((_, at) => {
    const texts = [...(heads[at] ?? []), ...cells.map((row) => row[at] ?? '')]
    return widths?.[at] ?? texts.reduce((most, text) => Math.max(most, widthOf(text)), 0)
  })
  return drawTable({
    head: heads.map((lines) => lines.map((text) => style.bold(text)).join('\n')),
    rows: cells.map((row) => shown.map((_, at) => cut(row[at] ?? '', wide[at] ?? 0))),
    widths: wide,
    toRight: shown.map((_, at) => isAmounts(values, at, declared[at])),
  })
}

/** A label on as many lines as its column needs. */
function linesOf(label: string, width: number | undefined): string[] {
  if (width === undefined || widthOf(label) <= width) return [label]
  return wrapText(label, width)
    .split('\n')
    .map((line) => cut(line, width))
}

/** Whether a column holds amounts, and nothing else but gaps. */
function isAmounts(rows: readonly (readonly Json[])[], at: number, field: Field | undefined): boolean {
  const given = rows
    .map((row) => row[at])
    .filter((value) => value !== null && value !== undefined && value !== '')
  return given.length > 0 && given.every((value) => isAmount(value, field))
}

/** Leaves of each id in these rows its beginning, as long as that tells them apart. */
function shortenIds(columns: readonly string[], cells: string[][]): void {
  for (const [at, path] of columns.entries()) {
    if (!/(^|\.)id$/i.test(path)) continue
    const ids = new Set(cells.map((row) => row[at] ?? ''))
    let length = shortId
    while (length < longestId && new Set([...ids].map((id) => id.slice(0, length))).size < ids.size)
      length += 1
    if (length < longestId) for (const row of cells) row[at] = (row[at] ?? '').slice(0, length)
  }
}

/** Each row as lines of label and value; a value that does not fit beside its label stands below it. */
function cardsOf(
  labels: readonly string[],
  rows: readonly (readonly string[])[],
  style: Style,
  width: number,
): string {
  const margin = Math.max(...labels.map(widthOf))
  const lineOf = (label: string, text: string) => {
    const padding = ' '.repeat(margin - widthOf(label) + gap)
    if (margin + gap + widthOf(text) <= width) return `${style.dim(label)}${padding}${text}\n`
    const below = broken(text, Math.max(leastColumn, width - 2 * gap))
    return [style.dim(label), ...below.map((piece) => ' '.repeat(2 * gap) + piece), ''].join('\n')
  }
  return rows
    .map((row) => row.map((text, at) => (text === '' ? '' : lineOf(labels[at] ?? '', text))).join(''))
    .join('\n')
}

/** The value at a path, or under a name with a dot in it: the service may name its fields so. */
export function valueIn(row: Json, column: string): Json {
  return valueAt(row, [column]) ?? valueAt(row, column.split('.'))
}
