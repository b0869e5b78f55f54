import { normalizeName } from '../../model/fields/labels.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { headingFor } from '../../model/values/find-field.ts'
import { plural, wordList } from '../../text/words.ts'
import { columnLetters } from '../formats/column-letters.ts'
import { type ColumnMap, type FileColumns, type MadeCell, type TableRow, targetAt } from './column.ts'
import { hoursInCell, isOfHours, type MadeHours } from './day-columns.ts'
import type { TableSurvey } from './survey-table.ts'

/** The columns of a shift, counted from 0: from when and until when somebody worked, and breaks, which are not paid. */
interface ShiftColumns {
  readonly start: number
  readonly finish: number
  readonly breaks: readonly number[]
}

const startName = /^(?:shift |time )?(?:start(?:ed)?|begin|from|in|clock(?:ed)? in)(?: time)?$/i
const finishName = /^(?:shift |time )?(?:finish(?:ed)?|end(?:ed)?|to|until|out|clock(?:ed)? out)(?: time)?$/i
const breakName =
  /^(?:unpaid |meal )?(?:breaks?|lunch)(?: (?:taken|time|length))?(?:[ (/]+(mins?|minutes|h|hrs?|hours?)\)?)?$/i

/** Whether a heading is of breaks: they are no hours that are paid. */
export const isOfBreaks = (name: string): boolean => breakName.test(name.trim())

/** The columns of a shift, in a sheet with one column of times for its start and one for its end. */
function findShift({ header, examples }: Pick<TableSurvey, 'header' | 'examples'>): ShiftColumns | undefined {
  const named = (name: RegExp) => header.flatMap((each, at) => (name.test(each.trim()) ? [at] : []))
  const timesOf = (name: RegExp) =>
    named(name).filter((at) => examples[at]?.some((each) => minutesOfDay(each) !== undefined))
  const [[start, ...starts], [finish, ...finishes]] = [timesOf(startName), timesOf(finishName)]
  if (start === undefined || finish === undefined || starts.length + finishes.length > 0) return undefined
  return { start, finish, breaks: named(breakName) }
}

/** The columns of a shift. A sheet of hours has no field for them, so their meaning is not asked. */
export function shiftColumns(type: RecordType, survey: Pick<TableSurvey, 'header' | 'examples'>) {
  const { start, finish, breaks } = (targetAt(type, path) && findShift(survey)) ?? {}
  return start === undefined || finish === undefined ? [] : [start, finish, ...(breaks ?? [])]
}

const path = 'rates[0].units'
const timesPath = 'shiftTimes'

/** Works the hours of each row out of its times, where no column has them; else compares the hours with the times. */
export function addShifts(
  type: RecordType,
  { columns, unmatched }: FileColumns,
  survey: Pick<TableSurvey, 'header' | 'examples' | 'semicolons'>,
  map: ColumnMap,
): MadeHours | undefined {
  const [fills, shift] = [targetAt(type, path), findShift(survey)]
  const said = new Set(Object.keys(map).map(normalizeName))
  const own = shift ? [shift.start, shift.finish, ...shift.breaks] : []
  const isSaid = own.some((at) => columns[at]?.fills || said.has(normalizeName(survey.header[at] ?? '')))
  if (!fills || !shift || isSaid || unmatched.length > 0) return undefined
  const [from = '', to = '', ...less] = own.map((at) => columns[at]?.place ?? '')
  const without = less.length > 0 ? `, without ${wordList(less, 'and')}` : ''
  const work = (row: TableRow) => hoursOfShift(row, shift, survey.header)
  const times = {
    name: headingFor(type, timesPath),
    place: wordList([from, to], 'and'),
    fills: targetAt(type, timesPath),
    make: (row: TableRow) => ({ cell: timesOf(row, shift) }),
  }
  const [hours, ...others] = columns.flatMap((column, at) => (isOfHours(column.fills?.path) ? [at] : []))
  if (hours === undefined) {
    const made = {
      name: headingFor(type, path),
      place: wordList([from, to, ...less], 'and'),
      fills,
      make: work,
    }
    return {
      columns: [
        ...columns.map((column, at) => (own.includes(at) ? { ...column, addsTo: path } : column)),
        made,
        times,
      ],
      doubt: `no column has the hours: they are worked out of ${from} and ${to}${without}`,
    }
  }
  const compare = (row: TableRow): MadeCell => {
    const cell = row.cells[hours] ?? ''
    const [says, worked] = [hoursInCell(cell, survey.semicolons), Number(work(row).cell || Number.NaN)]
    if (others.length === 0 && cell.trim() === '' && worked > 0)
      return { cell, flaw: `no hours, and the times come to ${worked}: write 0 where nothing was worked` }
    // Without a column of breaks, somewhat fewer hours than the times have are usual.
    const mostLess = less.length > 0 ? mostRounded : longestBreak / 60
    const isFar = says !== undefined && (says - worked > mostRounded || worked - says > mostLess)
    return { cell, doubt: isFar ? `${cell.trim()} hours, and the times come to ${worked}` : undefined }
  }
  const made = columns.map((column, at) =>
    at === hours && others.length === 0 ? { ...column, make: compare } : column,
  )
  return {
    columns: [...made, times],
    remark: `${wordList([from, to, ...less], 'and')} are only compared with the hours`,
  }
}

/** assumed: a timesheet rounds to a tenth of an hour. */
const mostRounded = 0.1

/** assumed: nobody works longer at once. */
const mostMinutes = 16 * 60

/** assumed: no break is shorter or longer than these. In minutes. */
const [shortestBreak, longestBreak] = [5, 120]

/** The times of a row, as `9:00-17:30`; empty where they cannot be read, or may be of the morning or the afternoon. */
function timesOf({ cells }: TableRow, { start, finish }: ShiftColumns): string {
  const [from, to] = [start, finish].map((at) => minutesOfDay(cells[at] ?? ''))
  if (from === undefined || to === undefined || isOfEither(from, to, cells[finish] ?? '')) return ''
  return `${clockOf(from)}-${clockOf(to)}`
}

/** Whether a finish, such as at 5:00 after a start at 9:00, is of the afternoon or of the next day. */
const isOfEither = (from: number, to: number, finish: string) =>
  to <= from && from < 13 * 60 && /^(?:0?[1-9]|1[0-2])[:.]?\d\d(?::00)?$/.test(finish.trim())

/** `17:05` for 1025 */
const clockOf = (minutes: number) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`

/** The words for a day of rest, in the place of both times. */
const rest = /^(?:|-|–|off|rest|day off|rest day|rdo?)$/i

/** The hours from the start to the finish, which is on the next day where it is earlier, without the breaks. */
function hoursOfShift(
  { row, cells, flaws }: TableRow,
  { start, finish, breaks }: ShiftColumns,
  header: readonly string[],
): MadeCell {
  const cellAt = (at: number) => (cells[at] ?? '').trim()
  const place = (at: number) => columnLetters(at) + row
  if (rest.test(cellAt(start)) && rest.test(cellAt(finish))) return { cell: '' }
  const [from, to] = [minutesOfDay(cellAt(start)), minutesOfDay(cellAt(finish))]
  const rests = breaks.map((at) => ({ at, minutes: minutesOfBreak(cellAt(at), header[at] ?? '') }))
  const wrongBreak = rests.find(({ minutes }) => minutes === undefined)?.at
  const wrong = [start, finish, ...breaks].find((at) => flaws?.has(at))
  const unread = wrong ?? (from === undefined ? start : to === undefined ? finish : wrongBreak)
  if (from === undefined || to === undefined || unread !== undefined)
    return {
      cell: '',
      flaw: `${place(unread ?? start)} is not a ${unread === wrongBreak ? 'length of a break' : 'time of day'}`,
    }
  if (from === 0 && to === 0)
    return { cell: '', doubt: `no hours, from ${cellAt(start)} to ${cellAt(finish)}: a day ends at 24:00` }
  if (isOfEither(from, to, cellAt(finish)))
    return {
      cell: '',
      flaw: `${cellAt(finish)} in ${place(finish)} is before ${cellAt(start)}: write it as ${clockOf((to % (12 * 60)) + 12 * 60)}, or with am for the next day`,
    }
  const span = to > from ? to - from : to - from + 24 * 60
  const minutes = rests.reduce((left, rest) => left - (rest.minutes ?? 0), span)
  if (minutes <= 0)
    return { cell: '', flaw: `${place(start)} to ${place(finish)} is no longer than the break` }
  const cell = String(Number((minutes / 60).toFixed(4)))
  const strange = rests.find(
    ({ minutes = 0 }) => minutes > 0 && (minutes < shortestBreak || minutes > longestBreak),
  )
  const doubt =
    span > mostMinutes
      ? `${cell} hours, from ${cellAt(start)} to ${cellAt(finish)}${to > from ? '' : ' on the next day'}`
      : strange && `${place(strange.at)} is read as a break of ${plural(strange.minutes ?? 0, 'minute')}`
  return { cell, doubt }
}

/** The minutes since midnight: 570 for `9:30`, `09.30`, `9:30 am`, `0930`; undefined for what is no time. */
function minutesOfDay(text: string): number | undefined {
  const [, hour = '', minute = '0', half = ''] =
    /^(\d{1,2})[:.](\d\d)(?::00)?\s*(?:([ap])\.?m\.?)?$/i.exec(text.trim()) ??
    /^(\d\d)(\d\d)$/.exec(text.trim()) ??
    /^(\d{1,2})()\s*([ap])\.?m\.?$/i.exec(text.trim()) ??
    []
  const [hours, minutes] = [Number(hour), Number(minute)]
  const isHalf = half !== ''
  if (hour === '' || minutes > 59 || hours > 24 || (isHalf && (hours < 1 || hours > 12))) return undefined
  const from = isHalf ? (hours % 12) + (/p/i.test(half) ? 12 : 0) : hours
  const sum = from * 60 + minutes
  return sum > 24 * 60 ? undefined : sum
}

/** The minutes of a break. assumed: without a unit, up to four are hours, and more are minutes. */
function minutesOfBreak(text: string, heading: string): number | undefined {
  if (/^(?:|-|no|none|n\/a)$/i.test(text)) return 0
  const [, hours, minutes] = /^(\d{1,2}):(\d\d)(?::00)?$/.exec(text) ?? []
  if (hours !== undefined) return Number(hours) * 60 + Number(minutes)
  const [, amount, own] = /^(\d*\.?\d+)\s*(m(?:ins?|inutes?)?|h(?:rs?|ours?)?)?\.?$/i.exec(text) ?? []
  if (amount === undefined) return undefined
  const unit = own ?? breakName.exec(heading.trim())?.[1] ?? (Number(amount) > 4 ? 'm' : 'h')
  return Number(amount) * (/^m/i.test(unit) ? 1 : 60)
}
