import { normalizeName } from '../../model/fields/labels.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { headingFor } from '../../model/values/find-field.ts'
import { isWeekday } from '../../model/values/hour-headings.ts'
import { amountIn, hoursIn } from '../../model/values/read-value.ts'
import { columnLetters } from '../formats/column-letters.ts'
import { type ColumnMap, type FileColumns, type MadeCell, type TableRow, targetAt } from './column.ts'
import type { TableSurvey } from './survey-table.ts'

/** The columns of the days of a week, if they stand side by side: three of them at least, counted from 0. */
export function dayColumns(header: readonly string[]): readonly number[] {
  const days = header.flatMap((name, at) => (isWeekday(name) ? [at] : []))
  const isWeek = days.filter((at) => !/^s/i.test(header[at]?.trim() ?? '')).length > 2
  return isWeek ? days : []
}

/** Whether the field at a path has the hours of a line. */
export const isOfHours = (path = '') => /\.units$/.test(path)

/** The hours of each row as the sum of its days, where no column has them and no map says what the days are. */
export function addDays(
  type: RecordType,
  { columns, unmatched }: FileColumns,
  { header }: Pick<TableSurvey, 'header'>,
  map: ColumnMap,
) {
  const path = 'rates[0].units'
  const fills = targetAt(type, path)
  const places = dayColumns(header)
  const namesInMap = new Set(Object.keys(map).map(normalizeName))
  const isSaid = places.some((at) => columns[at]?.fills || namesInMap.has(normalizeName(header[at] ?? '')))
  const isAsked = isSaid || unmatched.length > 0 || columns.some((column) => isOfHours(column.fills?.path))
  const [first, last] = [columns[places[0] ?? -1], columns[places.at(-1) ?? -1]]
  if (!fills || !first || !last || isAsked) return undefined
  const name = headingFor(type, path)
  const place = `${first.place} to ${last.place}`
  return {
    columns: [
      ...columns.map((column, at) => (places.includes(at) ? { ...column, addsTo: path } : column)),
      { name, place, fills, make: (row: TableRow) => sumOf(row, places) },
    ],
    doubt: `${place} are the days of the week, and no column has their sum: they are added up as the hours of each row`,
  }
}

/** The sum of the hours in these cells of a row; nothing if all of them are empty. */
function sumOf({ row, cells, flaws }: TableRow, places: readonly number[]): MadeCell {
  const placesWithText = places.filter((at) => (cells[at] ?? '').trim() !== '')
  const amounts = placesWithText.map((at) => hoursInCell(cells[at] ?? ''))
  const sum = amounts.reduce<number>((total, each) => total + (each ?? 0), 0)
  const wrong = places.find((at) => flaws?.has(at)) ?? placesWithText[amounts.indexOf(undefined)]
  return {
    cell: placesWithText.length === 0 ? '' : String(Number(sum.toFixed(4))),
    flaw: wrong === undefined ? undefined : `${columnLetters(wrong)}${row} is not a number of hours`,
  }
}

/** The hours in a cell; undefined for other texts. */
function hoursInCell(cell: string): number | undefined {
  const digits = amountIn(cell) ?? hoursIn(cell.trim())?.digits
  return digits === undefined ? undefined : Number(digits)
}
