import { datesOfNumbers } from '../../model/values/date-formats.ts'
import { beginsHelp } from '../../model/values/explanation.ts'
import { midnightTime } from '../../model/values/read-date.ts'
import { amountIn, hoursIn, unclearAmount } from '../../model/values/read-value.ts'
import { columnLetters } from '../formats/column-letters.ts'

/** The first cell of a column for each thing that its dates show about day and month. */
export interface ColumnDates {
  /** A day above 12 stands first. */
  readonly dayFirst?: DateCell
  readonly monthFirst?: DateCell
  /** Either could be the day. */
  readonly unclear?: DateCell
}

/** A cell, and the text in it. */
export interface DateCell {
  /** D2 */
  readonly cell: string
  readonly text: string
}

/** The first cells of a kind, and how many there are. */
interface FirstCells {
  readonly cells: readonly DateCell[]
  readonly count: number
}

interface TopRow {
  readonly row: number
  readonly cells: readonly string[]
}

/** A row with a word for a total in it, and the sums of the rows above it, column by column. */
export interface LabelledRow extends TopRow {
  /** Since the last such row, and from the first. */
  readonly since: readonly number[]
  readonly all: readonly number[]
  /** How many rows these are. */
  readonly counts: readonly number[]
}

/** All that has to be known of a table before its rows are read. */
export interface TableSurvey {
  readonly headingRow: number
  /** Whether semicolons separate the cells, as in countries with a decimal comma. */
  readonly semicolons: boolean
  readonly header: readonly string[]
  /** The first rows of the file besides the header: the headings may stand there. */
  readonly top: readonly TopRow[]
  /** The columns that the spreadsheet hides, 0 for the first. */
  readonly hidden?: readonly number[]
  /** The last rows with something in them. */
  readonly tail: readonly TopRow[]
  readonly labelled: readonly LabelledRow[]
  /** The rows that say the headings again. */
  readonly repeats: readonly number[]
  /** The rows that say a week for those below them, and nothing else. */
  readonly weeks: readonly TopRow[]
  /** The first values of each column. */
  readonly examples: readonly (readonly string[])[]
  readonly dates: readonly ColumnDates[]
  /** The last row that is not a total, with the sums above it. `counts`: how many numbers in each column. */
  readonly last: Omit<LabelledRow, 'since'> | undefined
  /** The sum of the numbers of each column. */
  readonly sums: readonly number[]
  /** How many numbers these are. */
  readonly counts: readonly number[]
  /** Each column's numbers that may be hours and minutes, 7.30. */
  readonly clocks: readonly (FirstCells | undefined)[]
  /** The first amount with a decimal comma, of a file with semicolons. */
  readonly comma: DateCell | undefined
}

/** No heading is expected further down. */
const lastTop = 10

/** This many rows at the end may be notes, or a total above them. */
const lastTail = 20

/** A file has no more totals. */
const mostLabelled = 1000

/** The words for a week above its rows: `Week ending 29/11/2026`, `W/C:` with the day in the next cell. */
export const weekLabel =
  /^(?:pay(?:roll)?\s+)?(?:week|period|wk|w)(?:\s*\/?\s*(e|c)\b|\s*-?\s*(ending|ended|end|commencing|starting|beginning|start)\b|\s*(?=:))\s*(?:date)?\s*[:.=–-]?\s*(.*)$/i

/** Whether a row names a week and nothing else. Quick for others, as every row of a file passes here. */
export function isWeekRow(cells: readonly string[]): boolean {
  const first = cells.findIndex((cell) => cell.trim() !== '')
  const text = (cells[first] ?? '').trim()
  if (!/^[pw]/i.test(text) || !weekLabel.test(text)) return false
  const cellsAfter = cells.slice(first + 1).filter((cell) => cell.trim() !== '')
  return cellsAfter.length === (/\d/.test(text) ? 0 : 1)
}

const isSameRow = (cells: readonly string[], header: readonly string[]) =>
  header.every((name, at) => name.trim() === (cells[at] ?? '').trim())

/** This many values show what is in a column. */
const mostExamples = 3

/** No date is written longer. */
const longestDate = 40

/** Looks at every row of a table once. */
export function surveyTable(
  headingRow: number,
  semicolons = false,
): {
  readonly add: (row: number, cells: readonly string[]) => void
  readonly end: () => TableSurvey
} {
  const survey = {
    headingRow,
    semicolons,
    header: [] as readonly string[],
    top: [] as TopRow[],
    tail: [] as TopRow[],
    labelled: [] as LabelledRow[],
    repeats: [] as number[],
    weeks: [] as TopRow[],
    examples: [] as string[][],
    dates: [] as { -readonly [Kind in keyof ColumnDates]: DateCell }[],
    sums: [] as number[],
    counts: [] as number[],
    comma: undefined as DateCell | undefined,
  }
  const { top, tail, labelled, repeats, weeks, examples, dates, sums, counts } = survey
  const clocks: (ReturnType<typeof watchClocks> | undefined)[] = []
  const lastAmounts: { readonly cell: string; readonly amount: number | undefined }[] = []
  let since: number[] = []
  let [rowsSince, rowsAll] = [0, 0]
  /** The row that is counted when the next one comes. */
  let open: TopRow | undefined
  return {
    add(row, cells) {
      if (row === headingRow) survey.header = cells
      else if (row <= lastTop) top.push({ row, cells })
      // The help line of a template is no record, and its cells are no values of one.
      if (!cells.some((cell) => cell.trim() !== '') || cells.some(beginsHelp)) return
      tail.push({ row, cells })
      if (tail.length > lastTail) tail.shift()
      if (row <= headingRow) return
      if (open) count(open)
      open = undefined
      if (cells.some(isTotalLabel) && labelled.length < mostLabelled) {
        labelled.push({ row, cells, since, all: [...sums], counts: [rowsSince, rowsAll] })
        since = []
        rowsSince = 0
      } else if (survey.header.length > 1 && isSameRow(cells, survey.header)) repeats.push(row)
      else if (isWeekRow(cells)) weeks.push({ row, cells })
      else open = { row, cells }
    },
    end() {
      const last = open && { ...open, all: [...sums], counts: [...counts] }
      if (open) count(open)
      return { ...survey, last, clocks: clocks.map((each) => each?.end()) }
    },
  }

  function count({ row, cells }: TopRow): void {
    rowsSince += 1
    rowsAll += 1
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at] ?? ''
      look(row, at, cell)
      const amount = cellAmount(at, cell)
      if (amount === undefined) continue
      const text = cell.trim()
      if (semicolons && !survey.comma && /,\d+$/.test(text) && !unclearAmount.test(text))
        survey.comma = { cell: columnLetters(at) + row, text }
      const fraction = /^\d{1,3}\.(\d+)$/.exec(text)?.[1]
      if (fraction !== undefined) {
        const column = clocks[at] ?? watchClocks()
        column.add(fraction, { cell: columnLetters(at) + row, text })
        clocks[at] = column
      }
      sums[at] = (sums[at] ?? 0) + amount
      since[at] = (since[at] ?? 0) + amount
      counts[at] = (counts[at] ?? 0) + 1
    }
  }

  /** The amount in a cell. The last of each column is kept: many repeat it row after row. */
  function cellAmount(at: number, cell: string): number | undefined {
    const last = lastAmounts[at]
    if (last?.cell === cell) return last.amount
    const amount = mayBeAmount(cell) ? (amountIn(cell) ?? hoursAsNumber(cell)) : undefined
    lastAmounts[at] = { cell, amount }
    return amount
  }

  function look(row: number, at: number, cell: string): void {
    if (cell === '') return
    examples[at] ??= []
    const columnExamples = examples[at]
    if (columnExamples.length < mostExamples && cell.trim() !== '' && !columnExamples.includes(cell))
      columnExamples.push(cell)
    const kind = mayBeDate(cell) ? dateKindOf(cell) : undefined
    if (!kind) return
    dates[at] ??= {}
    dates[at][kind] ??= { cell: columnLetters(at) + row, text: cell.trim() }
  }
}

/**
 * Looks for times among the numbers of a column. 7.30 is none where another fraction is clearly of a decimal,
 * but where a 37.5 stands beside it, no spreadsheet wrote its zero: somebody typed it as a time.
 */
function watchClocks() {
  const [quarters, halfHours] = [firstCells(), firstCells()]
  let [isDecimal, isShort] = [false, false]
  return {
    add(fraction: string, cell: DateCell): void {
      if (/^(?:15|30|45)$/.test(fraction)) quarters.add(cell)
      // A spreadsheet makes 7.3 of a 7.30 too.
      else if (/^[0-5]$/.test(fraction)) isShort = true
      else if (fraction !== '00') isDecimal = true
      if (fraction === '30') halfHours.add(cell)
    },
    end(): FirstCells | undefined {
      const times = !isDecimal ? quarters : isShort ? halfHours : undefined
      return times && times.count > 0 ? times : undefined
    },
  }
}

function firstCells() {
  const cells: DateCell[] = []
  return {
    cells,
    count: 0,
    add(cell: DateCell): void {
      if (cells.length < mostExamples) cells.push(cell)
      this.count += 1
    },
  }
}

const hoursAsNumber = (cell: string) => {
  const digits = /[:h]/i.test(cell) ? hoursIn(cell.trim())?.digits : undefined
  return digits === undefined ? undefined : Number(digits)
}

/** No amount is written longer. */
const longestAmount = 24

/** A quick test, because every cell of the file passes here, and most are words. */
const mayBeAmount = (cell: string) =>
  cell.length <= longestAmount && /^[\s£€-]*\d[^a-z]*(?:[ahpy][a-z\d/. ]*)?$/i.test(cell)

/** A quick test, because every cell of the file passes here, and few begin or end as a date does. */
function mayBeDate(cell: string): boolean {
  const [first, last] = [cell.charCodeAt(0), cell.charCodeAt(cell.length - 1)]
  return cell.length <= longestDate && (first <= 0x20 || isDigit(first) || isDigit(last))
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

/** The kind of a date of numbers: whether it shows the day or the month first; undefined for other texts. */
export function dateKindOf(cell: string): keyof ColumnDates | undefined {
  const [, , first, second] = datesOfNumbers.pattern.exec(cell.trim().replace(midnightTime, '')) ?? []
  const [one, two] = [Number(first), Number(second)]
  if (first === undefined || one === two) return undefined
  if (one > 12) return two > 12 ? undefined : 'dayFirst'
  return two > 12 ? 'monthFirst' : 'unclear'
}

/** A word for a total, perhaps with the sum after it. */
export const totalWord =
  /^(?:(?:grand|overall|week|weekly|page|report|sheet)\s+|sub[\s-]?)?(?:totals?(?:\s+(?:for|of)\s.*|\s+[a-z]+|(?<=sub[\s-]?totals?)\s.*)?|sum)\s*[:=]?(?:\s*([£€]?\s*-?\d[\d.,]*))?(?:\s+(?:hours|hrs))?$/i

const countWord =
  /^(?:(?:count|head\s?count|(?:no|number)\.?\s*of\s+[a-z]+)\s*[:=]?\s*\d*|\d+\s+(?:people|persons?|rows?|workers?|staff|employees?|candidates?|contractors?|timesheets?|lines?|records?|heads?|starters?))$/i

/** The words that a spreadsheet writes below each group: `A-12 Total`. */
const groupTotal = /^\S.*\s(?:sub[\s-]?)?totals?\s*:?$/i

/** Every cell of the file passes here. */
const mayBeLabel = (cell: string) =>
  cell.length <= 60 && /^\s*(?:[gotswprchn]|\d+\s+[a-z])|totals?\s*:?\s*$/i.test(cell)

/** Whether a cell has a word for a total, or counts rows or people. */
export function isTotalLabel(cell: string): boolean {
  return mayBeLabel(cell) && (isTotalWord(cell) || groupTotal.test(cell.trim()))
}

/** Whether a cell says total, and may not be somebody's name: `Ann Total`. */
export const isTotalWord = (cell: string): boolean =>
  totalWord.test(cell.trim()) || countWord.test(cell.trim())
