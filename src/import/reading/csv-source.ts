import { csvText } from '../../formats/csv-cell.ts'
import { markCell, markFormula, unmarkFormula } from '../../formats/formula.ts'
import { openCsv } from '../../formats/read-csv.ts'
import { decodeText, encodingOf } from '../../formats/text-encoding.ts'
import { isRejects } from './columns/file-columns.ts'
import type { OpenedFile } from './open-bytes.ts'
import { ownCells, rejectColumns, rejectLines } from './reject-lines.ts'
import { limitRows, type RowSource, type SourceOptions, withChosenMap } from './row-source.ts'
import { columnFor, readHeader, tableRows } from './table-rows.ts'

/** A CSV file from a spreadsheet: comma, semicolon or tab, in UTF-8, UTF-16 or a given encoding. */
export async function csvSource(file: OpenedFile, given: SourceOptions): Promise<RowSource> {
  const encoding = encodingOf(file.start, given.encoding)
  const open = () => openCsv(decodeText(file.bytes(), encoding))
  const { delimiter, crlf, rows } = await open()
  const [first = [], second = []] = await firstTwo(rows)
  const header = first.map(unmarkFormula)
  const options = { ...(await withChosenMap(given, header)), semicolons: delimiter === ';' }
  const columns = readHeader(header, second, options)
  const own = header.slice(0, isRejects(header) ? -rejectColumns.length : undefined)
  const form = { delimiter, crlf, marked: encoding.label !== 'utf-8' || encoding.marked }
  return {
    format: 'csv',
    columns: header,
    notSent: columns.filter(({ fills, name }) => !fills && name !== '').map(({ name }) => name),
    sha256: file.sha256,
    rows: async function* () {
      const { rows } = await open()
      yield* limitRows(tableRows(rows, columns, options))
    },
    own,
    columnFor: (path) => columnFor(columns, path),
    form,
    rejects: (path) =>
      rejectLines(path, {
        start: () => csvText([[...own.map(markFormula), ...rejectColumns]], form),
        row: (row, reasons) => {
          const cells = ownCells(row, own.length, header.length)
          // The service's messages, and cells copied from elsewhere, may begin like a formula.
          return csvText([[...cells.map(markCell), ...reasons.map(markFormula)]], { delimiter, crlf })
        },
      }),
  }
}

async function firstTwo(rows: AsyncIterable<{ readonly cells: readonly string[] }>) {
  const first: (readonly string[])[] = []
  for await (const { cells } of rows) {
    first.push(cells)
    if (first.length === 2) break
  }
  return first
}
