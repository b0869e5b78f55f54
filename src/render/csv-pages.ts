import type { Fields } from '../api/contract/fields/field.ts'
import { csvTable } from '../formats/csv-table.ts'
import { csvHeader, csvRows } from '../formats/write-csv.ts'
import { isObject, type Json, type JsonObject } from '../json/path.ts'
import { holdText, type OpenSpool } from './held-text.ts'
import type { NamedColumns } from './table/named-columns.ts'

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
  const { rows, header, whole } = columns
    ? chosen((await import('./table/named-columns.ts')).namedColumns(columns, fields), excel)
    : found(excel)
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
  const table = csvTable(excel)
  return {
    rows: table.rows,
    header: () => csvHeader(table.columns(), excel),
    whole: (pieces) => table.whole(pieces, excel),
  }
}

/** The columns that were asked for. What no record has and the contract does not know is an error at the end. */
function chosen(named: NamedColumns, excel: boolean): Rows {
  let csv: ReturnType<typeof csvRows> | undefined
  const csvOf = (records: readonly JsonObject[]) => {
    const paths = named.paths(records)
    csv ??= csvRows(paths, excel)
    return csv
  }
  return {
    rows: (records) => csvOf(records).rows(records),
    header() {
      named.assertKnown()
      return csvOf([]).header
    },
    whole: (pieces) => pieces,
  }
}
