import { csvText, markCell, markFormula, unmarkFormula } from '../formats/csv-cell.ts'
import { type CsvShape, openCsv } from '../formats/read-csv.ts'
import { decodeText, encodingOf } from '../formats/text-encoding.ts'
import type { OpenedFile } from './open-bytes.ts'
import { rejectLines } from './reject-lines.ts'
import { surveyTable } from './survey-table.ts'
import type { Grid } from './table-source.ts'

/** A CSV file from a spreadsheet: comma, semicolon or tab, in UTF-8, UTF-16 or a given encoding. */
export function csvGrid(file: OpenedFile, given: string | undefined): Grid {
  let encoding = encodingOf(file.start, given)
  let shape: CsvShape = { delimiter: ',', crlf: false }
  const open = () => openCsv(decodeText(file.bytes(), encoding))
  const form = () => ({ ...shape, marked: encoding.label !== 'utf-8' || encoding.marked })
  return {
    sha256: file.sha256,
    async look(headingRow) {
      const { rows, ...shown } = await open()
      shape = shown
      const looks = surveyTable(headingRow, shape.delimiter === ';')
      for await (const { row, cells } of rows) looks.add(row, cells)
      const survey = looks.end()
      return { ...survey, header: survey.header.map(unmarkFormula) }
    },
    recall(matching) {
      if (matching.encoding === undefined || given !== undefined || encoding.marked) return false
      encoding = encodingOf(file.start, matching.encoding)
      return true
    },
    rows: async () => (await open()).rows,
    form,
    rejects: (path, { header, cellsOf }) =>
      rejectLines(path, {
        start: () => csvText([header.map(forExcel)], form()),
        // The service's messages, and cells copied from elsewhere, may begin like a formula.
        row: (row, reasons) =>
          csvText([[...cellsOf(row).map(markCell), ...reasons.map(forExcel)]], { ...form(), marked: false }),
      }),
  }
}

/** Rejected rows are put right in a spreadsheet, where no cell may run as a formula. */
const forExcel = (cell: string) => markFormula(cell, true)
