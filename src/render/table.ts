import Table from 'cli-table3'
import type { Fields } from '../api/contract/fields/field.ts'
import { fieldAt } from '../api/contract/fields/field-tree.ts'
import { type Json, valueAt } from '../json/path.ts'
import { cell } from './text/format-cell.ts'
import { safeText } from './text/safe-text.ts'
import type { Style } from './text/style.ts'
import { broken, cut, widthOf } from './text/width.ts'

const borderless = Object.fromEntries(
  ['top', 'bottom', 'left', 'mid', 'right']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .concat('middle', 'mid-mid')
    .map((part) => [part, '']),
)

const gap = 2

/** A column narrower than this is useless; a date and most amounts always fit. */
const leastColumn = 10

/** The first column and an id name the row, and are useless when cut: a UUID has 36 letters. */
const longestName = 40

/**
 * Rows under their labels, without borders: as easily copied as read. Without columns, each row is its value.
 *
 * `width`: that of the terminal, in columns. Where it does not suffice, the widest cells end in …; where that does
 * not suffice either, each row is a card of its own. Without it, for a pipe or a file, nothing is ever cut.
 */
export function table(
  rows: readonly Json[],
  columns: readonly string[],
  fields: Fields,
  style: Style,
  width?: number,
): string {
  if (columns.length === 0) return rows.map((row) => `${cell(row)}\n`).join('')
  const labels = columns.map((path) => fieldAt(fields, path)?.label ?? safeText(path))
  const cells = rows.map((row) => columns.map((path) => cell(valueIn(row, path))))
  const widths = width === undefined ? undefined : widthsWithin(width, columns, [labels, ...cells])
  if (width !== undefined && !widths) return cardsOf(labels, cells, style, width)
  const fitting = (text: string, at: number) => (widths ? cut(text, widths[at] ?? 0) : text)
  const rendered = new Table({
    chars: { ...borderless, middle: ' '.repeat(gap) },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    head: labels.map((label, at) => style.bold(fitting(label, at))),
  })
  for (const row of cells) rendered.push(row.map(fitting))
  return `${rendered.toString().replace(/[ ]+$/gm, '')}\n`
}

/** How wide each column may be; undefined where they cannot be read side by side. */
function widthsWithin(
  width: number,
  columns: readonly string[],
  lines: readonly (readonly string[])[],
): number[] | undefined {
  const wanted = columns.map((_, at) =>
    lines.reduce((most, line) => Math.max(most, widthOf(line[at] ?? '')), 0),
  )
  const names = columns.map((path, at) => at === 0 || /(^|\.)id$/i.test(path))
  const within = (most: number) =>
    wanted.map((own, at) => Math.min(own, names[at] ? Math.max(most, longestName) : most))
  const fits = (widths: readonly number[]) => widths.reduce((sum, own) => sum + own + gap, -gap) <= width
  for (let most = Math.max(leastColumn, width); most >= leastColumn; most--) {
    if (fits(within(most))) return within(most)
  }
  return undefined
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
