import { usage } from '../errors.ts'
import { keepApostrophes } from '../files/formats/csv-cell.ts'
import { askableColumns, columnReader, valuesByPath } from '../files/formats/flat.ts'
import type { XlsxColumn } from '../files/formats/xlsx/write-xlsx.ts'
import { isNumber } from '../files/json/numbers.ts'
import { hasNoValue, type Json, type JsonObject } from '../files/json/path.ts'
import { stringifyJson } from '../files/json/stringify.ts'
import type { Fields } from '../model/fields/field.ts'
import { fieldAt } from '../model/fields/field-tree.ts'
import { bothForms, requestPath } from '../model/mapping/field-mapping.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { headingFor, readHeading } from '../model/values/find-field.ts'
import { groupDigits } from '../text/words.ts'
import { knownColumns } from './named-columns.ts'
import { type FileRenderers, rowRenderer } from './renderer.ts'
import { fieldText, labelFor, lineSums, mayBeDate } from './text/format-field.ts'

/** Rows as a workbook, unmasked. */
export const renderers: FileRenderers = {
  result: ({ columns, put }) =>
    rowRenderer(async (records, fields) => put(await workbook(records, columns, fields))),
  async *exported({ batches, table, fields, sent }) {
    const { columns, row } = table()
    const rows: (readonly Json[])[] = []
    for await (const records of batches()) for (const record of records) rows.push(row(record))
    // To be imported again, with every value as it is. What nothing imports is for a person, who adds up its amounts.
    yield await workbookBytes(
      rows,
      columns.map((path, at) =>
        sent ? headingFor(sent, path) : { heading: path, holds: contentsIn(fields, path, rows, at) },
      ),
    )
  },
  async form({ columns, notes }) {
    const { writeForm } = await import('../files/formats/xlsx/write-form.ts')
    return writeForm(columns, notes)
  },
}

/** A workbook for a person: labels as headings, dates as dates, amounts as numbers. Held in memory. */
function workbook(records: readonly JsonObject[], columns: readonly string[] | undefined, fields: Fields) {
  const recordsWithPay = records.map((record) => withPay(record, fields))
  const cellsByPath = recordsWithPay.map((record) => valuesByPath(record))
  const there = [...new Set(cellsByPath.flatMap((row) => [...row.keys()]))]
  const paths = columns ? knownColumns(columns, [...there, ...askableColumns(records)], fields) : there
  const readers = paths.map(columnReader)
  const rows = columns
    ? recordsWithPay.map((record, at) => readers.map((reader) => reader(record) ?? reader(records[at])))
    : cellsByPath.map((row) => paths.map((path) => row.get(path)))
  const headings = headingsOf(paths, fields)
  return workbookBytes(
    rows,
    paths.map((path, at) => ({ heading: headings[at] ?? path, holds: contentsIn(fields, path, rows, at) })),
  )
}

/** Lines of hours in words, and behind them as numbers what they come to. */
function withPay(record: JsonObject, fields: Fields): JsonObject {
  const entries = Object.entries(record).flatMap(([name, value]): [string, Json][] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field?.line || !Array.isArray(value)) return [[name, value]]
    const { hours, rate, value: pay } = lineSums(value, field.line)
    return [
      [name, fieldText(value, field)],
      ['Hours', hours],
      ['Pay rate', rate],
      ['Value', pay],
    ]
  })
  return Object.fromEntries(entries)
}

/** What the values of a column are, by their field, or where none is declared, by all of them. */
function contentsIn(
  fields: Fields,
  path: string,
  rows: readonly (readonly Json[])[],
  at: number,
): XlsxColumn['holds'] {
  const field = fieldAt(fields, path)
  if (field ? field.money : areAmounts(rows.map((row) => row[at]))) return 'amounts'
  if (field?.type === 'number' || field?.type === 'decimal' || field?.numeric) return 'numbers'
  return mayBeDate(field) ? 'dates' : undefined
}

/** Whether these are amounts, although nothing declares them: some services send theirs as text. */
function areAmounts(values: readonly Json[]): boolean {
  const realValues = values.filter((value) => !hasNoValue(value))
  const isText = (value: Json) => typeof value === 'string' && moneyAsText.test(value)
  return realValues.some(isText) && realValues.every((value) => isNumber(value) || isText(value))
}

const moneyAsText = /^-?(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)\.\d\d$/

/** Of what is sent, headings that an import reads as that; of all else labels, with the number or path where it takes that. */
function headingsOf(paths: readonly string[], fields: Fields): string[] {
  const type: Pick<RecordType, 'fields' | 'answer'> = bothForms(fields).type ?? { fields: {} }
  const labels = paths.map((path) => labelFor(path, fieldAt(fields, path)))
  return labels.map((label, at) => {
    const path = paths[at] ?? ''
    const request = requestPath(type, path)
    const field = fieldAt(type.fields, request)
    const isOnly = labels.indexOf(label) === labels.lastIndexOf(label)
    if (isOnly && (!field || field.fields) && readHeading(type, label).path === undefined) return label
    if (field) return headingFor(type, request)
    const [, index] = /\[(\d+)\]$/.exec(path) ?? []
    return index === undefined ? `${label} (${path})` : `${label} ${Number(index) + 1}`
  })
}

/** More characters in a cell, and Excel calls the file damaged and cuts them off. */
const mostInCell = 32_767

/** Throws a usage failure for a value that no cell holds. */
async function workbookBytes(rows: readonly (readonly Json[])[], columns: readonly (XlsxColumn | string)[]) {
  const { writeXlsx } = await import('../files/formats/xlsx/write-xlsx.ts')
  const headings = columns.map((each) => (typeof each === 'string' ? each : each.heading))
  const isTooLong = (value: Json) =>
    typeof value === 'string'
      ? value.length > mostInCell
      : typeof value === 'object' && stringifyJson(value).length > mostInCell
  for (const [at, row] of rows.entries()) {
    const column = row.findIndex(isTooLong)
    if (column >= 0)
      throw usage(
        `${headings[column]} of record ${at + 1} has more than ${groupDigits(mostInCell)} characters, which no cell of a workbook holds.`,
        'Leave it out (--columns), or choose another format: -o csv',
      )
  }
  return writeXlsx(
    columns,
    rows.map((row) => row.map(keepApostrophes)),
  )
}
