import { isBlank, type RecordType } from '../../model/records/record-type.ts'
import { amountIn } from '../../model/values/read-value.ts'
import { nameSome } from '../../text/words.ts'
import type { Column } from './column.ts'
import { rowList } from './row.ts'
import { isTotalLabel, isTotalWord, type LabelledRow, type TableSurvey, totalWord } from './survey-table.ts'
import { namePartsOf } from './whole-names.ts'

/** A question about a whole table, such as a total that is not the sum of the rows. `row`: 0 for all of it. */
export interface TableDoubt {
  readonly row: number
  readonly message: string
}

/** The rows that are not records: totals between or below the others, headings repeated, and notes below. */
export function leftRows(
  type: RecordType,
  columns: readonly Column[],
  { headingRow, labelled, repeats, tail, semicolons, clocks, last, sums, counts }: TableSurvey,
) {
  const isAmount = (at: number) =>
    ['number', 'integer', 'decimal'].includes(columns[at]?.fills?.field.type ?? '')
  const cellAmount = (cell: string | undefined) => amountIn(cell ?? '', semicolons)
  const sum = last && isSum(last) ? last : undefined
  const totals = [...labelled.filter(isTotal), ...(sum ? [{ ...sum, since: sum.all, counts: [] }] : [])]
  const rows = new Set([...totals.map(({ row }) => row), ...repeats])
  const notes = notesBelow()
  const doubts = totals.flatMap(doubtsOf)
  const times = clocks.flatMap((clock, at): TableDoubt[] => {
    const { fills, addsTo, place } = columns[at] ?? {}
    if (!clock || (fills?.field.hours !== true && addsTo === undefined)) return []
    const cells = clock.cells.map(({ cell, text }) => `${text} in ${cell}`)
    const are = `${clock.count === 1 ? 'is read as a decimal' : 'are read as decimals'}, and not as hours and minutes`
    const says = `${place}: ${nameSome(cells, cells.length, clock.count)} ${are}`
    return [{ row: 0, message: `${says}: write 7:30 or 7.5 where 7 hours and 30 minutes are meant` }]
  })
  const isOne = totals.length === 1
  const hasSum =
    sum !== undefined ||
    totals.some(({ cells }) =>
      cells.some(
        (cell, at) => (isAmount(at) && cellAmount(cell) !== undefined) || inWord(cell) !== undefined,
      ),
    )
  const agrees =
    doubts.length === 0 && hasSum ? `: ${isOne ? 'it agrees' : 'they agree'} with the rows above` : ''
  const which = isOne ? 'is a total, and is left out' : 'are totals, and are left out'
  return {
    rows: new Set([...rows, ...notes.map(({ row }) => row)]),
    remarks: [
      ...(totals.length > 0 ? [`${rowList(totals.map(({ row }) => row))} ${which}${agrees}`] : []),
      ...(repeats.length > 0 ? [`the headings again in ${rowList(repeats)}: left out`] : []),
      ...notes.map(({ row, text }) => `row ${row} is a note below the table, and is left out: ${text}`),
    ],
    doubts: [...doubts, ...times],
    sums: sum?.all ?? sums,
    counts: sum?.counts ?? counts,
  }

  /** The doubts about a total that is not the sum of the rows. */
  function doubtsOf({ row, cells, since, all, counts }: LabelledRow): TableDoubt[] {
    const inWords = cells.flatMap((cell): TableDoubt[] => {
      const worded = inWord(cell)
      if (worded === undefined) return []
      const amounts = all.flatMap((sum, each) => (isAmount(each) ? [{ each, sum }] : []))
      if (amounts.some(({ each, sum }) => isSameAmount(worded, sum) || isSameAmount(worded, since[each])))
        return []
      const sums = amounts.map(({ each, sum }) => `${roundSum(sum)} in ${columns[each]?.place}`).join(', ')
      return [{ row, message: `the total says ${worded}, and the rows add up to ${sums || 'nothing'}` }]
    })
    const amounts = cells.flatMap((cell, at) => {
      const says = inWord(cell) === undefined ? cellAmount(cell) : undefined
      return says === undefined || !isAmount(at) || counts.includes(says) ? [] : [{ at, says }]
    })
    // The row adds up what is since the last total, or all: whichever it is, each of its cells does.
    const readings = [since, all].map((sums) => {
      const wrong = amounts.flatMap(({ at, says }) =>
        isSameAmount(says, sums[at]) ? [] : [{ at, says, sum: sums[at] ?? 0 }],
      )
      return { wrong, off: wrong.reduce((off, { says, sum }) => off + Math.abs(says - sum), 0) }
    })
    const [nearest] = readings.toSorted(
      (one, other) => one.wrong.length - other.wrong.length || one.off - other.off,
    )
    const differing = (nearest?.wrong ?? []).map(({ at, says, sum }) => ({
      row,
      message: `${columns[at]?.place}: the total says ${says}, and the rows add up to ${roundSum(sum)}`,
    }))
    return [...inWords, ...differing]
  }

  /** The amount in a word for a total: `Total: 37.50`. */
  function inWord(cell: string): number | undefined {
    return cellAmount(totalWord.exec(cell.trim())?.[1])
  }

  /** Whether a row of numbers is the sum of several rows above: two people may work the same hours. */
  function isSum({ cells, all, counts }: Omit<LabelledRow, 'since'>): boolean {
    const cellsWithText = [...cells.entries()].filter(([, cell]) => !isBlank(cell))
    return cellsWithText.every(([at, cell]) => {
      const says = cellAmount(cell)
      const mayAdd = isAmount(at) || !columns[at]?.fills
      return says !== undefined && mayAdd && isSameAmount(says, all[at]) && (counts[at] ?? 0) > 1
    })
  }

  function isTotal({ cells, counts }: TableSurvey['labelled'][number]): boolean {
    const cellAt = (paths: readonly (string | undefined)[]) =>
      columns.flatMap(({ fills }, at) =>
        fills && paths.includes(fills.path) && !isBlank(cells[at]) ? [cells[at] ?? ''] : [],
      )
    const parts = namePartsOf(type)
    const [reference] = cellAt([type.reference])
    const names = cellAt([parts?.forename, parts?.surname, 'personName', 'personForename', 'personSurname'])
    // Somebody may have the reference SUM.
    if (reference !== undefined && isTotalLabel(reference))
      return /total/i.test(reference) || names.every((name) => cellAmount(name) !== undefined)
    // A number may be a reference, unless it is the count of the rows.
    const number = cellAmount(reference)
    const isCount = number !== undefined && counts.includes(number)
    if (names.length > 0 && (number === undefined || isCount))
      return names.every(reference === undefined ? isTotalLabel : isTotalWord)
    return (reference === undefined || isCount) && isTotalLabel(cells.find((cell) => !isBlank(cell)) ?? '')
  }

  /** Whether a line of text has a reference and a field beside it. A reference ends no word with a colon, and begins with no sign. */
  function mayBeRecord(cells: readonly string[]): boolean {
    const fieldColumns = columns.filter(({ fills }, at) => fills && !isBlank(cells[at]))
    const reference = cells[columns.findIndex(({ fills }) => fills?.path === type.reference)] ?? ''
    return fieldColumns.length > 1 && /^[\p{L}\p{N}](?!.*:(?:\s|$))/u.test(reference.trim())
  }

  /** Lines of text alone below a gap or a total: who signed, what the colours mean. */
  function notesBelow(): { readonly row: number; readonly text: string }[] {
    const lines: { row: number; text: string }[] = []
    for (const { row, cells } of [...tail].reverse()) {
      if (rows.has(row)) return lines.reverse()
      const cellsWithText = cells.filter((cell) => !isBlank(cell))
      const isText =
        cellsWithText.length <= 2 &&
        cellsWithText.every((cell) => /\p{L}.*[\s:]|[\s:].*\p{L}/u.test(cell.trim()))
      const first = lines.at(-1)
      if (row <= headingRow || !isText || mayBeRecord(cells))
        return first && first.row > row + 1 ? lines.reverse() : []
      lines.push({ row, text: cellsWithText.join(' ').replace(/\s+/g, ' ').trim().slice(0, 60) })
    }
    return []
  }
}

/** Whether two sums are one: differences below half a cent come from rounding. */
export const isSameAmount = (one: number, other = 0) => Math.abs(one - other) < 0.005

const roundSum = (sum: number) => Number(sum.toFixed(2))
