import type { Cell } from 'write-excel-file/node'
import { isObject, type Json } from '../../json/path.ts'
import { stringifyJson } from '../../json/stringify.ts'
import { escapeText } from './escapes.ts'

/**
 * A workbook with one sheet, as bytes. Text cells are text, so that no leading zero is lost and nothing is run; numbers
 * and booleans keep their type; anything else is JSON.
 */
export async function writeXlsx(
  header: readonly string[],
  rows: readonly (readonly Json[])[],
): Promise<Uint8Array> {
  const { default: writeWorkbook } = await import('write-excel-file/node')
  const data = [
    header.map((name): Cell => ({ value: escapeText(name), type: String, fontWeight: 'bold' })),
    ...rows.map((row) => row.map(cellOf)),
  ]
  return await writeWorkbook(data, { sheet: 'payroll', stickyRowsCount: 1 }).toBuffer()
}

function cellOf(value: Json): Cell {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const text = isObject(value) || Array.isArray(value) ? stringifyJson(value) : String(value)
  return { value: escapeText(text), type: String, format: '@' }
}
