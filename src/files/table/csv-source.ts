import { amountIn } from '../../model/values/read-value.ts'
import { csvText, markCell, markFormula, unmarkFormula } from '../formats/csv-cell.ts'
import { type CsvShape, openCsv } from '../formats/read-csv.ts'
import { decodeText, encodingOf } from '../formats/text-encoding.ts'
import { columnFinder, ownHeader, shownColumns } from './file-columns.ts'
import { leftRows } from './left-rows.ts'
import { matchFile } from './match-file.ts'
import type { OpenedFile } from './open-bytes.ts'
import { ownCells, rejectColumns, rejectLines } from './reject-lines.ts'
import { type FileReading, limitRows, type SourceOptions } from './row-source.ts'
import { layOut } from './sheet-layout.ts'
import { type Layout, surveyTable, type TableSurvey } from './survey-table.ts'
import { tableRows } from './table-rows.ts'

/** A CSV file from a spreadsheet: comma, semicolon or tab, in UTF-8, UTF-16 or a given encoding. */
export async function csvSource(file: OpenedFile, given: SourceOptions): Promise<FileReading> {
  let encoding = encodingOf(file.start, given.encoding)
  const open = () => openCsv(decodeText(file.bytes(), encoding))
  let shape: CsvShape | undefined
  const look = async (layout: Layout) => {
    const { survey, ...looked } = await lookThrough(open, layout)
    shape = looked
    return survey
  }
  const laid = await layOut(given.type, given.headingRow, look)
  const { layout } = laid
  let { survey } = laid
  const recalled = await given.help?.recall(survey.header)
  if (recalled?.encoding !== undefined && given.encoding === undefined && !encoding.marked) {
    encoding = encodingOf(file.start, recalled.encoding)
    survey = await look(layout)
  }
  const { delimiter = ',', crlf = false } = shape ?? {}
  const { header } = survey
  const {
    columns,
    wholeNames,
    weeks,
    addedUp,
    dateFormat,
    remarks,
    doubts: matched,
  } = await matchFile(survey, {
    ...given,
    recalled,
  })
  const left = leftRows(given.type, columns, survey, layout)
  const options = {
    ...given,
    ...{ dateFormat, wholeNames, weeks, addedUp },
    semicolons: delimiter === ';',
    layout: { ...layout, left: left.rows },
  }
  // A row of a file of rejected rows has its week beside it.
  const added = weeks.length > 0 ? columns.slice(-1).map(({ name }) => name) : []
  const own = [...ownHeader(header), ...added]
  const find = columnFinder(columns)
  const form = { delimiter, crlf, marked: encoding.label !== 'utf-8' || encoding.marked }
  return {
    columns: header,
    shown: shownColumns(given.type, columns, survey),
    notSent: columns.filter(({ fills, name }) => !fills && name !== '').map(({ name }) => name),
    remarks: [...laid.remarks, ...left.remarks, ...commaRemark(survey), ...remarks],
    doubts: [...laid.doubts, ...left.doubts, ...matched],
    dateFormat,
    sha256: file.sha256,
    rows: async function* () {
      const { rows } = await open()
      yield* limitRows(tableRows(rows, columns, options))
    },
    own,
    columnFor: find,
    form,
    rejects: (path) =>
      rejectLines(path, {
        start: () => csvText([[...own.map(forExcel), ...rejectColumns]], form),
        row: (row, reasons) => {
          const cells = ownCells(row, own.length, header.length + added.length)
          // The service's messages, and cells copied from elsewhere, may begin like a formula.
          return csvText([[...cells.map(markCell), ...reasons.map(forExcel)]], { delimiter, crlf })
        },
      }),
  }
}

/** A file with semicolons has decimal commas: that they are read so is said once. */
function commaRemark({ comma, semicolons }: TableSurvey): string[] {
  const amount = comma && amountIn(comma.text, semicolons)
  return comma && amount !== undefined
    ? [`amounts have a decimal comma: ${comma.text} in ${comma.cell} is ${amount}`]
    : []
}

/** A spreadsheet is where rejected rows are put right. */
const forExcel = (cell: string) => markFormula(cell, true)

async function lookThrough(
  open: () => ReturnType<typeof openCsv>,
  layout: Layout,
): Promise<CsvShape & { readonly survey: TableSurvey }> {
  const { rows, ...shape } = await open()
  const looks = surveyTable(layout, shape.delimiter === ';')
  for await (const { row, cells } of rows) looks.add(row, cells)
  const survey = looks.end()
  return { ...shape, survey: { ...survey, header: survey.header.map(unmarkFormula) } }
}
