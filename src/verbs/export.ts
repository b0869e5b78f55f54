import { mappingOf, unreturnedFields } from '../api/contract/mapping/field-mapping.ts'
import type { Operation } from '../api/contract/operations/operation.ts'
import { readSteadily } from '../api/pages.ts'
import type { Options } from '../cli/options.ts'
import type { ExportVerb } from '../cli/resource-verbs.ts'
import { chooseOperation } from '../cli/target.ts'
import { assertEffective, fileOf, namedFormat } from '../context/choose-format.ts'
import type { Context } from '../context/context.ts'
import { servicePlace } from '../context/service-place.ts'
import { Failure, usage } from '../errors.ts'
import { encodeExport } from '../export/encode.ts'
import { exportedRecords, type Gaps } from '../export/export-records.ts'
import { type Bookmark, openBookmark } from '../export/since-last.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { withLock } from '../files/lock.ts'
import { ensurePrivateDirectory } from '../files/private-directory.ts'
import { plural, wordList } from '../formats/words.ts'
import type { JsonObject } from '../json/path.ts'
import { type ExportFormat, exportFormats, formats } from '../render/formats.ts'
import { write } from '../render/output.ts'
import { safeLines } from '../render/text/safe-text.ts'
import { showProgress } from './show-progress.ts'

/**
 * Writes every record of a list, to a file whole or not at all. With --since-last only those that no earlier run
 * under that name has written, and two runs under one name take turns: the second ends at once (exit 11).
 */
export async function exportAll(context: Context, verb: ExportVerb, options: Options): Promise<void> {
  const { sinceLast } = options
  const format = formatOf(context, options)
  if (sinceLast === undefined) return exportOnce(context, verb, options, format)
  const directory = await context.directory()
  await withLock(
    `the export ${sinceLast} of ${directory}`,
    async () => {
      const bookmark = await bookmarkFor(context, verb, options, directory)
      await exportOnce(context, verb, options, format, bookmark)
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

async function exportOnce(
  context: Context,
  verb: ExportVerb,
  options: Options,
  format: ExportFormat,
  bookmark?: Bookmark,
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
  if (!asItComes) await ensurePrivateDirectory(folder)
  const reading = { asItComes, mustAgree: bookmark !== undefined }
  const { count, gaps } = await readSteadily(exportList, {
    ...(asItComes && { most: 1 }),
    onAgain: () => context.warn('the list changed while it was being read, so it was read again.'),
  })
  context.note(out === undefined ? plural(count, 'record') : `Wrote ${plural(count, 'record')} to ${out}.`)
  for (const warning of gaps.warnings()) context.warn(warning)
  const notReturned = neverReturned(create)
  if (notReturned.length > 0 && count > 0)
    context.note(`The service does not return: ${notReturned.join(', ')}.`)

  async function exportList() {
    const gaps = countGaps()
    bookmark?.begin()
    const all = exportedRecords({ client, list, create, get, reading }, gaps)
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

/** The fields of the create request that the service never returns. */
function neverReturned(create: Operation | undefined): readonly string[] {
  const mapping = mappingOf(create?.requestRecord)
  return mapping ? unreturnedFields(mapping) : []
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
        'invalid-response',
        `Found ${plural(count, bookmark ? 'new record' : 'record')}, but at least ${expectMin} were expected. Nothing was written.`,
        { hint: 'The next run will include them.' },
      )
    }
  }
  return { records: newRecords(), count: () => count }
}
