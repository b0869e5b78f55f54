import { unescapeFormula } from '../formats/csv-cell.ts'
import { openCsv } from '../formats/read-csv.ts'
import { decodeText, encodingOf } from '../formats/text-encoding.ts'
import type { OpenedFile } from './open-bytes.ts'
import type { Grid } from './row-source.ts'
import { surveyTable } from './survey-table.ts'

/** A CSV file from a spreadsheet: comma, semicolon or tab, in UTF-8, UTF-16 or a given encoding. */
export function csvGrid(file: OpenedFile, option: string | undefined): Grid {
  return {
    sha256: file.sha256,
    async look(headingRow, earlierEncoding) {
      const encoding = encodingOf(file.start, option ?? earlierEncoding)
      const open = () => openCsv(decodeText(file.bytes(), encoding))
      const { rows, ...shape } = await open()
      const looks = surveyTable(headingRow, shape.delimiter === ';')
      for await (const { row, cells } of rows) looks.add(row, cells)
      const survey = looks.end()
      return {
        survey: { ...survey, header: survey.header.map(unescapeFormula) },
        rows: async () => (await open()).rows,
        form: { ...shape, byteOrderMark: encoding.label !== 'utf-8' || encoding.hasByteOrderMark },
      }
    },
  }
}
