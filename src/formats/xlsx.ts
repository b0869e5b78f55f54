import type { CellValue } from 'read-excel-file/node'
import type { Cell } from 'write-excel-file/node'
import { isObject, type Json } from '../api/contract/path.ts'
import { Failure, invalidInput } from '../errors.ts'
import { columnLetters } from './column-letters.ts'
import { seemsMarked } from './formula.ts'

/** Larger than any list of people; the whole of it is held. */
const largestFile = 32 * 1024 * 1024
const largestUnpacked = 512 * 1024 * 1024

/** One row of a sheet, from 1: its cells as text, and which of them are dates to the spreadsheet. */
export interface SheetRow {
  readonly row: number
  readonly cells: readonly string[]
  readonly dates: ReadonlySet<number>
}

/**
 * The rows of the only sheet of an XLSX that holds anything, empty ones included. Dates become YYYY-MM-DD, and an
 * error of the spreadsheet stays its name, `#N/A`. Throws a Failure (exit 3) for what is no XLSX, too large, or has
 * several sheets with something on them.
 */
export async function readXlsx(bytes: Uint8Array): Promise<SheetRow[]> {
  if (bytes.length > largestFile) throw unfit('it is larger than 32 MiB', 'Save it as CSV UTF-8.')
  const errors = await errorCells(bytes)
  const { default: readWorkbook } = await import('read-excel-file/node')
  let sheets: Awaited<ReturnType<typeof readWorkbook>>
  try {
    sheets = await readWorkbook(Buffer.from(bytes), { trim: false })
  } catch (error) {
    throw error instanceof Failure
      ? error
      : unfit('it is damaged, or no XLSX', 'Open it in the spreadsheet, and save it as XLSX.')
  }
  const filled = sheets.filter(({ data }) => data.some((row) => row.some((cell) => cell !== null)))
  const [sheet, ...others] = filled
  if (others.length > 0) {
    const names = filled.map((each) => each.sheet).join(', ')
    throw unfit(
      `${filled.length} of its sheets hold something (${names})`,
      'Save the sheet that is meant as a file of its own.',
    )
  }
  return (sheet?.data ?? []).map((cells, at) => ({
    row: at + 1,
    cells: cells.map((cell, column) => errors.get(`${columnLetters(column)}${at + 1}`) ?? textOf(cell)),
    dates: new Set(cells.flatMap((cell, column) => (isDate(cell) ? [column] : []))),
  }))
}

/**
 * The cells that hold an error of the spreadsheet, by address. The reader takes them for empty, and what is not
 * there would not be missed. Unpacks no more than the file says it holds, and no more than is reasonable.
 */
async function errorCells(bytes: Uint8Array): Promise<Map<string, string>> {
  const { unzipSync } = await import('fflate')
  let size = 0
  let parts: Record<string, Uint8Array>
  try {
    parts = unzipSync(bytes, {
      filter({ name, originalSize }) {
        size += originalSize
        if (size > largestUnpacked) throw unfit('unpacked it is larger than 512 MiB', 'Save it as CSV UTF-8.')
        return /^xl\/worksheets\/[^/]+\.xml$/.test(name)
      },
    })
  } catch (error) {
    throw error instanceof Failure
      ? error
      : unfit('it is damaged, or no XLSX', 'Open it in the spreadsheet, and save it as XLSX.')
  }
  const found = new Map<string, string>()
  for (const part of Object.values(parts)) {
    const xml = new TextDecoder().decode(part)
    for (const [, attributes = '', inside = ''] of xml.matchAll(/<c\s([^>]*\bt="e"[^>]*)>(.*?)<\/c>/gs)) {
      const address = /\br="([A-Z]+\d+)"/.exec(attributes)?.[1]
      if (address) found.set(address, /<v>([^<]*)<\/v>/.exec(inside)?.[1] ?? '#N/A')
    }
  }
  return found
}

function textOf(cell: Json): string {
  if (cell === null || cell === undefined) return ''
  if (isDate(cell)) return cell.toISOString().replace(/T00:00:00\.000Z$/, '')
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  return String(cell)
}

const isDate = (cell: CellValue | Json): cell is Date => cell instanceof Date

function unfit(why: string, hint: string): Failure {
  return invalidInput(`The workbook cannot be read: ${why}. Nothing was sent.`, [], hint)
}

/**
 * A workbook of one sheet, as bytes. Text is text, so that no zero in front is lost and nothing is run; numbers and
 * truth values are what they are; anything else is JSON.
 */
export async function writeXlsx(
  header: readonly string[],
  rows: readonly (readonly Json[])[],
): Promise<Uint8Array> {
  const { default: writeWorkbook } = await import('write-excel-file/node')
  const data = [
    header.map((name): Cell => ({ value: name, type: String, fontWeight: 'bold' })),
    ...rows.map((row) => row.map(cellOf)),
  ]
  return await writeWorkbook(data, { sheet: 'payroll', stickyRowsCount: 1 }).toBuffer()
}

function cellOf(value: Json): Cell {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const text = isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)
  return { value: seemsMarked(text) ? `'${text}` : text, type: String, format: '@' }
}
