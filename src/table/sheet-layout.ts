import type { RecordType } from '../api/contract/records/record-type.ts'
import { invalidInput } from '../errors.ts'
import { columnLetters } from '../formats/column-letters.ts'
import { namesIn } from './file-columns.ts'
import { amountIn, type Layout, type TableSurvey } from './survey-table.ts'

/** A table, and where its rows begin and end. */
interface Laid {
  readonly survey: TableSurvey
  readonly layout: Layout
  /** What a person should know of it, as sentences. */
  readonly remarks: readonly string[]
}

/**
 * Finds the headings below the title of a sheet, and the total below its rows: `look` reads the sheet once. Headings
 * that stand further down are taken only where everything above them is a title, and a total only where it says so or is the
 * sum of its columns. `headingRow`: the row that a person named. Throws a Failure (exit 3) for one that is empty.
 */
export async function layOut(
  type: RecordType,
  headingRow: number | undefined,
  look: (layout: Layout) => Promise<TableSurvey>,
): Promise<Laid> {
  const first = await look({ headingRow: headingRow ?? 1 })
  if (headingRow !== undefined && first.header.every(isBlank))
    throw invalidInput(
      `Row ${headingRow} has no headings.`,
      [],
      'Name the row that has them with --heading-row.',
    )
  const layout = { headingRow: headingRow ?? headingsBelowTitle(type, first) ?? 1 }
  const totalRow = totalBelow(first, layout.headingRow)
  if (layout.headingRow === first.headingRow && totalRow === undefined)
    return { survey: first, layout, remarks: [] }
  const survey = await look({ ...layout, ...(totalRow !== undefined && { totalRow }) })
  const total = totalRow === undefined ? undefined : judgeTotal(survey, first, totalRow)
  return {
    survey,
    layout: total ? { ...layout, totalRow: total.row } : layout,
    remarks: [
      ...(layout.headingRow > 1 ? [headingRemark(layout.headingRow)] : []),
      ...(total ? [total.says] : []),
    ],
  }
}

const isBlank = (cell: string) => cell.trim() === ''

/** A title has no more cells, and no more than half of those that the headings have. */
const mostInTitle = 2

/** The row of the headings, where it is not the first and there are only titles above it. */
function headingsBelowTitle(type: RecordType, { header, top }: TableSurvey): number | undefined {
  const here = namesIn(type, header)
  const found = betterHeadings(type, here, top)
  if (!found) return undefined
  const isTitle = (cells: readonly string[]) => {
    const filled = cells.filter((cell) => !isBlank(cell)).length
    return filled <= mostInTitle && filled * 2 <= found.cells.length && namesIn(type, cells) === 0
  }
  const above = [header, ...top.filter(({ row }) => row < found.row).map(({ cells }) => cells)]
  return above.every(isTitle) ? found.row : undefined
}

interface Found {
  readonly row: number
  /** Those with something in them. */
  readonly cells: readonly string[]
  readonly names: number
}

/** The row with more names of fields than the first, `here`, if there is one: most of its cells are such names. */
export function betterHeadings(type: RecordType, here: number, top: TableSurvey['top']): Found | undefined {
  return top
    .map(({ row, cells }) => ({
      row,
      cells: cells.filter((cell) => !isBlank(cell)),
      names: namesIn(type, cells),
    }))
    .filter(({ cells, names }) => names > Math.max(here, 1) && names * 2 > cells.length)
    .reduce<Found | undefined>((best, each) => (best && best.names >= each.names ? best : each), undefined)
}

function headingRemark(row: number): string {
  const above = row === 2 ? 'row 1 above them is' : `rows 1 to ${row - 1} above them are`
  return `the headings are in row ${row}; ${above} left out`
}

const totalWord = /^(?:grand\s+|sub[\s-]?)?totals?(?:\s+\w+)?\s*:?$|^sum\s*:?$/i

/** The last row, where it may be a total: a word for it and numbers, or numbers alone. */
function totalBelow({ last }: TableSurvey, headingRow: number): number | undefined {
  if (!last || last.row <= headingRow + 1) return undefined
  const filled = last.cells.filter((cell) => !isBlank(cell))
  const others = filled.filter((cell) => !totalWord.test(cell.trim()))
  const isTotal =
    others.length > 0 &&
    filled.length - others.length <= 1 &&
    others.every((cell) => amountIn(cell) !== undefined)
  return isTotal ? last.row : undefined
}

/** Whether it is one, and whether it agrees with the rows above. Undefined for numbers that say nothing and are no sum. */
function judgeTotal({ header, sums }: TableSurvey, { last }: TableSurvey, row: number) {
  const cells = last?.cells ?? []
  const isNamed = cells.some((cell) => totalWord.test(cell.trim()))
  const wrong = cells.flatMap((cell, at) => {
    const says = amountIn(cell)
    const sum = sums[at] ?? 0
    if (says === undefined || Math.abs(says - sum) < 0.005) return []
    const name = header[at]?.trim()
    return [
      `column ${columnLetters(at)}${name ? ` (${name})` : ''} says ${says}, and the rows add up to ${Number(sum.toFixed(2))}`,
    ]
  })
  if (!isNamed && wrong.length > 0) return undefined
  const says = wrong.length === 0 ? 'it agrees with the rows above' : wrong.join('; ')
  return { row, says: `row ${row} is a total, and is left out: ${says}` }
}
