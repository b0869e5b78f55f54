import Table from 'cli-table3'
import type { Fields } from '../api/contract/field.ts'
import { type Json, valueAt } from '../api/contract/path.ts'
import { fieldAt } from '../api/contract/walk.ts'
import { cell } from './cell.ts'
import { safeText } from './safe-text.ts'
import type { Style } from './style.ts'

const borderless = Object.fromEntries(
  ['top', 'bottom', 'left', 'mid', 'right']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .concat('middle', 'mid-mid')
    .map((part) => [part, '']),
)

/** Rows under their labels, without borders: as easily copied as read. Without columns, each row is its value. */
export function table(
  rows: readonly Json[],
  columns: readonly string[],
  fields: Fields,
  style: Style,
): string {
  if (columns.length === 0) return rows.map((row) => `${cell(row)}\n`).join('')
  const rendered = new Table({
    chars: { ...borderless, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    head: columns.map((path) => style.bold(fieldAt(fields, path)?.label ?? safeText(path))),
  })
  for (const row of rows) rendered.push(columns.map((path) => cell(valueIn(row, path))))
  return `${rendered.toString().replace(/[ ]+$/gm, '')}\n`
}

/** What stands under a path, or under a name that has a dot in it: nobody says how the service names its fields. */
export function valueIn(row: Json, column: string): Json {
  return valueAt(row, [column]) ?? valueAt(row, column.split('.'))
}
