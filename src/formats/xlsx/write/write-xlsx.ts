import type { Cell } from 'write-excel-file/node'
import { isObject, type Json } from '../../../json/path.ts'
import { stringifyJson } from '../../../json/stringify.ts'
import { escapeText } from '../escapes.ts'

/**
 * A workbook with one sheet, as bytes. Text cells are text, so that no leading zero is lost and nothing is run; numbers
 * and booleans keep their type; anything else is JSON. `marked`: the cells to fill with a colour, both counted from 0
 * and without the header.
 */
export async function writeXlsx(
  header: readonly string[],
  rows: readonly (readonly Json[])[],
  marked: (row: number, column: number) => boolean = () => false,
): Promise<Uint8Array> {
  const { default: writeWorkbook } = await import('write-excel-file/node')
  const data = [
    header.map((name): Cell => ({ value: escapeText(name), type: String, fontWeight: 'bold' })),
    ...rows.map((row, at) => row.map((value, column) => coloured(cellOf(value), marked(at, column)))),
  ]
  return await writeWorkbook(data, { sheet: 'payroll', stickyRowsCount: 1 }).toBuffer()
}

/** The red of a spreadsheet's own style for what is bad. */
const red = '#FFC7CE'

/** An empty cell can be what is wrong too. */
function coloured(cell: Cell, isMarked: boolean): Cell {
  if (!isMarked) return cell
  if (typeof cell === 'number' || typeof cell === 'boolean') return { value: cell, backgroundColor: red }
  return isObject(cell) ? { ...cell, backgroundColor: red } : { backgroundColor: red }
}

function cellOf(value: Json): Cell {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const text = isObject(value) || Array.isArray(value) ? stringifyJson(value) : String(value)
  return { value: escapeText(text), type: String, format: '@' }
}
