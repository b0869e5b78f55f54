import { mapAtOnce } from '../../api/at-once.ts'
import type { Client } from '../../api/client.ts'
import { fetchPages, type ListOptions, readSteadily } from '../../api/pages.ts'
import { assertEffective, fileOf, namedFormat } from '../../context/choose-format.ts'
import type { Context } from '../../context/context.ts'
import { servicePlace } from '../../context/service-place.ts'
import { Failure, usage } from '../../errors.ts'
import { flat } from '../../files/formats/flat.ts'
import { lines } from '../../files/formats/ndjson.ts'
import { parseJson } from '../../files/json/parse.ts'
import { formatPath, isObject, type Json, type JsonObject } from '../../files/json/path.ts'
import { stringifyJson } from '../../files/json/stringify.ts'
import { writeFileAtomic } from '../../files/local/atomic-file.ts'
import { withLock } from '../../files/local/lock.ts'
import { ensurePrivateDirectory } from '../../files/local/private-directory.ts'
import { openSpool } from '../../files/local/spool.ts'
import type { Fields } from '../../model/fields/field.ts'
import { fieldAt, leafFields } from '../../model/fields/field-tree.ts'
import { mappingOf, unreturnedFields } from '../../model/mapping/field-mapping.ts'
import { type MappedRecord, mapRecord } from '../../model/mapping/map-record.ts'
import { maskedFields } from '../../model/mapping/service-masks.ts'
import type { Operation } from '../../model/operations/operation.ts'
import { idOf } from '../../model/records/identity.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { type ExportFormat, exportFormats, formats } from '../../render/formats.ts'
import { write } from '../../render/output.ts'
import type { FileRenderers } from '../../render/renderer.ts'
import { knownColumns } from '../../render/table/named-columns.ts'
import { safeLines } from '../../render/text/safe-text.ts'
import { plural, wordList } from '../../text/words.ts'
import type { Options } from '../cli/options.ts'
import type { ExportVerb } from '../cli/resource-verbs.ts'
import { chooseOperation } from '../cli/target.ts'
import { showProgress } from './show-progress.ts'
import { type Bookmark, openBookmark } from './since-last.ts'

/**
 * Writes every record of a list, to a file whole or not at all. With --since-last only those that no earlier run
 * under that name has written, and two runs under one name take turns: the second ends at once (exit 11).
 */
export async function exportAll(
  context: Context,
  verb: ExportVerb,
  options: Options,
  words: readonly string[] = [],
): Promise<void> {
  const { sinceLast } = options
  const format = formatOf(context, options)
  const select = await selectionOf(context, verb, options, words)
  if (sinceLast === undefined) return exportOnce(context, verb, options, { format, select })
  const directory = await context.directory()
  await withLock(
    `the export ${sinceLast} of ${directory}`,
    async () => {
      const bookmark = await bookmarkFor(context, verb, options, directory)
      await exportOnce(context, verb, options, { format, bookmark })
      // Only now: if a run is cut short, the next one exports the same records again.
      await bookmark.keep()
    },
    { waitMs: 0 },
  )
}

async function bookmarkFor(context: Context, verb: ExportVerb, options: Options, directory: string) {
  const list = chooseOperation(verb.list, options)
  const client = await context.client()
  const profile = await context.access()
  const { url } = client.prepare(list)
  // By the address as it was typed: a bookmark that is not found again would give every record a second time.
  const place = { ...servicePlace(profile, url, list.id), origin: new URL(url).origin, profile: profile.name }
  const bookmark = await openBookmark(directory, options.sinceLast ?? '', place)
  if (bookmark.isOfOtherKey) {
    context.warn(
      `the export ${options.sinceLast} was last run with another key. If this is another company, choose another name for --since-last.`,
    )
  }
  return bookmark
}

type Pages = AsyncIterable<readonly Json[]>

/** Leaves of the list the records of the person whom the words name; all of it where there are none. */
async function selectionOf(
  context: Context,
  { person }: ExportVerb,
  { sinceLast }: Options,
  words: readonly string[],
): Promise<((pages: Pages) => Pages) | undefined> {
  if (!person || words.length === 0) return undefined
  if (sinceLast !== undefined)
    throw usage('A person cannot be combined with --since-last, which remembers the records of everybody.')
  return (await import('./items-of-person.ts')).selectPerson(context, words, person)
}

interface ExportHow {
  readonly format: ExportFormat
  readonly bookmark?: Bookmark
  readonly select?: ((pages: Pages) => Pages) | undefined
}

async function exportOnce(
  context: Context,
  verb: ExportVerb,
  options: Options,
  { format, bookmark, select = (pages) => pages }: ExportHow,
): Promise<void> {
  const { expectMin } = options
  const out = fileOf(options.out)
  const list = chooseOperation(verb.list, options)
  const create = verb.create && chooseOperation(verb.create, options)
  const get = verb.get && chooseOperation(verb.get, options)
  const client = await context.client()
  const folder = await context.directory()
  const type = create?.requestRecord ?? (list.response.kind === 'page' ? list.response.type : undefined)
  const whole = out !== undefined || expectMin !== undefined || bookmark !== undefined
  const { streams, isTable, load } = formats[format]
  const { renderers } = await load()
  const asItComes = streams && !whole
  // Before the first request: the spool does the same, but only when there are many records.
  if (!asItComes) await ensurePrivateDirectory(folder)
  const reading = { asItComes, mustAgree: bookmark !== undefined }
  const { count, gaps } = await readSteadily(exportList, {
    ...(asItComes && { most: 1 }),
    onAgain: () => context.warn('the list changed while it was being read, so it was read again.'),
  })
  context.note(out === undefined ? plural(count, 'record') : `Wrote ${plural(count, 'record')} to ${out}.`)
  for (const warning of gaps.warnings()) context.warn(warning)
  const notReturned = unreturnedFields(create?.requestRecord)
  if (notReturned.length > 0 && count > 0)
    context.note(`The service does not return: ${notReturned.join(', ')}.`)

  async function exportList() {
    const gaps = countGaps()
    bookmark?.begin()
    const all = exportedRecords({ client, list, create, get, reading, select }, gaps)
    const checked = countRecords(all, bookmark, expectMin)
    const content = encodeExport(checked.records, {
      encode: renderers.exported,
      isTable,
      fields: type?.fields ?? {},
      columns: context.options.columns,
      excel: context.options.excel ?? false,
      folder,
      asItComes,
    })
    if (out !== undefined) await showProgress(context, 'Reading', writeFileAtomic(out, content, true))
    else for await (const part of content) await writePart(context, part)
    return { count: checked.count(), gaps }
  }
}

/** Text through the writer of standard output; a workbook as its bytes. */
function writePart({ host: { stdout } }: Context, part: string | Uint8Array): Promise<void> {
  if (typeof part === 'string') return write(stdout, stdout.isTTY ? safeLines(part) : part)
  return new Promise((resolve, reject) => {
    stdout.write(part, (error) => (error ? reject(error) : resolve()))
  })
}

/** By -o, else the ending of --out, else CSV. */
function formatOf({ options, host }: Context, { out }: Options): ExportFormat {
  if (options.query !== undefined) throw usage('--query does not work with export: use --columns.')
  const named = namedFormat(options, out, exportFormats)
  const format = named === undefined ? 'csv' : exportFormats.find((each) => each === named)
  if (format === undefined)
    throw usage(`${named} is not an export format.`, `Choose one of: ${exportFormats.join(', ')}.`)
  if (formats[format].isBinary && fileOf(out) === undefined && host.stdout.isTTY) {
    throw usage(
      `A terminal cannot show ${format}.`,
      `Name a file, such as --out people${formats[format].endings[0]}.`,
    )
  }
  assertEffective(formats[format], options)
  if (options.columns && !formats[format].isTable) {
    const tables = wordList(
      exportFormats.filter((each) => formats[each].isTable),
      'or',
    )
    throw usage(`--columns chooses the columns of a table, and ${format} has none: add -o ${tables}.`)
  }
  return format
}

/** Counts what an import of the exported file would not bring back. */
interface GapCount extends Gaps {
  /** Sentences; each field occurs once. */
  readonly warnings: () => readonly string[]
}

function countGaps(): GapCount {
  const [leftOut, absent, masked] = [tally(), tally(), tally()]
  return {
    leftOut: leftOut.add,
    absent: absent.add,
    masked: masked.add,
    warnings: () =>
      [
        leftOut.any() && `not exported, because an import could not send them: ${leftOut.list()}.`,
        absent.any() && `the service did not return these parts of records: ${absent.list()}.`,
        masked.any() &&
          `the service masks these fields, so they are masked in the export too: ${masked.list()}.`,
      ].filter((warning) => warning !== false),
  }
}

/** Counts in how many records each name occurs. */
function tally() {
  const counts = new Map<string, number>()
  return {
    add: (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    any: () => counts.size > 0,
    list: () => [...counts].map(([name, count]) => `${name} (${plural(count, 'record')})`).join(', '),
  }
}

/** Passes on the new records and counts them. Throws a Failure (exit 10) at the end if there were too few. */
function countRecords(
  all: AsyncIterable<readonly JsonObject[]>,
  bookmark: Bookmark | undefined,
  expectMin = 0,
): { readonly records: AsyncIterable<readonly JsonObject[]>; readonly count: () => number } {
  let count = 0
  async function* newRecords() {
    for await (const some of all) {
      const fresh = bookmark ? some.filter((record) => bookmark.isNew(record)) : some
      count += fresh.length
      if (fresh.length > 0) yield fresh
    }
    if (count < expectMin) {
      throw new Failure(
        'too-few',
        `Found ${plural(count, bookmark ? 'new record' : 'record')}, but at least ${expectMin} were expected. Nothing was written.`,
        {
          hint: bookmark
            ? 'The next run will include them.'
            : 'Look why there are so few, or lower --expect-min.',
        },
      )
    }
  }
  return { records: newRecords(), count: () => count }
}

/** How many single records to read at once, if the list does not have them whole. */
const mostAtOnce = 4

interface Source {
  readonly client: Client
  readonly list: Operation
  readonly create?: Operation | undefined
  readonly get?: Operation | undefined
  readonly reading: Pick<ListOptions, 'mustAgree' | 'asItComes'>
  /** Leaves of the pages what is wanted. */
  readonly select: (pages: Pages) => Pages
}

/** Called for what an export leaves out, once for each record. */
interface Gaps {
  /** A field that no request has, so it could not be imported again. */
  readonly leftOut: (path: string) => void
  /** A section that the service did not return. */
  readonly absent: (section: string) => void
  /** A field that the service shows only masked. */
  readonly masked: (path: string) => void
}

/**
 * Every record of a list, page by page: in the format of the create request plus the service's `id`, or unchanged if the
 * contract has no create request for it. Throws a Failure (exit 10) for a record that cannot be mapped completely.
 */
async function* exportedRecords(source: Source, gaps: Gaps): AsyncGenerator<readonly JsonObject[]> {
  const { client, list, create, reading, select } = source
  const type = mappingOf(create?.requestRecord)?.request
  for await (const items of select(fetchPages(client, list, {}, reading))) {
    const records = items.map((item) => (isObject(item) ? item : { value: item }))
    if (!type) {
      yield records
      continue
    }
    const whole = await mapAtOnce(records, mostAtOnce, (record) => readWhole(source, type, record))
    yield whole.map((each) => asSent(type, each, gaps))
  }
}

interface Whole extends MappedRecord {
  readonly record: JsonObject
}

/** An item of the list, or the answer of `get` if the item lacks a section. */
async function readWhole({ client, get }: Source, type: RecordType, item: JsonObject): Promise<Whole> {
  const listed = { record: item, ...mapRecord(type, item) }
  const id = idOf(item)
  if (listed.absent.length === 0 || !get || id === undefined) return listed
  const record = (await client.record(get, { parameters: { id } })) ?? item
  return { record, ...mapRecord(type, record) }
}

function asSent(type: RecordType, { record, body, misfits, absent }: Whole, gaps: Gaps): JsonObject {
  if (misfits.length > 0) throw unmapped(type, idOf(record), misfits)
  for (const section of absent) gaps.absent(section)
  for (const path of maskedFields(type, body)) gaps.masked(path)
  return { ...(record.id !== undefined && { id: record.id }), ...declared(body, type.fields, gaps.leftOut) }
}

function unmapped(type: RecordType, id: string | undefined, misfits: MappedRecord['misfits']): Failure {
  const which = id === undefined ? type.displayName : `${type.displayName} (${id})`
  return new Failure(
    'invalid-response',
    `The service returned ${which} in a form that cannot be exported completely. The export stopped there.`,
    { issues: misfits, hint: 'To see records as the service returns them, use list or get with --json.' },
  )
}

/** Only the values that the request has a field for. */
function declared(
  record: JsonObject,
  fields: Fields,
  leftOut: (path: string) => void,
  above: readonly string[] = [],
): JsonObject {
  const exported = Object.entries(record).flatMap(([name, value]): [string, Json][] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const path = [...above, name]
    if (!field) leftOut(formatPath(path))
    if (!field) return []
    if (!field.fields || !isObject(value)) return [[name, value]]
    const inner = declared(value, field.fields, leftOut, path)
    return Object.keys(inner).length > 0 ? [[name, inner]] : []
  })
  return Object.fromEntries(exported)
}

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
async function* encodeExport(records: Records, form: Encoding): AsyncGenerator<string | Uint8Array> {
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
