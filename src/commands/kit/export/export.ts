import { createHash } from 'node:crypto'
import { fstatSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { mapAtOnce } from '../../../api/at-once.ts'
import type { Client } from '../../../api/client.ts'
import { fetchPages } from '../../../api/pages.ts'
import { readWholeRecord } from '../../../api/whole-record.ts'
import { assertEffective, fileOf, namedFormat } from '../../../context/choose-format.ts'
import type { Context } from '../../../context/context.ts'
import { servicePlace } from '../../../context/service-place.ts'
import { Failure, onFailure, usage } from '../../../errors.ts'
import { columnReader, valuesByPath } from '../../../files/formats/flat.ts'
import { numberedLines } from '../../../files/formats/ndjson.ts'
import { parseJson } from '../../../files/json/parse.ts'
import { asObject, formatPath, isObject, type Json, type JsonObject } from '../../../files/json/path.ts'
import { stringifyJson } from '../../../files/json/stringify.ts'
import { writeFileAtomic } from '../../../files/local/atomic-file.ts'
import { withLock } from '../../../files/local/lock.ts'
import { ensurePrivateDirectory } from '../../../files/local/private-directory.ts'
import { privateJson } from '../../../files/local/private-json.ts'
import { openSpool } from '../../../files/local/spool.ts'
import { systemCommands } from '../../../files/local/system-commands.ts'
import type { Fields } from '../../../model/fields/field.ts'
import { fieldAt, leafFields } from '../../../model/fields/field-tree.ts'
import { neverReturned } from '../../../model/mapping/field-mapping.ts'
import { mapRecord } from '../../../model/mapping/map-record.ts'
import { maskedFields } from '../../../model/mapping/service-masks.ts'
import { idOf, idText } from '../../../model/records/identity.ts'
import { answerType, type Operation } from '../../../model/records/operation.ts'
import type { RecordType } from '../../../model/records/record-type.ts'
import { type ExportFormat, exportFormats, formats } from '../../../render/formats.ts'
import { knownColumns } from '../../../render/named-columns.ts'
import { write } from '../../../render/output.ts'
import { type FileRenderers, holdText } from '../../../render/renderer.ts'
import { safeLines } from '../../../render/text/safe-text.ts'
import { inBatches, mapGroups } from '../../../text/group-by.ts'
import { isShortName, plural, wordList } from '../../../text/words.ts'
import type { Options } from '../../cli/options.ts'
import type { ExportVerb } from '../../cli/resource-verbs.ts'
import { chooseOperation } from '../../cli/target.ts'
import { readUnlessChanged } from '../list/list.ts'
import type { Pages } from '../list/where.ts'
import { showProgress } from '../show-progress.ts'

type Records = AsyncIterable<readonly JsonObject[]>

/** Exports a list; a file is written whole or not at all. --since-last of one name runs once at a time (exit 11). */
export async function exportAll(
  context: Context,
  verb: ExportVerb,
  options: Options,
  person?: string,
): Promise<void> {
  const { sinceLast } = options
  const format = exportFormat(context, options)
  if (person !== undefined && sinceLast !== undefined)
    throw usage('A person cannot be combined with --since-last, which remembers the records of everybody.')
  const { whoseItem } = verb
  const select =
    whoseItem && person !== undefined
      ? await (await import('../find/items-of-person.ts')).selectPerson(context, person, whoseItem)
      : undefined
  if (sinceLast === undefined) return exportOnce(context, verb, options, { format, select })
  if (fileOf(options.out) === undefined && isClosed(context.host.stdout))
    throw usage(
      'Standard output is closed, so the records would count as exported for --since-last and reach no reader.',
      'Name a file: --out new.csv',
    )
  const directory = await context.directory()
  await withLock(
    `the export ${sinceLast} of ${directory}`,
    async () => {
      const bookmark = await bookmarkFor(context, chooseOperation(verb.list, options), sinceLast, directory)
      await exportOnce(context, verb, options, { format, bookmark })
      // Kept only at the end: if a run is cut short, the next one exports the same records again.
      await bookmark.keep()
    },
    { waitMs: 0 },
  )
}

/** Whether a stream was closed. Node has opened /dev/null in its place, and can read it; a shell opens it only to write. */
function isClosed({ fd }: Context['host']['stdout']): boolean {
  try {
    if (fd === undefined || fstatSync(fd).rdev !== statSync('/dev/null').rdev) return false
    readSync(fd, Buffer.alloc(1))
    return true
  } catch {
    return false
  }
}

async function bookmarkFor(context: Context, list: Operation, name: string, directory: string) {
  const profile = await context.access()
  const { url } = (await context.client()).prepare(list)
  // Uses the address as it was typed: a bookmark that is not found again would export every record a second time.
  const place = { ...servicePlace(profile, url, list.id), origin: new URL(url).origin, profile: profile.name }
  const bookmark = await openBookmark(directory, name, place)
  if (bookmark.isOfOtherKey)
    context.warn(
      `the export ${name} was last run with another key. If this is another company, choose another name for --since-last.`,
    )
  return bookmark
}

interface OneExport {
  readonly format: ExportFormat
  readonly bookmark?: Bookmark | undefined
  readonly select?: ((pages: Pages) => Pages) | undefined
}

async function exportOnce(
  context: Context,
  verb: ExportVerb,
  options: Options,
  { format, bookmark, select = (pages) => pages }: OneExport,
): Promise<void> {
  const { expectMin } = options
  const { columns, excel = false } = context.options
  const { stdout } = context.host
  const out = fileOf(options.out)
  const list = chooseOperation(verb.list, options)
  const create = verb.create && chooseOperation(verb.create, options)
  const get = verb.get && chooseOperation(verb.get, options)
  const client = await context.client()
  const folder = await context.directory()
  const { streams, isTable, load } = formats[format]
  const sheet = isTable ? verb.sheet : undefined
  const own = create?.requestRecord
  const type = own?.answer && own
  const requestType = sheet?.type ?? own
  const { renderers } = await load()
  const asItComes = streams && out === undefined && expectMin === undefined && !bookmark
  // Checked before the first request. The spool also checks it, but only for many records.
  if (!asItComes) await ensurePrivateDirectory(folder)
  const { fields = {} } = requestType ?? answerType(list) ?? {}
  const rowsOf = await sheet?.rows(context)
  const encoding = { encode: renderers.exported, isTable, fields, columns, excel, sent: requestType, folder }
  const earlier = bookmark && out !== undefined && (await hasRecords(out, encoding)) ? out : undefined
  const exportList = async (): Promise<Tally> => {
    const tally: Tally = { count: 0, gaps: { leftOut: new Set(), notReturned: new Set(), masked: new Set() } }
    bookmark?.begin()
    const pages = select(fetchPages(client, list, {}, { asItComes, mustAgree: bookmark !== undefined }))
    const records = mapGroups(pages, async (items) => {
      const objects = items.map(asObject)
      if (!type) return objects
      return mapAtOnce(objects, mostAtOnce, (item) => asSent(item, { client, type, get }, tally.gaps))
    })
    const fresh = newRecords(records, tally, bookmark, { expectMin, earlier })
    const rows = rowsOf ? mapGroups(fresh, async (some) => some.flatMap(rowsOf)) : fresh
    const content = encodeExport(rows, encoding, asItComes)
    if (out !== undefined) await showProgress(context, 'Reading', writeFileAtomic(out, content, true))
    else
      for await (const part of content)
        await write(stdout, typeof part === 'string' && stdout.isTTY ? safeLines(part) : part)
    return tally
  }
  const { count, gaps } = await readUnlessChanged(context, exportList, asItComes)
  context.note(out === undefined ? plural(count, 'record') : `Wrote ${plural(count, 'record')} to ${out}.`)
  for (const [gap, names] of Object.entries(gaps))
    if (names.size > 0) context.warn(`${gapTexts[gap as GapKind]}: ${[...names].join(', ')}.`)
  const notReturned = neverReturned(requestType)
  if (notReturned.length > 0 && count > 0)
    context.note(`The service does not return: ${notReturned.join(', ')}.`)
}

interface Tally {
  count: number
  readonly gaps: Gaps
}

/** Whether a file is not as an export without a record leaves it. */
async function hasRecords(path: string, encoding: RowEncoding): Promise<boolean> {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  async function* none() {}
  async function sizeOf(content: AsyncIterable<string | Uint8Array>): Promise<number> {
    let bytes = 0
    for await (const part of content) bytes += Buffer.byteLength(part)
    return bytes
  }
  // Without a record a column of the service's own may look misspelt.
  return size > 0 && size !== (await sizeOf(encodeExport(none(), encoding, false)).catch(onFailure(() => 0)))
}

/**
 * The records that no earlier run has exported. Throws exit 10 where there are fewer than were expected, and where none
 * is new and the file has what an earlier run wrote: it may be the only copy, and whoever uses it next would use it twice.
 */
async function* newRecords(
  records: Records,
  tally: Tally,
  bookmark: Bookmark | undefined,
  {
    expectMin = 0,
    earlier,
  }: { readonly expectMin?: number | undefined; readonly earlier?: string | undefined },
): Records {
  for await (const some of records) {
    const fresh = bookmark ? some.filter((record) => bookmark.isNew(record)) : some
    tally.count += fresh.length
    if (fresh.length > 0) yield fresh
  }
  if (earlier !== undefined && tally.count === 0)
    throw new Failure(
      'too-few',
      `There are no new records. ${earlier} was left as an earlier run wrote it.`,
      {
        hint: 'Move it away once it is used: then a run that finds nothing new writes an empty one, and is no error.',
      },
    )
  if (tally.count >= expectMin) return
  const howMany = plural(tally.count, bookmark ? 'new record' : 'record')
  const message = `Found ${howMany}, but at least ${expectMin} were expected. Nothing was written.`
  throw new Failure('too-few', message, {
    hint: bookmark ? 'The next run will include them.' : 'Look why there are so few, or lower --expect-min.',
  })
}

function exportFormat({ options, host }: Context, { out }: Options): ExportFormat {
  if (options.query !== undefined) throw usage('--query does not work with export: use --columns.')
  const byName = namedFormat(options, out, exportFormats)
  const format = byName === undefined ? 'csv' : exportFormats.find((each) => each === byName)
  if (format === undefined)
    throw usage(`${byName} is not an export format.`, `Choose one of: ${exportFormats.join(', ')}.`)
  if (formats[format].isBinary && fileOf(out) === undefined && host.stdout.isTTY) {
    throw usage(
      `A terminal cannot show ${format}.`,
      `Name a file, such as --out people${formats[format].endings[0]}.`,
    )
  }
  assertEffective(formats[format], options)
  if (options.columns && !formats[format].isTable) {
    const tables = exportFormats.filter((each) => formats[each].isTable)
    throw usage(
      `--columns chooses the columns of a table, and ${format} has none: add -o ${wordList(tables, 'or')}.`,
    )
  }
  return format
}

/** Why an import of the exported file would not restore a field. */
const gapTexts = {
  leftOut: 'not exported, because an import could not send them',
  notReturned: 'the service did not return these parts of records',
  masked: 'the service masks these fields, so they are masked in the export too',
} as const

type GapKind = keyof typeof gapTexts

type Gaps = Readonly<Record<GapKind, Set<string>>>

const mostAtOnce = 4

/** A record in the form of a create request, with `id`. Throws exit 10 for one that cannot be mapped. */
async function asSent(
  item: JsonObject,
  { client, type, get }: { client: Client; type: RecordType; get: Operation | undefined },
  gaps: Gaps,
): Promise<JsonObject> {
  const id = idOf(item)
  const fromList = { record: item, ...mapRecord(type, item) }
  const isWhole = fromList.sectionsNotReturned.length === 0 || !get || id === undefined
  const { record, body, misfits, sectionsNotReturned } = isWhole
    ? fromList
    : await readWholeRecord(client, { get, type, parameters: { id } })
  if (misfits.length > 0) {
    const which = id === undefined ? type.displayName : `${type.displayName} (${id})`
    throw new Failure(
      'invalid-response',
      `The service returned ${which} in a form that cannot be exported completely. The export stopped there.`,
      { issues: misfits, hint: 'To see records as the service returns them, use list or get with --json.' },
    )
  }
  for (const section of sectionsNotReturned) gaps.notReturned.add(section)
  for (const path of maskedFields(type, body)) gaps.masked.add(path)
  return { ...(record.id !== undefined && { id: record.id }), ...keepDeclared(body, type.fields, gaps) }
}

/** Keeps the values that the request has a field for. */
function keepDeclared(
  record: JsonObject,
  fields: Fields,
  gaps: Gaps,
  above: readonly string[] = [],
): JsonObject {
  const exported = Object.entries(record).flatMap(([name, value]): [string, Json][] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const path = [...above, name]
    if (!field) {
      gaps.leftOut.add(formatPath(path))
      return []
    }
    if (!field.fields || !isObject(value)) return [[name, value]]
    const inner = keepDeclared(value, field.fields, gaps, path)
    return Object.keys(inner).length > 0 ? [[name, inner]] : []
  })
  return Object.fromEntries(exported)
}

interface RowEncoding {
  readonly encode: FileRenderers['exported']
  readonly isTable: boolean
  readonly fields: Fields
  readonly columns?: readonly string[] | undefined
  readonly excel: boolean
  readonly sent: RecordType | undefined
  readonly folder: string
}

const batchSize = 2000

/** Encodes the records. They wait in an unnamed temporary file, so that memory does not grow, except for a workbook. */
async function* encodeExport(
  records: Records,
  { encode, isTable, fields, columns, excel, sent, folder }: RowEncoding,
  asItComes: boolean,
): AsyncGenerator<string | Uint8Array> {
  // A value of unknown type is one cell, because only then can it be read again.
  const cells = (record: JsonObject) =>
    valuesByPath(record, (path) => fieldAt(fields, path)?.type === 'unknown')
  const paths = new Set<string>()
  const table = () => {
    const allColumns = columnsFor([...paths], fields, columns)
    const readers = columns && allColumns.map(columnReader)
    const row = (record: JsonObject): readonly Json[] => {
      if (readers) return readers.map((reader) => reader(record))
      const values = cells(record)
      return allColumns.map((path) => values.get(path))
    }
    return { columns: allColumns, row }
  }
  if (asItComes) {
    yield* encode({ batches: () => records, table, excel, fields, sent })
    return
  }
  const text = holdText(() => openSpool(folder))
  try {
    for await (const some of records) {
      if (isTable) for (const record of some) for (const path of cells(record).keys()) paths.add(path)
      await text.add(some.map((record) => `${stringifyJson(record)}\n`).join(''))
    }
    yield* encode({
      batches: () => inBatches(readBack(text.parts()), batchSize),
      table,
      excel,
      fields,
      sent,
    })
  } finally {
    await text.close()
  }
}

async function* readBack(parts: AsyncIterable<string | Uint8Array>): AsyncGenerator<JsonObject> {
  async function* chunks() {
    // Copied, because a part is valid only until the next one is asked for, and a line may begin in it.
    for await (const part of parts) yield Buffer.from(part as string)
  }
  // Lines may have any length: a long record must not be left out.
  for await (const { bytes = new Uint8Array() } of numberedLines(chunks(), Number.POSITIVE_INFINITY))
    yield parseJson(Buffer.from(bytes).toString()) as JsonObject
}

/** The chosen columns, or all: `id`, then in the declared order. Throws for one that does not exist. */
function columnsFor(paths: readonly string[], fields: Fields, columns: readonly string[] | undefined) {
  const ofType = leafFields(fields).map(({ path }) => path)
  if (columns) return knownColumns(columns, paths, fields)
  if (paths.length === 0) return ofType
  const rankOf = (path: string) => {
    const at = ofType.findIndex((each) => path === each || path.startsWith(`${each}[`))
    return path === 'id' ? -1 : at < 0 ? ofType.length : at
  }
  // Numeric order, so that the tenth line of an address comes after the second.
  const { compare } = new Intl.Collator('en', { numeric: true })
  const ranked = paths.map((path) => [rankOf(path), path] as const)
  return ranked.sort(([a, one], [b, other]) => a - b || compare(one, other)).map(([, path]) => path)
}

const bookmarkFormat = 1

/** The list that a bookmark is for. It cannot be used for another service. */
const placeShape = {
  profile: z.string(),
  origin: z.string(),
  /** The path of the base URL. */
  base: z.string(),
  /** A digest of the API key, if there is one. */
  account: z.optional(z.string()),
  /** The operation: `payslips.list`. */
  operation: z.string(),
}

const bookmarkShape = z.object({
  version: z.literal(bookmarkFormat),
  ...placeShape,
  seen: z.array(z.string()),
})

type Bookmark = Awaited<ReturnType<typeof openBookmark>>

type BookmarkPlace = Readonly<z.infer<z.ZodMiniObject<typeof placeShape>>>

/**
 * Opens a bookmark, which remembers a digest of each record that runs with its name have written. Throws a usage failure
 * for one of another service, or a damaged one.
 */
async function openBookmark(directory: string, name: string, place: BookmarkPlace) {
  if (!isShortName(name))
    throw usage(
      '--since-last takes a name of letters, digits, hyphens and underscores, such as --since-last nightly.',
    )
  const file = join(directory, 'bookmarks', `${name}.json`)
  const store = privateJson(file, bookmarkShape, {
    what: 'the bookmark',
    format: bookmarkFormat,
    name: 'version',
    damaged: (code) =>
      code === undefined
        ? usage(
            `The bookmark ${file} is damaged. It was left as it is.`,
            `To start again, with every record as new: ${systemCommands().moveAside(file)}`,
          )
        : usage(`The bookmark ${file} cannot be read (${code}).`),
  })
  const bookmark = await store.read()
  const [theirs, ours] = [bookmarkParts(bookmark ?? place), bookmarkParts(place)]
  const other = theirs.findIndex((each, at) => each !== ours[at])
  if (other >= 0)
    throw usage(
      `The bookmark ${name} is for ${theirs[other]}, not for ${ours[other]}. Nothing was written.`,
      'Choose another name for --since-last.',
    )
  let idsSeen = new Set(bookmark?.seen)
  /** The records without an id of this reading: two that are equal are two payslips. */
  let idsNow = new Set<string>()
  return {
    /** Whether it was saved with another key: the company's new key, or another company's. */
    isOfOtherKey: bookmark?.account !== undefined && bookmark.account !== place.account,
    /** Forgets what earlier readings of this run showed. */
    begin() {
      idsSeen = new Set(bookmark?.seen)
      idsNow = new Set()
    },
    /** Whether a record is new. Remembers it, so the next call returns false. */
    isNew(record: JsonObject): boolean {
      const id = idOf(record)
      let digest = digestOfExported(id ?? stringifyJson(record))
      while (id === undefined && idsNow.has(digest)) digest = digestOfExported(digest)
      idsNow.add(digest)
      const isNew = !idsSeen.has(digest) && !(id !== undefined && idsSeen.has(digestWithout(id, record)))
      idsSeen.add(digest)
      return isNew
    },
    /** Saves the new records of the last reading, once they are written. Throws a Failure if it cannot. */
    keep: () =>
      store.write({ version: bookmarkFormat, ...place, seen: [...idsSeen] }).catch(
        onFailure((failure) => {
          const message = `${failure.message} The records were exported, and do not count as such: the next run exports them again.`
          throw failure.with({ message })
        }),
      ),
  }
}

const bookmarkParts = ({ origin, base, profile, operation }: BookmarkPlace): readonly string[] => [
  origin + base,
  profile,
  operation,
]

/** As 0.1.0 knew a record whose id has another name, which it did not read as one; else the digest of its id. */
function digestWithout(id: string, { id: _, ...others }: JsonObject): string {
  const isNamedOtherwise = Object.values(others).some((value) => idText(value) === id)
  return digestOfExported(isNamedOtherwise ? stringifyJson(others) : id)
}

/** A digest of 96 bits of what tells a record from others: matches by chance are practically impossible. */
function digestOfExported(identity: string): string {
  return createHash('sha256').update(identity).digest('base64url').slice(0, 16)
}
