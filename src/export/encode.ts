import type { Fields } from '../api/contract/fields/field.ts'
import { fieldAt, leafFields } from '../api/contract/fields/field-tree.ts'
import { openSpool } from '../files/spool.ts'
import { flat } from '../formats/flat.ts'
import { lines } from '../formats/ndjson.ts'
import { parseJson } from '../json/parse.ts'
import type { Json, JsonObject } from '../json/path.ts'
import { stringifyJson } from '../json/stringify.ts'
import type { FileRenderers } from '../render/renderer.ts'
import { knownColumns } from '../render/table/named-columns.ts'

/** The records of an export, some at a time. */
type Records = AsyncIterable<readonly JsonObject[]>

interface Encoding {
  /** Writes the records in the format that is wanted. */
  readonly encode: FileRenderers['exported']
  /** A table has columns, which are known when the last record was read. */
  readonly isTable: boolean
  readonly fields: Fields
  readonly columns?: readonly string[] | undefined
  readonly excel: boolean
  /** A private folder for temporary files. */
  readonly folder: string
  /** Whether to write each record as it comes, and not when the last one is read. */
  readonly asItComes: boolean
}

/**
 * Turns records into the content of a file. A killed run leaves no half-written file: records that have to wait are in
 * a temporary file without a name. Memory does not grow with the number of records, except for a workbook.
 */
export async function* encodeExport(records: Records, form: Encoding): AsyncGenerator<string | Uint8Array> {
  const { encode, isTable, excel, asItComes } = form
  const cells = (record: JsonObject) => toCells(record, form)
  if (asItComes) {
    yield* encode({ batches: () => records, columns: () => columnsFor([], form), cells, excel })
    return
  }
  const spool = spoolRecords(
    () => openSpool(form.folder),
    isTable ? (record: JsonObject) => cells(record).keys() : undefined,
  )
  try {
    for await (const some of records) await spool.add(some)
    yield* encode({
      batches: spool.batches,
      columns: () => columnsFor(spool.paths(), form),
      cells,
      excel,
    })
  } finally {
    await spool.close()
  }
}

/** A record as cells. A value of unknown type is one cell, because only then can it be read again. */
function toCells(record: JsonObject, { fields }: Encoding): Map<string, Json> {
  return flat(record, (path) => fieldAt(fields, path)?.type === 'unknown')
}

/**
 * The chosen columns, or else all paths that occur: `id` first, then in the declared order, then the rest. Throws a
 * usage failure for a column that does not exist.
 */
function columnsFor(paths: readonly string[], { columns, fields }: Encoding): readonly string[] {
  const declared = leafFields(fields).map(({ path }) => path)
  if (columns) return knownColumns(columns, paths, fields)
  if (paths.length === 0) return declared
  const place = (path: string) => {
    const at = declared.findIndex((each) => path === each || path.startsWith(`${each}[`))
    return path === 'id' ? -1 : at < 0 ? declared.length : at
  }
  const ranked = paths.map((path) => [place(path), path] as const)
  return ranked.sort(([a, one], [b, other]) => a - b || compareNumbered(one, other)).map(([, path]) => path)
}

/** Sorts the tenth line of an address after the second. */
function compareNumbered(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}

/** Stores lines on disk, and gives them back in order. */
interface LineSpool {
  add(lines: string): Promise<void>
  chunks(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** Holds records until all have arrived: only then do we know the columns, and that the list is complete. */
interface RecordSpool {
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
function spoolRecords(
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
