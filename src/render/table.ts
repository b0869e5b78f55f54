import Table from 'cli-table3'
import type { Fields } from '../api/contract/field.ts'
import { type Json, valueAt } from '../api/contract/path.ts'
import { fieldAt } from '../api/contract/walk.ts'
import { cell } from './cell.ts'
import type { Style } from './style.ts'

const borderless = Object.fromEntries(
  ['top', 'bottom', 'left', 'mid', 'right']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .concat('middle', 'mid-mid')
    .map((part) => [part, '']),
)

/** Rows under their labels, without borders: as easily copied as read. */
export function table(
  rows: readonly Json[],
  columns: readonly string[],
  fields: Fields,
  style: Style,
): string {
  const rendered = new Table({
    chars: { ...borderless, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    head: columns.map((path) => style.bold(fieldAt(fields, path)?.label ?? path)),
  })
  for (const row of rows) rendered.push(columns.map((path) => cell(valueAt(row, path.split('.')))))
  return `${rendered.toString().replace(/[ ]+$/gm, '')}\n`
}
