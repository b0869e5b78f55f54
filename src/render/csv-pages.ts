import type { Fields } from '../api/contract/field.ts'
import { isObject, type Json, type JsonObject } from '../api/contract/path.ts'
import { pathsOf } from '../formats/cells.ts'
import { writeCsv } from '../formats/csv.ts'
import { assertColumns } from './columns.ts'

/** Lines that wait outside of memory, and come out as they went in. */
export type OpenSpool = () => Promise<{
  add(lines: string): Promise<void>
  lines(): AsyncIterable<string>
  close(): Promise<void>
}>

interface CsvOptions {
  readonly columns: readonly string[] | undefined
  readonly excel: boolean | undefined
  readonly spool: OpenSpool | undefined
  readonly fields: Fields
  readonly write: (text: string) => Promise<void>
}

/** So many rows are held in memory, and written at once. */
const held = 2000

/**
 * The rows of all pages as CSV, and how many they are. Nothing is written before all are there: until then nobody
 * knows the columns, nor whether the list is whole.
 */
export async function csvPages(pages: AsyncIterable<readonly Json[]>, options: CsvOptions): Promise<number> {
  const paths = new Set<string>()
  let spool: Awaited<ReturnType<OpenSpool>> | undefined
  let rows: JsonObject[] = []
  let count = 0
  try {
    for await (const items of pages) {
      const records = items.map((item) => (isObject(item) ? item : { value: item }))
      for (const path of pathsOf(records)) paths.add(path)
      rows.push(...records)
      count += records.length
      if (rows.length < held || !options.spool) continue
      spool ??= await options.spool()
      await spool.add(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
      rows = []
    }
    if (options.columns) assertColumns(options.columns, [...paths], options.fields)
    const columns = options.columns ?? [...paths]
    const lines = (batch: readonly JsonObject[]) => writeCsv(batch, columns, options.excel ?? false, false)
    await options.write(writeCsv([], columns, options.excel ?? false))
    for await (const batch of batches(spool)) await options.write(lines(batch))
    await options.write(lines(rows))
    return count
  } finally {
    await spool?.close()
  }
}

async function* batches(spool: Awaited<ReturnType<OpenSpool>> | undefined): AsyncGenerator<JsonObject[]> {
  let batch: JsonObject[] = []
  for await (const line of spool?.lines() ?? []) {
    batch.push(JSON.parse(line))
    if (batch.length < held) continue
    yield batch
    batch = []
  }
  yield batch
}
