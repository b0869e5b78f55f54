import type { CellValue } from 'read-excel-file/node'
import type { Cell } from 'write-excel-file/node'
import { isObject, type Json } from '../api/contract/path.ts'
import { Failure, invalidInput } from '../errors.ts'
import { columnLetters } from './column-letters.ts'

/** Larger than any list of people; the whole of it is held. */
const largestFile = 32 * 1024 * 1024
const largestUnpacked = 256 * 1024 * 1024

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
  const parts = await unpacked(bytes)
  const errors = errorCells(parts)
  const { zipSync } = await import('fflate')
  const { default: readWorkbook } = await import('read-excel-file/node')
  let sheets: Awaited<ReturnType<typeof readWorkbook>>
  try {
    sheets = await readWorkbook(Buffer.from(zipSync(parts, { level: 0 })), { trim: false })
  } catch {
    throw damaged()
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
 * The parts of a workbook that are XML, no larger than the file says they are, and than is reasonable: a small
 * archive can say that it is small, and unpack to more than there is memory.
 */
async function unpacked(bytes: Uint8Array): Promise<Record<string, Uint8Array>> {
  const { unzipSync } = await import('fflate')
  let size = 0
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        size += originalSize
        if (size > largestUnpacked) throw unfit('unpacked it is larger than 256 MiB', 'Save it as CSV UTF-8.')
        return /\.(xml|rels)$/.test(name)
      },
    })
  } catch (error) {
    throw error instanceof Failure ? error : damaged()
  }
}

/**
 * The cells that hold an error of the spreadsheet, by address. The reader takes them for empty, and what is not
 * there would not be missed.
 */
function errorCells(parts: Record<string, Uint8Array>): Map<string, string> {
  const found = new Map<string, string>()
  const sheets = Object.keys(parts).filter((name) => /^xl\/worksheets\/[^/]+\.xml$/.test(name))
  for (const name of sheets) {
    const xml = new TextDecoder().decode(parts[name])
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

const damaged = () => unfit('it is damaged, or no XLSX', 'Open it in the spreadsheet, and save it as XLSX.')

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
  return { value: text, type: String, format: '@' }
}
