import { type Failure, invalidInput } from '../../errors.ts'
import { isSensitive } from '../../model/resources/sensitive.ts'
import type { DateOrder } from '../../model/values/date-order.ts'
import { readDate } from '../../model/values/read-date.ts'
import { spelledOut } from '../../text/day.ts'
import type { Column } from './column.ts'
import type { ColumnDates, DateCell, TableSurvey } from './survey-table.ts'

/** A date of a column. */
export interface DatePlace extends DateCell {
  readonly column: Column
}

/**
 * The order of day and month in all columns together, by a day above 12 in some date. `unclear`: dates that could be
 * read either way, the first of each column that does not show the order itself. Throws exit 3 where they differ.
 */
export function findDateOrder(columns: readonly Column[], { dates }: TableSurvey) {
  const isDate = (column: Column) =>
    column.fills?.field.type === 'date' || column.fills?.field.type === 'timestamp'
  const places = (kind: keyof ColumnDates) =>
    columns.flatMap((column, at): DatePlace[] => {
      const cell = isDate(column) ? dates[at]?.[kind] : undefined
      return cell ? [{ column, ...cell }] : []
    })
  const [dayFirst, monthFirst, unclear] = [places('dayFirst'), places('monthFirst'), places('unclear')]
  if (dayFirst.length > 0 && monthFirst.length > 0) throw contradiction(dayFirst, monthFirst)
  const sure = dayFirst.length > 0 ? dayFirst : monthFirst
  const [by] = sure
  if (!by) return { order: undefined, by, unclear }
  // A column that shows the order by a date of its own is clear.
  const unclearElsewhere = unclear.filter(({ column }) => !sure.some((place) => place.column === column))
  return { order: dayFirst.length > 0 ? ('dmy' as const) : ('mdy' as const), by, unclear: unclearElsewhere }
}

/** `02/11/1985 in D2 (D.O.B.) is 2 November 1985`. */
export function readIn(order: DateOrder, { text, ...place }: DatePlace, today: string): string {
  const isBirth = place.column.fills?.field.standard === 'birth-date'
  const reading = readDate(text, { order, today, isBirth })
  return `${text} in ${describeCell(place)} is ${'date' in reading ? spelledOut(reading.date) : 'not a date'}`
}

/** The remark where the order matters and nobody is asked: `why`, and a date of the file as it is read. */
export function orderRemark(
  order: DateOrder,
  unclear: readonly DatePlace[],
  why: string,
  today: string,
): string {
  const shown = unclear.find(({ column }) => !isPrivate(column))
  const example = shown ? `: ${readIn(order, shown, today)}` : ''
  return `dates are read with the ${order === 'dmy' ? 'day' : 'month'} first, ${why}${example}`
}

/** Whether a column holds birthdays or the like: a remark goes into logs, where they do not belong. */
const isPrivate = ({ fills, name }: Column) => isSensitive(fills?.segments.at(-1) ?? '') || isSensitive(name)

/** A cell with its heading: `D2 (Start date)`. */
export const describeCell = ({ cell, column }: Pick<DatePlace, 'cell' | 'column'>) =>
  `${cell} (${column.name.trim()})`

function contradiction(dayFirst: readonly DatePlace[], monthFirst: readonly DatePlace[]): Failure {
  const issues = (places: readonly DatePlace[], what: string) =>
    places.map((place) => ({ path: describeCell(place), message: `the ${what} comes first` }))
  return invalidInput(
    'Some dates of the file have the day first, and others the month.',
    [...issues(dayFirst, 'day'), ...issues(monthFirst, 'month')],
    'Write all of them as YYYY-MM-DD, or import the rows of each kind from a file of their own.',
  )
}

/** The failure where the order is not shown and there is no terminal to ask at. */
export function unclearOrder(unclear: readonly DatePlace[]): Failure {
  const places = unclear.map(describeCell).join(', ')
  return invalidInput(
    `Which is the day and which the month is unclear in the dates of the file, the first of them in ${places}.`,
    [],
    'Add --date-format dmy where the day comes first (day/month/year), or --date-format mdy where the month does.',
  )
}
