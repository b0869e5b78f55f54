import type { Cell } from 'write-excel-file/node'
import { exactIn } from '../../../model/fields/amounts.ts'
import { dayMs, dayOfTimestamp, timeIn } from '../../../text/day.ts'
import { hasNoValue, isObject, type Json } from '../../json/path.ts'
import { stringifyJson } from '../../json/stringify.ts'
import { escapeText } from '../escaped-text.ts'

/** A column: its heading, and what its values are; text, if that is not given. */
export interface XlsxColumn {
  readonly heading: string
  readonly holds?: 'dates' | 'numbers' | 'amounts' | undefined
}

/**
 * A workbook with one sheet. Text cells are text, so that no leading zero is lost and nothing is run.
 * `marked`: the cells to fill with a colour, both counted from 0 and without the header.
 */
export async function writeXlsx(
  header: readonly (XlsxColumn | string)[],
  rows: readonly (readonly Json[])[],
  isColoured: (row: number, column: number) => boolean = () => false,
): Promise<Uint8Array> {
  const { default: writeWorkbook } = await import('write-excel-file/node')
  const columns = header.map((each): XlsxColumn => (typeof each === 'string' ? { heading: each } : each))
  const data = [
    columns.map(({ heading }): Cell => ({ value: escapeText(heading), type: String, fontWeight: 'bold' })),
    ...rows.map((row, at) =>
      row.map((value, column) => colour(xlsxCell(value, columns[column]?.holds), isColoured(at, column))),
    ),
  ]
  const widths = columns.map(({ heading }) => ({ width: Math.min(Math.max(12, heading.length + 3), 40) }))
  return await writeWorkbook(data, { sheet: 'payroll', stickyRowsCount: 1, columns: widths }).toBuffer()
}

/** A workbook has no dates before. */
const firstDate = Date.UTC(1900, 0)

/** The number that a value is, if a workbook can hold it exactly: it keeps fifteen digits. */
function numberOf(value: Json): number | undefined {
  const number = exactIn(value)
  const isKept = typeof value === 'number' || String(number).replaceAll(/\D/g, '').length <= 15
  return typeof number === 'number' && isKept ? number : undefined
}

/** The red of Excel's own style for bad cells. */
const red = '#FFC7CE'

/** An empty cell can be what is wrong too. */
function colour(cell: Cell, isColoured: boolean): Cell {
  if (!isColoured) return cell
  if (typeof cell === 'number' || typeof cell === 'boolean') return { value: cell, backgroundColor: red }
  return isObject(cell) ? { ...cell, backgroundColor: red } : { backgroundColor: red }
}

function xlsxCell(value: Json, holds: XlsxColumn['holds']): Cell {
  if (hasNoValue(value)) return null
  const number = holds === 'amounts' || holds === 'numbers' ? numberOf(value) : undefined
  if (number !== undefined)
    return { value: number, type: Number, ...(holds === 'amounts' && { format: '#,##0.00##' }) }
  const time = holds === 'dates' && typeof value === 'string' ? timeIn(dayOfTimestamp(value)) : undefined
  if (time !== undefined && time >= firstDate)
    return {
      value: new Date(time),
      type: Date,
      format: time % dayMs === 0 ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm',
    }
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const text = isObject(value) || Array.isArray(value) ? stringifyJson(value) : String(value)
  return { value: escapeText(text), type: String, format: '@' }
}
