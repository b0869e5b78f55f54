import { helpMark, helpText } from '../../../api/contract/fields/help-line.ts'
import type { Column } from './file-columns.ts'

/**
 * Whether a row is the help line of a workbook of `template`: each of its cells is the help of its column. With
 * anything else in it, it is `changed`, and nothing of it is left out in silence.
 */
export function helpLineIn(
  row: number,
  cells: readonly string[],
  columns: readonly Column[],
): 'whole' | 'changed' | undefined {
  if (row !== 2 || !cells.some((cell) => cell.startsWith(helpMark))) return undefined
  const isHelp = cells.every((cell, at) => {
    const field = columns[at]?.fills?.field
    const text = cell.startsWith(helpMark) ? cell.slice(helpMark.length) : cell
    return text.trim() === '' || (field !== undefined && text.trim() === helpText(field))
  })
  return isHelp ? 'whole' : 'changed'
}
