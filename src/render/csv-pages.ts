import type { Fields } from '../api/contract/fields/field.ts'
import { fieldAt } from '../api/contract/fields/field-tree.ts'
import { csvTable } from '../formats/csv-table.ts'
import { pathsOf } from '../formats/flat.ts'
import { csvHeader, csvRows } from '../formats/write-csv.ts'
import { isObject, type Json, type JsonObject } from '../json/path.ts'
import { assertColumns } from './columns.ts'
import { holdText, type OpenSpool } from './held-text.ts'

interface CsvOptions {
  readonly columns: readonly string[] | undefined
  readonly excel: boolean | undefined
  readonly spool: OpenSpool | undefined
  readonly fields: Fields
  /** Rows as the place may show them to which they are written. */
  readonly clean: (text: string) => string
  readonly write: (text: string | Uint8Array) => Promise<void>
}

/** What makes rows of records, and of the rows that were held what is written. */
interface Rows {
  readonly rows: (records: readonly JsonObject[]) => string
  readonly header: () => string
  readonly whole: (pieces: AsyncIterable<string | Uint8Array>) => AsyncIterable<string | Uint8Array>
}

/** The rows of all pages as CSV, and how many they are. Nothing is written before all are there. */
export async function csvPages(pages: AsyncIterable<readonly Json[]>, options: CsvOptions): Promise<number> {
  const { columns, excel = false, fields, clean, write } = options
  const { rows, header, whole } = columns ? chosen(columns, fields, excel) : found(excel)
  const text = holdText(options.spool)
  let count = 0
  try {
    for await (const items of pages) {
      count += items.length
      await text.add(clean(rows(items.map((item) => (isObject(item) ? item : { value: item })))))
    }
    await write(clean(header()))
    for await (const part of whole(text.parts())) await write(part)
    return count
  } finally {
    await text.close()
  }
}

/** All columns that there are: known when the last record was seen. */
function found(excel: boolean): Rows {
  const table = csvTable()
  return {
    rows: table.rows,
    header: () => csvHeader(table.columns(), excel),
    whole: (pieces) => table.whole(pieces, excel),
  }
}

/** The columns that were asked for. What no record has and the contract does not know is an error at the end. */
function chosen(columns: readonly string[], fields: Fields, excel: boolean): Rows {
  const csv = csvRows(columns, excel)
  const isCertain = columns.every((path) => fieldAt(fields, path))
  const there = new Set<string>()
  return {
    rows(records) {
      if (!isCertain) for (const path of pathsOf(records)) there.add(path)
      return csv.rows(records)
    },
    header() {
      assertColumns(columns, [...there], fields)
      return csv.header
    },
    whole: (pieces) => pieces,
  }
}
