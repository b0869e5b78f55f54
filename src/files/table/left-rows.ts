import type { RecordType } from '../../model/records/record-type.ts'
import { amountIn } from '../../model/values/read-value.ts'
import { type Column, namePartsOf } from './file-columns.ts'
import { rowList } from './row.ts'
import type { TotalDoubt } from './sheet-layout.ts'
import type { Layout, TableSurvey } from './survey-table.ts'
import { isTotalLabel, isTotalWord } from './total-label.ts'

const isBlank = (cell: string | undefined) => cell === undefined || cell.trim() === ''

interface LeftRows {
  readonly rows: ReadonlySet<number>
  readonly remarks: readonly string[]
  readonly doubts: readonly TotalDoubt[]
}

/**
 * The rows of a table that are no records, and what to say of them: totals, between the rows or below them, by their reference or
 * name; headings that are repeated; and notes below the table.
 */
export function leftRows(
  type: RecordType,
  columns: readonly Column[],
  { labelled, repeats, tail, semicolons, clocks }: TableSurvey,
  { totalRow, headingRow }: Layout,
): LeftRows {
  const totals = labelled.filter((each) => each.row > headingRow && each.row !== totalRow && isTotal(each))
  const rows = new Set([...totals.map(({ row }) => row), ...repeats])
  const notes = notesBelow()
  const doubts = totals.flatMap(({ row, cells, since, all, counts }) =>
    cells.flatMap((cell, at): TotalDoubt[] => {
      const says = amountIn(cell, semicolons)
      const { fills, place } = columns[at] ?? {}
      const isAmount = fills && ['number', 'integer', 'decimal'].includes(fills.field.type)
      if (says === undefined || !isAmount || counts.includes(says)) return []
      const sums = [since[at] ?? 0, all[at] ?? 0]
      if (sums.some((sum) => Math.abs(sum - says) < 0.005)) return []
      // Of a subtotal the rows above it are nearer to what it says.
      const [nearest = 0] = sums.toSorted((one, other) => Math.abs(one - says) - Math.abs(other - says))
      const sum = Number(nearest.toFixed(2))
      return [{ row, message: `${place}: the total says ${says}, and the rows add up to ${sum}` }]
    }),
  )
  const times = clocks.flatMap((clock, at): TotalDoubt[] => {
    const { fills, place } = columns[at] ?? {}
    if (!clock || fills?.field.hours !== true) return []
    const { cell, text } = clock
    const says = `${place}: ${text} in ${cell} is read as ${Number(text)} hours, and not as hours and minutes`
    return [{ row: 0, message: `${says}: write 7:30 or 7.5 where 7 hours and 30 minutes are meant` }]
  })
  const list = totals.map(({ row }) => row)
  const agrees =
    doubts.length === 0 &&
    totals.some(({ cells }) => cells.some((cell) => amountIn(cell, semicolons) !== undefined))
  const which = list.length === 1 ? 'is a total, and is left out' : 'are totals, and are left out'
  return {
    rows: new Set([...rows, ...notes.map(({ row }) => row)]),
    remarks: [
      ...(list.length > 0
        ? [
            `${rowList(list)} ${which}${agrees ? `: ${list.length === 1 ? 'it agrees' : 'they agree'} with the rows above` : ''}`,
          ]
        : []),
      ...(repeats.length > 0 ? [`the headings again in ${rowList(repeats)}: left out`] : []),
      ...notes.map(({ row, text }) => `row ${row} is a note below the table, and is left out: ${text}`),
    ],
    doubts: [...doubts, ...times],
  }

  function isTotal({ cells, counts }: TableSurvey['labelled'][number]): boolean {
    const cellAt = (paths: readonly (string | undefined)[]) =>
      columns.flatMap(({ fills }, at) =>
        fills && paths.includes(fills.path) && !isBlank(cells[at]) ? [cells[at] ?? ''] : [],
      )
    const parts = namePartsOf(type)
    const [reference] = cellAt([type.reference?.request])
    const names = cellAt([parts?.forename, parts?.surname, 'personName', 'personForename', 'personSurname'])
    if (reference !== undefined && isTotalLabel(reference)) return true
    if (names.length > 0) return names.every(reference === undefined ? isTotalLabel : isTotalWord)
    const isCount = reference === undefined || counts.includes(amountIn(reference, semicolons) ?? -1)
    return isCount && isTotalLabel(cells.find((cell) => !isBlank(cell)) ?? '')
  }

  /** Lines of text alone below a gap or a total: who signed, what the colours mean. */
  function notesBelow(): { readonly row: number; readonly text: string }[] {
    const found: { row: number; text: string }[] = []
    for (const { row, cells } of [...tail].reverse()) {
      if (rows.has(row) || row === totalRow) return found.reverse()
      const filled = cells.filter((cell) => !isBlank(cell))
      const isText =
        filled.length <= 2 && filled.every((cell) => /\p{L}.*[\s:]|[\s:].*\p{L}/u.test(cell.trim()))
      const first = found.at(-1)
      if (row <= headingRow || !isText) return first && first.row > row + 1 ? found.reverse() : []
      found.push({ row, text: filled.join(' ').replace(/\s+/g, ' ').trim().slice(0, 60) })
    }
    return []
  }
}
