import { openArchive } from './archive.ts'
import { notesTitle } from './notes-sheet.ts'
import { damagedWorkbook, unreadableWorkbook } from './read-xml.ts'
import { type SheetOptions, type SheetRow, sheetRows } from './sheet-rows.ts'
import { readWorkbook, type SheetPart, type Workbook } from './workbook.ts'

export type { SheetRow } from './sheet-rows.ts'

/** The only sheet of a workbook that has content. */
export interface Sheet {
  readonly name: string
  /** Whether the workbook hides it. */
  readonly hidden: boolean
  /** Its rows from the start. Throws as `openXlsx` does. */
  rows(options?: SheetOptions): AsyncGenerator<SheetRow>
}

/**
 * Finds the only sheet with content; undefined if all are empty. Holds one row and the shared texts in memory. Throws a
 * Failure (exit 3) if it is not an XLSX, is too large, or has several sheets with content.
 */
export async function openXlsx(bytes: Uint8Array): Promise<Sheet | undefined> {
  const archive = await openArchive(bytes)
  const book = await readWorkbook(archive)
  const rowsOf = (part: string, options?: SheetOptions) =>
    sheetRows(archive.part(part) ?? nothing(), book, options)
  const filled = await withContent(book, rowsOf)
  const [sheet, ...others] = filled
  if (others.length > 0) {
    const names = filled.map(({ name }) => name).join(', ')
    throw unreadableWorkbook(
      `${filled.length} of its sheets contain data (${names})`,
      'Save the sheet that you want to import as a file of its own.',
    )
  }
  return sheet && { name: sheet.name, hidden: sheet.hidden, rows: (options) => rowsOf(sheet.part, options) }
}

async function withContent({ sheets }: Workbook, rowsOf: (part: string) => AsyncIterable<SheetRow>) {
  const filled: SheetPart[] = []
  for (const sheet of sheets) {
    for await (const { cells } of rowsOf(sheet.part)) {
      if (cells[0] !== notesTitle) filled.push(sheet)
      break
    }
  }
  return filled
}

function nothing(): never {
  throw damagedWorkbook()
}
