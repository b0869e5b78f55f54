import { invalidInput } from '../../errors.ts'
import { fieldAt } from '../../model/fields/field-tree.ts'
import { isBlank, type RecordType } from '../../model/records/record-type.ts'
import { readHourHeading } from '../../model/values/hour-headings.ts'
import { countNames } from './file-columns.ts'
import type { Look } from './row-source.ts'
import { isWeekRow, type TableSurvey, weekLabel } from './survey-table.ts'

/** Finds the headings below a sheet's title, or in `headingRow`. Throws exit 3 if that row is empty. */
export async function layOut(
  type: RecordType,
  headingRow: number | undefined,
  lookAt: (headingRow: number) => Promise<Look>,
) {
  const one = await lookAt(headingRow ?? 1)
  const { survey: first } = one
  if (headingRow !== undefined && first.header.every(isBlank))
    throw invalidInput(
      `Row ${headingRow} has no headings.`,
      [],
      'Name the row that has them with --heading-row.',
    )
  const nameRow = headingRow ?? headingsBelowTitle(type, first) ?? 1
  const groups = groupsOf(type, first, nameRow)
  const row = groups?.headingRow ?? nameRow
  const look = row === first.headingRow ? one : await lookAt(row)
  const { survey } = look
  const header = groups ? joinHeadings(groups, survey.header) : survey.header
  return {
    look: { ...look, survey: { ...survey, header } },
    remarks: nameRow > 1 ? [headingRemark(Math.min(nameRow, row - (groups ? 1 : 0)))] : [],
  }
}

/** A title has at most this many cells, and at most half as many as the headings. */
const mostInTitle = 2

/** The row of the headings, if only titles are above it. A lone `Weekly hours` is a title. */
function headingsBelowTitle(type: RecordType, { header, top }: TableSurvey): number | undefined {
  const isTitle = (cells: readonly string[], header: FoundHeader) => {
    if (isWeekRow(cells)) return true
    const cellCount = cells.filter((cell) => !isBlank(cell)).length
    if (cellCount > mostInTitle || cellCount * 2 > header.cells.length) return false
    return (
      cellCount === 1 || countNames(type, cells) === 0 || cells.some((cell) => weekLabel.test(cell.trim()))
    )
  }
  const isBelowTitles = (found: FoundHeader) =>
    [header, ...top.filter(({ row }) => row < found.row).map(({ cells }) => cells)].every((cells) =>
      isTitle(cells, found),
    )
  return bestOf(rowsWithNames(type, countNames(type, header), top).filter(isBelowTitles))?.row
}

/** The upper of two rows of headings, the number of the lower one, and how a name is said with its group. */
interface HeadingGroups {
  readonly headingRow: number
  readonly above: readonly string[]
  readonly join: (group: string, name: string) => string
}

/** `Basic` above `Hours` and `Rate`. After the last group stand columns of their own, such as notes. */
const joinKindAbove: HeadingGroups['join'] = (group, name) =>
  readHourHeading(group) && readHourHeading(name)?.measure !== undefined ? `${group} ${name}` : name

/** `Hours` above `Std` and `OT 1.5`, and `Rates` above the same. */
const joinMeasureAbove: HeadingGroups['join'] = (group, name) =>
  readHourHeading(name)?.measure === undefined ? `${name} ${group}` : name

/** Headings in two rows. */
function groupsOf(type: RecordType, { headingRow: first, header, top }: TableSurvey, headingRow: number) {
  if (!fieldAt(type.fields, 'rates[0].units')) return undefined
  const cellsIn = (row: number) => (row === first ? header : top.find((each) => each.row === row)?.cells)
  const filledIn = (cells: readonly string[] = []) => cells.filter((cell) => !isBlank(cell))
  const here = cellsIn(headingRow) ?? []
  const isMeasure = (cell: string) => {
    const { kind, measure, multiple } = readHourHeading(cell) ?? {}
    return kind === 'basic' && measure !== undefined && multiple === undefined
  }
  const areKindsBelow = (above: readonly string[] = [], below: readonly string[] = []) =>
    filledIn(below).length > 1 &&
    below.every((cell, at) => isBlank(cell) || (readHourHeading(cell) && isMeasure(groupAt(above, at))))
  const under = cellsIn(headingRow + 1)
  const below = filledIn(under)
  if (below.length > 1 && below.every(isMeasure))
    return { headingRow: headingRow + 1, above: here, join: joinKindAbove }
  if (areKindsBelow(here, under)) return { headingRow: headingRow + 1, above: here, join: joinMeasureAbove }
  const measures = filledIn(here)
    .filter(isMeasure)
    .map((cell) => cell.trim().toLowerCase())
  const above = cellsIn(headingRow - 1)
  if (above && areKindsBelow(above, here)) return { headingRow, above, join: joinMeasureAbove }
  const isGrouped =
    new Set(measures).size < measures.length && filledIn(above).some((cell) => readHourHeading(cell))
  return above && isGrouped ? { headingRow, above, join: joinKindAbove } : undefined
}

/** The heading of a group, which stands above the first of its columns. */
const groupAt = (above: readonly string[], at: number) =>
  above.slice(0, at + 1).findLast((cell) => !isBlank(cell)) ?? ''

/** Each heading with that of its group. */
function joinHeadings({ above, join }: HeadingGroups, header: readonly string[]): readonly string[] {
  const width = above.findLastIndex((cell) => cell.trim() !== '') + 1
  return Array.from({ length: Math.max(width, header.length) }, (_, at) => {
    const [over = '', name = ''] = [above[at]?.trim(), header[at]?.trim()]
    return name === '' ? over : join(groupAt(above, at).trim(), name)
  })
}

interface FoundHeader {
  readonly row: number
  /** The cells with something in them. */
  readonly cells: readonly string[]
  readonly names: number
}

/** The row with more names of fields than the first, `here`, if there is one: most of its cells are such names. */
export function betterHeadings(
  type: RecordType,
  here: number,
  top: TableSurvey['top'],
): FoundHeader | undefined {
  return bestOf(rowsWithNames(type, here, top).filter(({ cells, names }) => names * 2 > cells.length))
}

/** The rows with more names of fields than the first, `here`: two at least. */
function rowsWithNames(type: RecordType, here: number, top: TableSurvey['top']): FoundHeader[] {
  return top
    .map(({ row, cells }) => ({
      row,
      cells: cells.filter((cell) => !isBlank(cell)),
      names: countNames(type, cells),
    }))
    .filter(({ names }) => names > Math.max(here, 1))
}

function bestOf(rows: readonly FoundHeader[]): FoundHeader | undefined {
  return rows.reduce<FoundHeader | undefined>(
    (best, each) => (best && best.names >= each.names ? best : each),
    undefined,
  )
}

function headingRemark(row: number): string {
  const above = row === 2 ? 'row 1 above them is' : `rows 1 to ${row - 1} above them are`
  return `the headings are in row ${row}; ${above} left out`
}
