import type { Fields } from '../api/contract/fields/field.ts'
import { fieldAt, leafFields } from '../api/contract/fields/field-tree.ts'
import { openSpool } from '../files/spool.ts'
import { flat } from '../formats/flat.ts'
import { lines } from '../formats/ndjson.ts'
import { csvRows } from '../formats/write-csv.ts'
import { parseJson } from '../json/parse.ts'
import type { Json, JsonObject } from '../json/path.ts'
import { stringifyJson } from '../json/stringify.ts'
import { line } from '../render/json-output.ts'
import { workbookOf } from '../render/record-workbook.ts'
import { knownColumns } from '../render/table/named-columns.ts'
import type { ExportFormat } from './export-format.ts'

/** The records of an export, some at a time. */
type Records = AsyncIterable<readonly JsonObject[]>

interface Encoding {
  readonly format: ExportFormat
  readonly fields: Fields
  readonly columns?: readonly string[] | undefined
  readonly excel: boolean
  /** A private folder for temporary files. */
  readonly folder: string
  /** Whether to write nothing until the last record is read. */
  readonly whole: boolean
}

/**
 * Turns records into the content of a file. A killed run leaves no half-written file: records that have to wait are in
 * a temporary file without a name. Memory does not grow with the number of records, except for a workbook.
 */
export async function* encodeExport(records: Records, form: Encoding): AsyncGenerator<string | Uint8Array> {
  const { format, whole } = form
  if (format === 'xlsx') yield workbook(await collected(records), form)
  else if (format === 'ndjson' && !whole) for await (const some of records) yield some.map(line).join('')
  else yield* spooled(records, form)
}

async function* spooled(records: Records, form: Encoding): AsyncGenerator<string> {
  const columns = form.format === 'csv' ? (record: JsonObject) => toCells(record, form).keys() : undefined
  const spool = spoolRecords(() => openSpool(form.folder), columns)
  try {
    for await (const some of records) await spool.add(some)
    if (form.format === 'csv') yield* csvFrom(spool.batches(), columnsFor(spool.paths(), form), form.excel)
    else if (form.format === 'json') yield* list(spool.batches())
    else for await (const some of spool.batches()) yield some.map(line).join('')
  } finally {
    await spool.close()
  }
}

async function* list(records: Records): AsyncGenerator<string> {
  let before = '['
  for await (const some of records) {
    let text = ''
    for (const record of some) {
      text += `${before}\n${line(record).trimEnd()}`
      before = ','
    }
    yield text
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

/** A record as cells. A value of unknown type is one cell, because only then can it be read again. */
function toCells(record: JsonObject, { fields }: Encoding): Map<string, Json> {
  return flat(record, (path) => fieldAt(fields, path)?.type === 'unknown')
}

async function workbook(records: readonly JsonObject[], form: Encoding): Promise<Uint8Array> {
  const rows = records.map((record) => toCells(record, form))
  return workbookOf(rows, columnsFor([...new Set(rows.flatMap((row) => [...row.keys()]))], form))
}

async function collected(records: Records): Promise<JsonObject[]> {
  const all: JsonObject[] = []
  for await (const some of records) for (const record of some) all.push(record)
  return all
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
  const placed = paths.map((path) => [place(path), path] as const)
  return placed.sort(([a, one], [b, other]) => a - b || compareNumbered(one, other)).map(([, path]) => path)
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

/** Records as CSV, with a header. */
async function* csvFrom(
  batches: AsyncIterable<readonly JsonObject[]>,
  columns: readonly string[],
  excel: boolean,
): AsyncGenerator<string> {
  const csv = csvRows(columns, excel)
  yield csv.header
  for await (const records of batches) yield csv.rows(records)
}
