import type { RecordType } from '../../../api/contract/records/record-type.ts'
import { invalidInput } from '../../../errors.ts'
import { type FileColumns, namesIn } from './file-columns.ts'
import type { TableSurvey } from './survey-table.ts'

/** As many headings are named. */
const mostNamed = 3

/** Throws a Failure where the headings stand further down, below a title or merged cells, or there are none. */
export function assertHeader(
  type: RecordType,
  { columns, unmatched, issues }: FileColumns,
  { top }: Pick<TableSurvey, 'top'>,
): void {
  const here = columns.filter(({ fills }) => fills).length
  const isWhole = unmatched.length + issues.length === 0
  if (isWhole && here > 0) return
  const found = top
    .map(({ row, cells }) => ({
      row,
      cells: cells.filter((cell) => cell.trim() !== ''),
      names: namesIn(type, cells),
    }))
    .filter(({ cells, names }) => names > Math.max(here, 1) && names * 2 > cells.length)
    .reduce<Found | undefined>((best, each) => (best && best.names >= each.names ? best : each), undefined)
  if (found) {
    const { row, cells } = found
    const names = cells.slice(0, mostNamed).map((cell) => cell.replace(/\s+/g, ' ').trim().slice(0, 40))
    const above = row === 2 ? 'row 1' : `the ${row - 1} rows above it`
    throw invalidInput(
      `The headings seem to be in row ${row} (${names.join(', ')}${cells.length > mostNamed ? ', …' : ''}). Nothing was sent.`,
      [],
      `Delete ${above}, and run the command again.`,
    )
  }
  if (isWhole) throw invalidInput('The file has no columns. Nothing was sent.', [])
}

interface Found {
  readonly row: number
  /** Those with something in them. */
  readonly cells: readonly string[]
  readonly names: number
}
