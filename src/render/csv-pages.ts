import type { Fields } from '../api/contract/fields/field.ts'
import { lines } from '../formats/ndjson.ts'
import { csvRows, pathsOf } from '../formats/write-csv.ts'
import { parseJson } from '../json/parse.ts'
import { isObject, type Json, type JsonObject } from '../json/path.ts'
import { stringifyJson } from '../json/stringify.ts'
import { assertColumns } from './columns.ts'

/** Lines that wait outside of memory, and come out as they went in. */
export type OpenSpool = () => Promise<{
  add(lines: string): Promise<void>
  chunks(): AsyncIterable<Uint8Array>
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
 * The rows of all pages as CSV, and how many they are. Nothing is written before the last page: only
 * then are the columns known, and that the list is complete.
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
      await spool.add(rows.map((row) => `${stringifyJson(row)}\n`).join(''))
      rows = []
    }
    if (options.columns) assertColumns(options.columns, [...paths], options.fields)
    const columns = options.columns ?? [...paths]
    const csv = csvRows(columns, options.excel ?? false)
    await options.write(csv.header)
    if (spool) for await (const batch of batches(spool.chunks())) await options.write(csv.rows(batch))
    await options.write(csv.rows(rows))
    return count
  } finally {
    await spool?.close()
  }
}

async function* batches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonObject[]> {
  let batch: JsonObject[] = []
  for await (const { bytes } of lines(chunks)) {
    if (bytes) batch.push(parseJson(Buffer.from(bytes).toString()) as JsonObject)
    if (batch.length < held) continue
    yield batch
    batch = []
  }
  yield batch
}
