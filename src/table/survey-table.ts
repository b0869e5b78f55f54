import { columnLetters } from '../formats/column-letters.ts'
import { amountIn } from '../values/read-value.ts'

/** What the dates of a column show about day and month: the first cell for each. */
export interface ColumnDates {
  /** A day above 12 stands first. */
  readonly dayFirst?: DateCell
  readonly monthFirst?: DateCell
  /** Either could be the day. */
  readonly unclear?: DateCell
}

export interface DateCell {
  /** D2 */
  readonly cell: string
  readonly text: string
}

/** Where the rows of a table are, by the numbers that a spreadsheet shows. */
export interface Layout {
  readonly headingRow: number
  /** A row below all others that adds them up. */
  readonly totalRow?: number
}

/** What has to be known of a table before its rows are read. */
export interface TableSurvey {
  readonly headingRow: number
  /** Whether semicolons separate the cells, as in countries with a decimal comma. */
  readonly semicolons: boolean
  readonly header: readonly string[]
  /** The first rows of the file besides the header: the headings may stand there. */
  readonly top: readonly { readonly row: number; readonly cells: readonly string[] }[]
  /** The first values of each column. */
  readonly examples: readonly (readonly string[])[]
  readonly dates: readonly ColumnDates[]
  /** The last row with something in it. */
  readonly last: { readonly row: number; readonly cells: readonly string[] } | undefined
  /** Of each column the sum of its numbers. */
  readonly sums: readonly number[]
  /** How many numbers these are. */
  readonly counts: readonly number[]
}

/** No heading is expected further down. */
const lastTop = 10

/** As many values show what is in a column. */
const mostExamples = 3

const numericDate = /^\s*(\d{1,2})\s*[/.\-\s]\s*(\d{1,2})\s*[/.\-\s]\s*(?:\d{4}|\d{2})(?:[T ]00:00.*)?\s*$/

/** No date is written longer. */
const longestDate = 40

/** Looks at every row of a table once. */
export function surveyTable(
  { headingRow, totalRow }: Layout,
  semicolons = false,
): {
  readonly add: (row: number, cells: readonly string[]) => void
  readonly end: () => TableSurvey
} {
  let header: readonly string[] = []
  const top: { row: number; cells: readonly string[] }[] = []
  const examples: string[][] = []
  const dates: { -readonly [Kind in keyof ColumnDates]: DateCell }[] = []
  const sums: number[] = []
  const counts: number[] = []
  let last: TableSurvey['last']
  return {
    add(row, cells) {
      if (row === headingRow) header = cells
      else if (row <= lastTop) top.push({ row, cells })
      if (cells.some((cell) => cell.trim() !== '')) last = { row, cells }
      if (row <= headingRow || row === totalRow) return
      for (const [at, cell] of cells.entries()) {
        look(row, at, cell)
        const amount = mayBeAmount(cell) ? amountIn(cell, semicolons) : undefined
        if (amount === undefined) continue
        sums[at] = (sums[at] ?? 0) + amount
        counts[at] = (counts[at] ?? 0) + 1
      }
    },
    end: () => ({ headingRow, semicolons, header, top, examples, dates, last, sums, counts }),
  }

  function look(row: number, at: number, cell: string): void {
    if (cell === '') return
    examples[at] ??= []
    const seen = examples[at]
    if (seen.length < mostExamples && cell.trim() !== '' && !seen.includes(cell)) seen.push(cell)
    const kind = mayBeDate(cell) ? kindOf(cell) : undefined
    if (!kind) return
    dates[at] ??= {}
    dates[at][kind] ??= { cell: columnLetters(at) + row, text: cell.trim() }
  }
}

/** No amount is written longer. */
const longestAmount = 24

/** Every cell of the file passes here: most of them are words. */
const mayBeAmount = (cell: string) => cell.length <= longestAmount && /^[\s£€-]*\d[^a-z]*$/i.test(cell)

/** Every cell of the file passes here: few begin as a date does. */
function mayBeDate(cell: string): boolean {
  const first = cell.charCodeAt(0)
  return cell.length <= longestDate && (first <= 0x20 || (first >= 0x30 && first <= 0x39))
}

function kindOf(cell: string): keyof ColumnDates | undefined {
  const [, first, second] = numericDate.exec(cell) ?? []
  const [one, two] = [Number(first), Number(second)]
  if (first === undefined || one === two) return undefined
  if (one > 12) return two > 12 ? undefined : 'dayFirst'
  return two > 12 ? 'monthFirst' : 'unclear'
}
