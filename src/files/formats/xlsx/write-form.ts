import type { Cell, SheetData } from 'write-excel-file/node'
import { columnLetters, lastRowOfSheet } from '../column-letters.ts'
import { escapeText } from '../escaped-text.ts'

/** The first cell of the sheet that explains a workbook to fill in. A sheet that begins so has no data. */
export const notesTitle = 'What the columns mean (payroll does not import this sheet)'

/** A column of a workbook to fill in. */
export interface FormColumn {
  readonly heading: string
  readonly help: string
  /** How its cells are formatted: text keeps zeros in front. */
  readonly kind: 'text' | 'date' | 'number'
  /** Offered as a drop-down list; something else may be typed. */
  readonly values: readonly string[]
  /** In the first row to fill in; empty without an example. */
  readonly example: string
}

const cellFormats = { text: '@', date: 'yyyy-mm-dd', number: undefined }

/** The first row to fill in, below heading and help. */
const firstRow = 3

/** A workbook to fill in: headings, a line of help, columns in their formats with lists of values, a sheet of notes. */
export async function writeForm(
  columns: readonly FormColumn[],
  notes: readonly (readonly string[])[],
): Promise<Uint8Array> {
  const { default: writeWorkbook } = await import('write-excel-file/node')
  const bold = (text: string): Cell => ({ value: escapeText(text), type: String, fontWeight: 'bold' })
  const plain = (text: string): Cell => (text === '' ? null : { value: escapeText(text), type: String })
  const form: SheetData = [
    columns.map(({ heading }) => bold(heading)),
    columns.map(({ help }) => ({
      value: help,
      type: String,
      wrap: true,
      alignVertical: 'top',
      textColor: '#666666',
    })),
    columns.map(exampleCell),
  ]
  const explained: SheetData = [
    [bold(notesTitle)],
    ...notes.map((row, at) => row.map(at === 0 ? bold : plain)),
  ]
  const width = (heading: string) => ({ width: Math.max(16, heading.length + 3) })
  return await writeWorkbook(
    [
      {
        data: form,
        sheet: 'Fill in',
        columns: columns.map(({ heading }) => width(heading)),
        stickyRowsCount: 2,
      },
      { data: explained, sheet: 'Values', columns: [{ width: 34 }, { width: 60 }, { width: 60 }] },
    ],
    {
      features: [
        {
          // What the library has no option for: the format of whole columns, and lists of values.
          files: {
            transform: {
              'xl/worksheets/sheet{id}.xml': {
                transform: (xml, _options, { sheetIndex }) =>
                  sheetIndex === 0 ? withLists(withFormats(xml), columns) : xml,
              },
            },
          },
        },
      ],
    },
  ).toBuffer()
}

/** A cell with nothing in it still has the format of its column. */
function exampleCell({ kind, example }: FormColumn): Cell {
  const format = cellFormats[kind]
  if (kind === 'date' && example !== '')
    return { value: new Date(`${example}T00:00:00Z`), type: Date, format: 'yyyy-mm-dd' }
  if (kind === 'number' && example !== '') return { value: Number(example), type: Number }
  if (example !== '') return { value: escapeText(example), type: String, ...(format && { format }) }
  return format ? { type: kind === 'date' ? Date : String, format } : null
}

/** Gives each column the format of its first cell to fill in. */
function withFormats(xml: string): string {
  const styles = new Map(
    [...xml.matchAll(/<c r="([A-Z]+)3" s="(\d+)"/g)].map(([, letters, style]) => [letters, style]),
  )
  return xml.replace(/<col min="(\d+)"/g, (start, column: string) => {
    const style = styles.get(columnLetters(Number(column) - 1))
    return style === undefined ? start : `${start} style="${style}"`
  })
}

/** ECMA-376 Part 1, 18.3.1.32. A list that is written into the rule has at most 255 characters. */
function withLists(xml: string, columns: readonly FormColumn[]): string {
  const rules = columns.flatMap(({ values }, at) => {
    const list = values.join(',')
    if (values.length === 0 || list.length > 255) return []
    const range = `${columnLetters(at)}${firstRow}:${columnLetters(at)}${lastRowOfSheet}`
    return [
      `<dataValidation type="list" allowBlank="1" showErrorMessage="0" sqref="${range}"><formula1>"${list}"</formula1></dataValidation>`,
    ]
  })
  const validations = `<dataValidations count="${rules.length}">${rules.join('')}</dataValidations>`
  return rules.length === 0 ? xml : xml.replace('</sheetData>', `</sheetData>${validations}`)
}
