import { invalidInput } from '../../errors.ts'
import { readXlsx as readSheet } from '../../formats/xlsx.ts'
import type { Row } from '../row.ts'
import type { Reading, SourceOptions } from './source.ts'
import { headerOf, type Line, tableOf } from './table.ts'

/** The first sheet of a workbook as rows of records. Throws a Failure when it is none, or its header is none. */
export async function readXlsx(path: string, options: SourceOptions): Promise<Reading> {
  const lines = await linesOf(path)
  const table = tableOf(headerOf(lines[0]), options)
  return {
    columns: table.header,
    async *rows(): AsyncGenerator<Row> {
      for (const line of lines.slice(1)) {
        const row = table.read(line)
        if (row) yield row
      }
    },
  }
}

/** The first row. */
export async function xlsxHeader(path: string): Promise<string[]> {
  const [first] = await linesOf(path)
  return headerOf(first)
}

async function linesOf(path: string): Promise<readonly Line[]> {
  const sheet = await readSheet(path).catch(() => {
    throw invalidInput(
      `${path} is no workbook that can be read. Nothing was sent.`,
      [],
      'Save it as CSV UTF-8.',
    )
  })
  return sheet.map((cells, at) => ({ row: at + 1, cells }))
}
