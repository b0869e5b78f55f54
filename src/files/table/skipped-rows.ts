import { isBlank, type RecordType } from '../../model/records/record-type.ts'
import { amountsIn } from '../../model/values/read-value.ts'
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
export function skippedRows(type: RecordType, columns: readonly Column[], survey: TableSurvey) {
  const { labelled, repeats, last } = survey
  const table = readTable(type, columns, survey)
  const sum = last && isSum(last, table) ? last : undefined
  const labelledTotals = labelled.filter((row) => isTotal(row, table))
  const totals = [...labelledTotals, ...(sum ? [{ ...sum, since: sum.all, counts: [] }] : [])]
  const rows = new Set([...totals.map(({ row }) => row), ...repeats])
  const notes = notesBelow(rows, table)
  const doubts = totals.flatMap((total) => [...doubtsOfWords(total, table), ...doubtsOfSums(total, table)])
  const agree =
    doubts.length === 0 && (sum !== undefined || totals.some(({ cells }) => cells.some(table.hasAmount)))
  return {
    rows: new Set([...rows, ...notes.map(({ row }) => row)]),
    remarks: [
      ...(totals.length > 0 ? [totalsRemark(totals, agree)] : []),
      ...(repeats.length > 0 ? [`the headings again in ${rowList(repeats)}: left out`] : []),
      ...notes.map(({ row, text }) => `row ${row} is a note below the table, and is left out: ${text}`),
    ],
    doubts: [...doubts, ...doubtsOfTimes(table)],
    sums: sum?.all ?? survey.sums,
    counts: sum?.counts ?? survey.counts,
  }
}

type Table = ReturnType<typeof readTable>

function readTable(type: RecordType, columns: readonly Column[], survey: TableSurvey) {
  /** The amount in a cell: of two that it may be, the one that its column adds up to. */
  const amountOf = (cell: string | undefined, ...sums: readonly (number | undefined)[]) => {
    const amounts = amountsIn(cell ?? '', { decimalComma: survey.semicolons })
    return amounts.find((amount) => sums.some((sum) => isSameAmount(amount, sum))) ?? amounts[0]
  }
  const isAmount = (at: number) =>
    ['number', 'integer', 'decimal'].includes(columns[at]?.fills?.field.type ?? '')
  const hasAmount = (cell: string, at: number) => isAmount(at) && amountOf(cell) !== undefined
  return { ...survey, type, columns, amountOf, isAmount, hasAmount }
}

function totalsRemark(totals: readonly LabelledRow[], agree: boolean): string {
  const [are, they] =
    totals.length === 1 ? ['is a total, and is', 'it agrees'] : ['are totals, and are', 'they agree']
  return `${rowList(totals.map(({ row }) => row))} ${are} left out${agree ? `: ${they} with the rows above` : ''}`
}

/** The doubts about an amount in the word for a total, `Total: 37.50`, that no column adds up to. */
function doubtsOfWords({ row, cells, since, all, counts }: LabelledRow, table: Table): TableDoubt[] {
  const sums = all.flatMap((sum, at) => (table.isAmount(at) ? [{ at, sum }] : []))
  return cells.flatMap((cell) => {
    const ofColumns = sums.flatMap(({ at, sum }) => [sum, since[at]])
    const amount = table.amountOf(totalWord.exec(cell.trim())?.[1], ...ofColumns)
    if (amount === undefined || sums.length === 0 || counts.includes(amount)) return []
    if (ofColumns.some((sum) => isSameAmount(amount, sum))) return []
    const shown = sums.map(({ at, sum }) => `${roundSum(sum)} in ${table.columns[at]?.place}`).join(', ')
    return [{ row, message: `the total says ${amount}, and the rows add up to ${shown}` }]
  })
}

/** The doubts about the amounts of a total that are not the sums of their columns. */
function doubtsOfSums({ row, cells, since, all, counts }: LabelledRow, table: Table): TableDoubt[] {
  const written = cells.flatMap((cell, at) => {
    const amount = table.amountOf(cell, since[at], all[at])
    return amount === undefined || !table.isAmount(at) || counts.includes(amount) ? [] : [{ at, amount }]
  })
  // The row adds up what is since the last total, or all: whichever it is, each of its cells does.
  const readings = [since, all].map((sums) => {
    const wrong = written.flatMap(({ at, amount }) =>
      isSameAmount(amount, sums[at]) ? [] : [{ at, amount, sum: sums[at] ?? 0 }],
    )
    return { wrong, off: wrong.reduce((off, { amount, sum }) => off + Math.abs(amount - sum), 0) }
  })
  const [nearest] = readings.toSorted(
    (one, other) => one.wrong.length - other.wrong.length || one.off - other.off,
  )
  return (nearest?.wrong ?? []).map(({ at, amount, sum }) => ({
    row,
    message: `${table.columns[at]?.place}: the total says ${amount}, and the rows add up to ${roundSum(sum)}`,
  }))
}

/** The doubts about hours that may be written as times: 7.30. */
function doubtsOfTimes({ columns, clocks }: Table): TableDoubt[] {
  return clocks.flatMap((clock, at) => {
    const { fills, addsTo, place } = columns[at] ?? {}
    if (!clock || (fills?.field.hours !== true && addsTo === undefined)) return []
    const cells = clock.cells.map(({ cell, text }) => `${text} in ${cell}`)
    const areRead = clock.count === 1 ? 'is read as a decimal' : 'are read as decimals'
    const sentence = `${place}: ${nameSome(cells, cells.length, clock.count)} ${areRead}, and not as hours and minutes`
    return [{ row: 0, message: `${sentence}: write 7:30 or 7.5 where 7 hours and 30 minutes are meant` }]
  })
}

/** Whether a row of numbers is the sum of several rows above: two people may work the same hours. */
function isSum({ cells, all, counts }: Omit<LabelledRow, 'since'>, table: Table): boolean {
  const cellsWithText = [...cells.entries()].filter(([, cell]) => !isBlank(cell))
  return cellsWithText.every(([at, cell]) => {
    const amount = table.amountOf(cell, all[at])
    const mayAdd = table.isAmount(at) || !table.columns[at]?.fills
    return amount !== undefined && mayAdd && isSameAmount(amount, all[at]) && (counts[at] ?? 0) > 1
  })
}

/** Whether a row with a word for a total is one: the word may be the name or the reference of somebody. */
function isTotal({ cells, counts }: LabelledRow, { type, columns, amountOf }: Table): boolean {
  const cellsOf = (paths: readonly (string | undefined)[]) =>
    columns.flatMap(({ fills }, at) =>
      fills && paths.includes(fills.path) && !isBlank(cells[at]) ? [cells[at] ?? ''] : [],
    )
  const parts = namePartsOf(type)
  const [reference] = cellsOf([type.reference])
  const names = cellsOf([parts?.forename, parts?.surname, 'personName', 'personForename', 'personSurname'])
  // Somebody may have the reference SUM.
  if (reference !== undefined && isTotalLabel(reference))
    return /total/i.test(reference) || names.every((name) => amountOf(name) !== undefined)
  // A number may be a reference, unless it is the count of the rows.
  const number = amountOf(reference)
  const isCount = number !== undefined && counts.includes(number)
  if (names.length > 0 && (number === undefined || isCount))
    return names.every(reference === undefined ? isTotalLabel : isTotalWord)
  return (reference === undefined || isCount) && isTotalLabel(cells.find((cell) => !isBlank(cell)) ?? '')
}

/** Lines of text alone below a gap or a total: who signed, what the colours mean. `rows`: those that are no records. */
function notesBelow(rows: ReadonlySet<number>, table: Table) {
  const lines: { readonly row: number; readonly text: string }[] = []
  for (const { row, cells } of [...table.tail].reverse()) {
    if (rows.has(row)) return lines.reverse()
    const cellsWithText = cells.filter((cell) => !isBlank(cell))
    const isText =
      cellsWithText.length <= 2 &&
      cellsWithText.every((cell) => /\p{L}.*[\s:]|[\s:].*\p{L}/u.test(cell.trim()))
    const first = lines.at(-1)
    if (row <= table.headingRow || !isText || mayBeRecord(cells, table))
      return first && first.row > row + 1 ? lines.reverse() : []
    lines.push({ row, text: cellsWithText.join(' ').replace(/\s+/g, ' ').trim().slice(0, 60) })
  }
  return []
}

/** Whether a line of text has a reference and a field beside it. A reference ends no word with a colon, and begins with no sign. */
function mayBeRecord(cells: readonly string[], { type, columns }: Table): boolean {
  const fieldColumns = columns.filter(({ fills }, at) => fills && !isBlank(cells[at]))
  const reference = cells[columns.findIndex(({ fills }) => fills?.path === type.reference)] ?? ''
  return fieldColumns.length > 1 && /^[\p{L}\p{N}](?!.*:(?:\s|$))/u.test(reference.trim())
}

/** Whether two sums are one: differences below half a cent come from rounding. */
export const isSameAmount = (one: number, other = 0) => Math.abs(one - other) < 0.005

const roundSum = (sum: number) => Number(sum.toFixed(2))
