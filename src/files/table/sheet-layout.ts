import { invalidInput } from '../../errors.ts'
import { fieldAt } from '../../model/fields/field-tree.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { readHourHeading } from '../../model/values/hour-headings.ts'
import { readHeading } from '../../model/values/read-heading.ts'
import { amountIn } from '../../model/values/read-value.ts'
import { columnLetters } from '../formats/column-letters.ts'
import { namesIn } from './file-columns.ts'
import { isWeekRow, type Layout, type TableSurvey, weekLabel } from './survey-table.ts'
import { totalWord } from './total-label.ts'

/** A table, and where its rows begin and end. */
interface Laid {
  readonly survey: TableSurvey
  readonly layout: Layout
  /** What a person should know of it, as sentences. */
  readonly remarks: readonly string[]
  readonly doubts: readonly TotalDoubt[]
}

/** A total that is not what the rows add up to. */
export interface TotalDoubt {
  readonly row: number
  readonly message: string
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
  const names = headingRow ?? headingsBelowTitle(type, first) ?? 1
  const groups = groupsOf(type, first, names)
  const layout = { headingRow: groups?.headingRow ?? names }
  const totalRow = totalBelow(first, layout.headingRow)
  if (layout.headingRow === first.headingRow && totalRow === undefined)
    return { survey: first, layout, remarks: [], doubts: [] }
  const looked = await look({ ...layout, ...(totalRow !== undefined && { totalRow }) })
  const survey = groups ? { ...looked, header: joinHeadings(groups.above, looked.header) } : looked
  const total = totalRow === undefined ? undefined : judgeTotal(type, survey, first, totalRow)
  return {
    survey,
    layout: total ? { ...layout, totalRow: total.row } : layout,
    remarks: [
      ...(names > 1 ? [headingRemark(Math.min(names, layout.headingRow - (groups ? 1 : 0)))] : []),
      ...(total ? [total.says] : []),
    ],
    doubts: total?.doubts ?? [],
  }
}

const isBlank = (cell: string) => cell.trim() === ''

/** A title has no more cells, and no more than half of those that the headings have. */
const mostInTitle = 2

/**
 * The row of the headings, where it is not the first and there are only titles above it. Some of them may be words of the
 * file's own. A title may be what a field is called: `Weekly hours` alone in its row heads no column.
 */
function headingsBelowTitle(type: RecordType, { header, top }: TableSurvey): number | undefined {
  const isTitle = (cells: readonly string[], found: Found) => {
    if (isWeekRow(cells)) return true
    const filled = cells.filter((cell) => !isBlank(cell)).length
    if (filled > mostInTitle || filled * 2 > found.cells.length) return false
    return filled === 1 || namesIn(type, cells) === 0 || cells.some((cell) => weekLabel.test(cell.trim()))
  }
  const isBelowTitles = (found: Found) =>
    [header, ...top.filter(({ row }) => row < found.row).map(({ cells }) => cells)].every((cells) =>
      isTitle(cells, found),
    )
  return bestOf(rowsWithNames(type, namesIn(type, header), top).filter(isBelowTitles))?.row
}

/** Headings in two rows: `Basic` and `Overtime` above `Hours`, `Rate`, `Hours` and `Rate`. */
interface Groups {
  /** The lower of the two. */
  readonly headingRow: number
  readonly above: readonly string[]
}

/** Where the headings are in two rows; `headingRow`: the one that is taken for them. */
function groupsOf(
  type: RecordType,
  { headingRow: first, header, top }: TableSurvey,
  headingRow: number,
): Groups | undefined {
  if (!fieldAt(type.fields, 'rates[0].units')) return undefined
  const cellsIn = (row: number) => (row === first ? header : top.find((each) => each.row === row)?.cells)
  const filledIn = (cells: readonly string[] = []) => cells.filter((cell) => !isBlank(cell))
  const here = cellsIn(headingRow) ?? []
  const isMeasure = (cell: string) => {
    const { kind, measure, multiple } = readHourHeading(cell) ?? {}
    return kind === 'basic' && measure !== undefined && multiple === undefined
  }
  const below = filledIn(cellsIn(headingRow + 1))
  if (below.length > 1 && below.every(isMeasure)) return { headingRow: headingRow + 1, above: here }
  const measures = filledIn(here)
    .filter(isMeasure)
    .map((cell) => cell.trim().toLowerCase())
  const above = cellsIn(headingRow - 1)
  const isGrouped =
    new Set(measures).size < measures.length && filledIn(above).some((cell) => readHourHeading(cell))
  return above && isGrouped ? { headingRow, above } : undefined
}

/** Each heading with that of its group, which stands above the first of its columns. */
function joinHeadings(above: readonly string[], header: readonly string[]): readonly string[] {
  let group = ''
  const filled = above.findLastIndex((cell) => cell.trim() !== '') + 1
  return Array.from({ length: Math.max(filled, header.length) }, (_, at) => {
    const [over = '', name = ''] = [above[at]?.trim(), header[at]?.trim()]
    if (over !== '') group = over
    // Behind the last group stand columns of their own, such as notes.
    const isOfGroup = readHourHeading(group) && readHourHeading(name)?.measure !== undefined
    return name === '' ? over : isOfGroup ? `${group} ${name}` : name
  })
}

interface Found {
  readonly row: number
  /** Those with something in them. */
  readonly cells: readonly string[]
  readonly names: number
}

/** The row with more names of fields than the first, `here`, if there is one: most of its cells are such names. */
export function betterHeadings(type: RecordType, here: number, top: TableSurvey['top']): Found | undefined {
  return bestOf(rowsWithNames(type, here, top).filter(({ cells, names }) => names * 2 > cells.length))
}

/** The rows with more names of fields than the first, `here`: two at least. */
function rowsWithNames(type: RecordType, here: number, top: TableSurvey['top']): Found[] {
  return top
    .map(({ row, cells }) => ({
      row,
      cells: cells.filter((cell) => !isBlank(cell)),
      names: namesIn(type, cells),
    }))
    .filter(({ names }) => names > Math.max(here, 1))
}

function bestOf(rows: readonly Found[]): Found | undefined {
  return rows.reduce<Found | undefined>(
    (best, each) => (best && best.names >= each.names ? best : each),
    undefined,
  )
}

function headingRemark(row: number): string {
  const above = row === 2 ? 'row 1 above them is' : `rows 1 to ${row - 1} above them are`
  return `the headings are in row ${row}; ${above} left out`
}

/** The last row, where it may be a total: a word for it and numbers, or numbers alone. */
function totalBelow({ last, semicolons }: TableSurvey, headingRow: number): number | undefined {
  if (!last || last.row <= headingRow + 1) return undefined
  const filled = last.cells.filter((cell) => !isBlank(cell))
  const words = filled.filter((cell) => amountIn(cell, semicolons) === undefined)
  const amountInWord = totalWord.exec(words[0]?.trim() ?? '')?.[1]
  const isTotal =
    words.length <= 1 &&
    words.every((cell) => totalWord.test(cell.trim())) &&
    (filled.length > words.length ||
      (amountInWord !== undefined && amountIn(amountInWord, semicolons) !== undefined))
  return isTotal ? last.row : undefined
}

interface Total {
  readonly row: number
  readonly says: string
  readonly doubts: readonly TotalDoubt[]
}

/**
 * Whether it is one, and whether it agrees with the rows above. Undefined for a number that is no sum where nothing says that it
 * is one, and for any number in a column of something else: with a reference the row is a record.
 */
function judgeTotal(
  type: RecordType,
  { header, sums, counts, semicolons }: TableSurvey,
  { last }: TableSurvey,
  row: number,
): Total | undefined {
  const cells = last?.cells ?? []
  const label = cells.findIndex((cell) => !isBlank(cell) && amountIn(cell, semicolons) === undefined)
  const doubts: TotalDoubt[] = []
  for (const [at, cell] of cells.entries()) {
    const says = amountIn(cell, semicolons)
    if (says === undefined) continue
    const [holds, isSum] = [holdsAmounts(type, header[at] ?? ''), isEqual(says, sums[at] ?? 0)]
    // What an unknown heading is, a map may say: a word for a total is enough there.
    if (holds === false || (holds === undefined && !isSum && label < 0)) return undefined
    // Two people may work the same hours: one number is no sum of itself.
    if (label < 0 && (!isSum || (counts[at] ?? 0) < 2)) return undefined
    if (isSum) continue
    const message = `${placeOf(header, at)}: the total says ${says}, and the rows add up to ${formatSum(sums[at] ?? 0)}`
    doubts.push({ row, message })
  }
  const inWord = amountIn(totalWord.exec(cells[label]?.trim() ?? '')?.[1] ?? '', semicolons)
  if (inWord !== undefined) {
    const added = header.flatMap((name, at) => {
      const sum = sums[at]
      return sum !== undefined && holdsAmounts(type, name) ? [{ at, sum }] : []
    })
    if (!added.some(({ sum }) => isEqual(inWord, sum))) {
      const all = added.map(({ at, sum }) => `${formatSum(sum)} in ${placeOf(header, at)}`).join(', ')
      const message = `the total says ${inWord}, and the rows add up to ${all || 'nothing'}`
      doubts.push({ row, message })
    }
  }
  const agrees = doubts.length === 0 ? ': it agrees with the rows above' : ''
  return { row, says: `row ${row} is a total, and is left out${agrees}`, doubts }
}

/** Differences below half a cent come from rounding. */
const isEqual = (one: number, other: number) => Math.abs(one - other) < 0.005

const formatSum = (sum: number) => String(Number(sum.toFixed(2)))

function placeOf(header: readonly string[], at: number): string {
  const name = header[at]?.trim()
  return `column ${columnLetters(at)}${name ? ` (${name})` : ''}`
}

/** Whether a column has amounts, which can be added up; undefined where its heading does not say it. */
function holdsAmounts(type: RecordType, heading: string): boolean | undefined {
  const { path } = readHeading(type, heading)
  const field = path === undefined ? undefined : fieldAt(type.fields, path)
  return field && (field.type === 'number' || field.type === 'integer' || field.type === 'decimal')
}
