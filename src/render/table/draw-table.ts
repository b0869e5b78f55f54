import Table, { type Cell, type HorizontalAlignment } from 'cli-table3'
import { gap } from './table-widths.ts'

/** Cells that are cut to their widths already. */
interface Drawing {
  /** A label may have several lines. */
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly widths: readonly number[]
  /** The columns whose cells stand at their right, as amounts do. */
  readonly toRight: readonly boolean[]
}

const borderless = Object.fromEntries(
  ['top', 'bottom', 'left', 'mid', 'right']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .concat('middle', 'mid-mid')
    .map((part) => [part, '']),
)

/** The time that cli-table3 takes grows with the square of the rows: thousands of rows are drawn as tables of so many. */
const rowsAtOnce = 100

/** A table without borders, as text. */
export function drawTable({ head, rows, widths, toRight }: Drawing): string {
  const colAligns = toRight.map((isRight): HorizontalAlignment => (isRight ? 'right' : 'left'))
  const headRow = head.map((content): Cell => ({ content, vAlign: 'bottom' }))
  const parts: string[] = []
  for (let from = 0; from === 0 || from < rows.length; from += rowsAtOnce) {
    const drawn = new Table({
      chars: { ...borderless, middle: ' '.repeat(gap) },
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
      colWidths: [...widths],
      colAligns,
    })
    if (from === 0) drawn.push(headRow)
    for (const row of rows.slice(from, from + rowsAtOnce)) drawn.push([...row])
    parts.push(`${drawn.toString().replace(/ +$/gm, '')}\n`)
  }
  return parts.join('')
}
