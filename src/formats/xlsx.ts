import type { JsonObject } from '../api/contract/path.ts'
import { cellsOf } from './cells.ts'

/** What a cell of a workbook holds. A day without a zone is midnight UTC. */
export type SheetCell = string | number | boolean | Date | null

/** The rows of the first sheet of a workbook, empty ones included. Rejects when the file is none. */
export async function readXlsx(path: string): Promise<SheetCell[][]> {
  const { readSheet } = await import('read-excel-file/node')
  return (await readSheet(path, { trim: false })) as SheetCell[][]
}

/**
 * A workbook of one sheet, as bytes. Text stays text, whatever it looks like, so that no leading zero is lost; only
 * numbers and yes or no are what they are.
 */
export async function writeXlsx(rows: readonly JsonObject[], columns: readonly string[]): Promise<Buffer> {
  const { default: write } = await import('write-excel-file/node')
  const header = columns.map((value) => ({ value, type: String, fontWeight: 'bold' as const }))
  const body = rows.map((row) => {
    const cells = cellsOf(row)
    return columns.map((column) => {
      const value = cells.get(column)
      if (value === undefined || value === null || value === '') return null
      if (typeof value === 'number') return { value, type: Number }
      if (typeof value === 'boolean') return { value, type: Boolean }
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
      return { value: text, type: String, format: '@' }
    })
  })
  return write([header, ...body]).toBuffer()
}
