import type { Cell } from 'write-excel-file/node'
import { isObject, type Json } from '../../json/path.ts'
import { stringifyJson } from '../../json/stringify.ts'
import { escapeText } from '../escaped-text.ts'

/** A column: its heading, and what its values are; text, if that is not given. */
export interface XlsxColumn {
  readonly heading: string
  readonly holds?: 'dates' | 'times' | 'numbers' | 'amounts' | undefined
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

/** ISO 8601, a day or a moment in UTC, as interface.md has them; not before 1900, where a workbook has no dates. */
const isoTime = /^(19|[2-9]\d)\d\d-\d\d-\d\d(T[\d:.]+Z)?$/

/** A decimal that a workbook can hold exactly: it keeps fifteen digits. */
const isExact = (value: Json) =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d{1,11}(\.\d{1,4})?$/.test(value))

/** The red of Excel's own style for bad cells. */
const red = '#FFC7CE'

/** An empty cell can be what is wrong too. */
function colour(cell: Cell, isColoured: boolean): Cell {
  if (!isColoured) return cell
  if (typeof cell === 'number' || typeof cell === 'boolean') return { value: cell, backgroundColor: red }
  return isObject(cell) ? { ...cell, backgroundColor: red } : { backgroundColor: red }
}

function xlsxCell(value: Json, holds: XlsxColumn['holds']): Cell {
  if (value === null || value === undefined || value === '') return null
  if ((holds === 'amounts' || holds === 'numbers') && isExact(value))
    return { value: Number(value), type: Number, ...(holds === 'amounts' && { format: '#,##0.00##' }) }
  if ((holds === 'dates' || holds === 'times') && typeof value === 'string' && isoTime.test(value))
    return {
      value: new Date(value),
      type: Date,
      format: holds === 'dates' ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm',
    }
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const text = isObject(value) || Array.isArray(value) ? stringifyJson(value) : String(value)
  return { value: escapeText(text), type: String, format: '@' }
}
