import { openArchive } from './archive.ts'
import { type CellRow, refuseDamaged, type SheetOptions, sheetRows } from './sheet-rows.ts'
import { readWorkbook } from './workbook.ts'
import { notesTitle } from './write-form.ts'

/** A sheet with content. */
export interface FilledSheet {
  readonly name: string
  readonly hidden: boolean
  /** Its first rows. */
  readonly top: readonly (readonly string[])[]
  /** Its rows from the start. Throws as `openXlsx` does. */
  rows(options?: SheetOptions): AsyncGenerator<CellRow>
}

const shownRows = 10

/** The sheets of a workbook that have content. Throws exit 3 if it is not XLSX, or too large. */
export async function openXlsx(bytes: Uint8Array): Promise<readonly FilledSheet[]> {
  const archive = await openArchive(bytes)
  const book = await readWorkbook(archive)
  const sheets: FilledSheet[] = []
  for (const { name, hidden, part } of book.sheets) {
    const rows = (options?: SheetOptions) => sheetRows(archive.part(part) ?? refuseDamaged(), book, options)
    const top: (readonly string[])[] = []
    for await (const { cells } of rows()) {
      if (top.push(cells) >= shownRows) break
    }
    const [[first] = []] = top
    if (top.length > 0 && first !== notesTitle) sheets.push({ name, hidden, top, rows })
  }
  return sheets
}
