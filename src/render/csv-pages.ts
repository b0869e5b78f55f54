import type { Fields } from '../api/contract/fields/field.ts'
import { csvFrom, type LineSpool, spoolRecords } from '../formats/csv-spool.ts'
import { flat } from '../formats/write-csv.ts'
import { isObject, type Json } from '../json/path.ts'
import { assertColumns } from './columns.ts'

export type OpenSpool = () => Promise<LineSpool>

interface CsvOptions {
  readonly columns: readonly string[] | undefined
  readonly excel: boolean | undefined
  readonly spool: OpenSpool | undefined
  readonly fields: Fields
  readonly write: (text: string) => Promise<void>
}

/** The rows of all pages as CSV, and how many they are. Nothing is written before all are there. */
export async function csvPages(pages: AsyncIterable<readonly Json[]>, options: CsvOptions): Promise<number> {
  const { columns, excel = false, fields } = options
  const spool = spoolRecords(options.spool, (record) => flat(record).keys())
  try {
    for await (const items of pages)
      await spool.add(items.map((item) => (isObject(item) ? item : { value: item })))
    if (columns) assertColumns(columns, spool.paths(), fields)
    for await (const text of csvFrom(spool.batches(), columns ?? spool.paths(), excel))
      await options.write(text)
    return spool.count()
  } finally {
    await spool.close()
  }
}
