import type { RecordType } from '../../model/records/record-type.ts'
import { headingFor } from '../../model/values/find-field.ts'
import { readDate } from '../../model/values/read-date.ts'
import { isDay, spelledOut } from '../../text/day.ts'
import { columnLetters } from '../formats/column-letters.ts'
import { type Column, targetAt } from './column.ts'
import { type DateCell, dateKindOf, type TableSurvey, weekLabel } from './survey-table.ts'

/** `Week ending` behind other words, in a title: `Timesheets, week ending 29/11/2026`. */
const weekInTitle = new RegExp(`(?:^|\\W)${weekLabel.source.slice(1)}`, 'i')

/** The weeks that a sheet says once for the rows below: above the headings for all of them, or between them. */
export function findWeeks(
  type: RecordType,
  columns: readonly Column[],
  { top, headingRow, weeks: between }: TableSurvey,
  today: string,
) {
  const isFilled = (path: string) => columns.some(({ fills }) => fills?.path === path)
  if (isFilled('endDate') || isFilled('startDate')) return undefined
  const [above] = top.filter(({ row }) => row < headingRow).flatMap((each) => weekIn(each, weekInTitle) ?? [])
  const weekRows = [...(above ? [above] : []), ...between.flatMap((each) => weekIn(each) ?? [])]
  const [first] = weekRows
  // All of them must be ends of weeks, or all of them starts.
  const same = weekRows.filter(({ path }) => path === first?.path)
  const fills = first && targetAt(type, first.path)
  if (!fills || same.length < weekRows.length) return undefined
  const heading = headingFor(type, first.path)
  const whose = (at: number) =>
    weekRows.length === 1 && weekRows[at] === above ? 'all rows' : 'the rows below'
  const column: Column = {
    name: heading,
    place: `cell ${first.cell} (${heading})`,
    fills,
    make: ({ row }) => ({ cell: weekRows.findLast((each) => each.row < row)?.text ?? '' }),
    isKept: true,
  }
  return {
    column,
    /** In their order; the rows between the headings and one of them are without a week. */
    weeks: weekRows,
    says: weekRows.map(({ says }, at) => `${says}: it is the week of ${whose(at)}`),
  }

  function weekIn({ row, cells }: TableSurvey['weeks'][number], label = weekLabel) {
    for (const [at, cell] of cells.entries()) {
      const match = label.exec(cell.trim())
      if (!match) continue
      const [, letter = '', word = '', rest = ''] = match
      const [text = ''] = [rest, ...cells.slice(at + 1)]
        .map((each) => each.trim())
        .filter((each) => each !== '')
      const isStart = /^(?:c|commenc|start|begin)/i.test(letter + word) && !/^e/i.test(letter)
      if (!('date' in readDate(text, { today, order: 'dmy' }))) continue
      const place = columnLetters(at) + row
      // Dates of a workbook are read as YYYY-MM-DD, and Excel shows them in another form.
      const day = isDay(text) ? spelledOut(text) : text
      const says = `${place} says ${cell.trim()}${rest === '' ? ` ${day}` : ''}`
      return { row, text, cell: place, path: isStart ? 'startDate' : 'endDate', says }
    }
    return undefined
  }
}

/** The dates of the columns, with those of the weeks in rows of their own. */
export function withDates(
  { dates }: TableSurvey,
  at: number,
  weeks: readonly DateCell[],
): TableSurvey['dates'] {
  const columnDates = [...dates]
  while (columnDates.length <= at) columnDates.push({})
  const datesOfWeeks = weeks.flatMap(({ text, cell }) => {
    const kind = dateKindOf(text)
    return kind ? [[kind, { cell, text }] as const] : []
  })
  // Reversed, so that the first of each kind wins.
  return columnDates.with(at, Object.fromEntries(datesOfWeeks.toReversed()))
}
