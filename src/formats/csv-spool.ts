import { parseJson } from '../json/parse.ts'
import type { JsonObject } from '../json/path.ts'
import { stringifyJson } from '../json/stringify.ts'
import { lines } from './ndjson.ts'
import { csvRows } from './write-csv.ts'

/** Stores lines on disk, and gives them back in order. */
export interface LineSpool {
  add(lines: string): Promise<void>
  chunks(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** Holds records until all have arrived: only then do we know the columns, and that the list is complete. */
export interface RecordSpool {
  add(records: readonly JsonObject[]): Promise<void>
  /** The paths in all records, in order of first appearance. */
  paths(): string[]
  count(): number
  /** All records, some at a time. */
  batches(): AsyncGenerator<readonly JsonObject[]>
  /** Deletes the file. */
  close(): Promise<void>
}

/** How many records to hold in memory, and to give back at a time. */
const batchSize = 2000

/**
 * Memory does not grow with the number of records, unless there is no spool.
 *
 * @param pathsOf gives the column paths of a record; without it none are collected
 */
export function spoolRecords(
  open: (() => Promise<LineSpool>) | undefined,
  pathsOf: (record: JsonObject) => Iterable<string> = () => [],
): RecordSpool {
  const paths = new Set<string>()
  let spool: LineSpool | undefined
  let held: JsonObject[] = []
  let count = 0
  return {
    async add(records) {
      for (const record of records) {
        held.push(record)
        for (const path of pathsOf(record)) paths.add(path)
      }
      count += records.length
      if (held.length < batchSize || !open) return
      spool ??= await open()
      await spool.add(held.map((record) => `${stringifyJson(record)}\n`).join(''))
      held = []
    },
    paths: () => [...paths],
    count: () => count,
    async *batches() {
      if (spool) yield* readBack(spool)
      yield held
    },
    close: async () => spool?.close(),
  }
}

async function* readBack(spool: LineSpool): AsyncGenerator<readonly JsonObject[]> {
  let batch: JsonObject[] = []
  // Lines of any length: a record that is too long must not be left out of the list.
  for await (const { bytes = new Uint8Array() } of lines(spool.chunks(), Number.POSITIVE_INFINITY)) {
    batch.push(parseJson(Buffer.from(bytes).toString()) as JsonObject)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  yield batch
}

/** Records as CSV, with a header. */
export async function* csvFrom(
  batches: AsyncIterable<readonly JsonObject[]>,
  columns: readonly string[],
  excel: boolean,
): AsyncGenerator<string> {
  const csv = csvRows(columns, excel)
  yield csv.header
  for await (const records of batches) yield csv.rows(records)
}
