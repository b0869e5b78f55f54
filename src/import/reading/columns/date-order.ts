import type { DateOrder } from '../../../api/contract/values/read-date.ts'
import { type Failure, invalidInput } from '../../../errors.ts'
import type { Column } from './file-columns.ts'
import type { ColumnDates, TableSurvey } from './survey-table.ts'

/** What the dates of a file say about their order. */
export interface OrderShown {
  /** Shown by a day above 12 in some date of the file. */
  readonly order?: DateOrder
  /** Dates that could be read either way, if nothing shows the order. */
  readonly unclear: readonly DatePlace[]
}

/** A column with such dates, and the first of them. */
export interface DatePlace {
  readonly column: Column
  readonly cell: string
}

/**
 * The order of day and month in all date columns of a file together. Throws a Failure (exit 3) where some of them have
 * the day first and others the month.
 */
export function orderShown(columns: readonly Column[], { dates }: TableSurvey): OrderShown {
  const isDate = (column: Column) =>
    column.fills?.field.type === 'date' || column.fills?.field.type === 'timestamp'
  const places = (kind: keyof ColumnDates) =>
    columns.flatMap((column, at): DatePlace[] => {
      const cell = isDate(column) ? dates[at]?.[kind] : undefined
      return cell === undefined ? [] : [{ column, cell }]
    })
  const [dayFirst, monthFirst, unclear] = [places('dayFirst'), places('monthFirst'), places('unclear')]
  if (dayFirst.length > 0 && monthFirst.length > 0) throw contradiction(dayFirst, monthFirst)
  if (dayFirst.length > 0) return { order: 'dmy', unclear: [] }
  return monthFirst.length > 0 ? { order: 'mdy', unclear: [] } : { unclear }
}

function contradiction(dayFirst: readonly DatePlace[], monthFirst: readonly DatePlace[]): Failure {
  const issues = (places: readonly DatePlace[], what: string) =>
    places.map(({ column, cell }) => ({
      path: `${cell} (${column.name.trim()})`,
      message: `the ${what} comes first`,
    }))
  return invalidInput(
    'Some dates of the file have the day first, and others the month. Nothing was sent.',
    [...issues(dayFirst, 'day'), ...issues(monthFirst, 'month')],
    'Write all of them as YYYY-MM-DD, or format the columns as dates in the spreadsheet.',
  )
}

/** The failure where the order is not shown and there is no terminal to ask at. */
export function unclearOrder(unclear: readonly DatePlace[]): Failure {
  const places = unclear.map(({ column, cell }) => `${cell} (${column.name.trim()})`).join(', ')
  return invalidInput(
    `Which is the day and which the month is unclear in the dates of the file, the first of them in ${places}. Nothing was sent.`,
    [],
    'Add --date-format dmy where the day comes first (day/month/year), or --date-format mdy where the month does.',
  )
}
