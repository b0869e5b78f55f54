import type { Client } from '../../api/client.ts'
import { correspondenceOf, requestFrom } from '../../api/contract/correspondence.ts'
import type { Fields } from '../../api/contract/field.ts'
import { isObject, type Json, type JsonObject } from '../../api/contract/path.ts'
import { everyPage } from '../../api/pages.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../errors.ts'
import { withLock } from '../../profile/lock.ts'
import { write } from '../../render/output.ts'
import type { ExportVerb } from './export.ts'
import type { Options } from './options.ts'
import { patiently } from './patiently.ts'
import { operationOf } from './variant.ts'

export const exportFormats = ['csv', 'ndjson', 'json', 'xlsx'] as const

export type ExportFormat = (typeof exportFormats)[number]

type Pages = AsyncIterable<readonly Json[]>

/** Records are read by so many requests at once where the list does not have them whole. */
const atOnce = 4

/** Writes every record, or with --since-last every one that was not there the last time. */
export async function exportRecords(context: Context, verb: ExportVerb, options: Options): Promise<void> {
  const operation = operationOf(verb.operation, options)
  const format = formatOf(context, options)
  const client = await context.client()
  const all = (pages: Pages) => atLeast(wholeOf(client, verb, options, pages), options.expectMin ?? 0)
  if (options.sinceLast === undefined) {
    await writeAs(context, format, all(everyPage(client, operation)))
    return
  }
  const { openBookmark } = await import('./bookmark.ts')
  const { name, origin = '' } = await context.profile()
  const title = { name: options.sinceLast, profile: name, origin, operation: operation.id }
  await withLock(
    `the export ${options.sinceLast} of ${origin || name}`,
    async () => {
      const bookmark = await openBookmark(await context.directory(), title)
      await writeAs(context, format, all(bookmark.unseen(everyPage(client, operation))))
      // What was not written whole must be written again the next time.
      await context.finish()
      await bookmark.save(context.host.now())
    },
    { waitMs: 0 },
  )
}

function formatOf({ options: { out, output, json } }: Context, { format }: Options): ExportFormat {
  const ending = /\.(csv|ndjson|json|xlsx)$/i.exec(out ?? '')?.[1]?.toLowerCase()
  const wanted = format ?? (json ? 'json' : output) ?? ending ?? 'csv'
  const known = exportFormats.find((each) => each === wanted)
  if (!known) throw usage(`An export is one of ${exportFormats.join(', ')}.`)
  if (known === 'xlsx' && out === undefined) {
    throw usage('A workbook is no text: say where it is to go, with --out payslips.xlsx.')
  }
  return known
}

async function writeAs(context: Context, format: ExportFormat, pages: Pages): Promise<void> {
  if (format !== 'xlsx') {
    const listing = context.outputAs(format).pages(pages)
    await (format === 'ndjson' ? listing : patiently(context, 'Reading', listing))
    return
  }
  const [{ writeXlsx }, { pathsOf }] = await Promise.all([
    import('../../formats/xlsx.ts'),
    import('../../formats/cells.ts'),
  ])
  const rows: JsonObject[] = []
  const reading = async () => {
    for await (const items of pages)
      rows.push(...items.map((item) => (isObject(item) ? item : { value: item })))
  }
  await patiently(context, 'Reading', reading())
  const columns = context.options.columns ?? pathsOf(rows)
  await write(context.outputAs('csv').stream, await writeXlsx(rows, columns))
}

/** Holds the rows back until there are enough, so that a list that is too short is not written at all. */
async function* atLeast(pages: Pages, fewest: number): AsyncGenerator<readonly Json[]> {
  const held: (readonly Json[])[] = []
  let count = 0
  for await (const items of pages) {
    count += items.length
    held.push(items)
    if (count >= fewest) yield* held.splice(0)
  }
  if (count >= fewest) return
  throw new Failure(
    'answer',
    `There are ${count}, and at least ${fewest} were expected. Nothing was written.`,
    {
      hint: 'Look whether the others are still to come; then run the same command again.',
    },
  )
}

/** The records in full and as they are sent, with their id before them; as they are listed where that is all. */
async function* wholeOf(
  client: Client,
  { whole }: ExportVerb,
  options: Options,
  pages: Pages,
): AsyncGenerator<readonly Json[]> {
  if (!whole) return yield* pages
  const get = operationOf(whole.get, options)
  const correspondence = correspondenceOf(operationOf(whole.create, options).sends)
  for await (const items of pages) {
    for (let at = 0; at < items.length; at += atOnce) {
      yield await Promise.all(items.slice(at, at + atOnce).map(read))
    }
  }

  async function read(item: Json): Promise<Json> {
    const id = isObject(item) && typeof item.id === 'string' ? item.id : ''
    const record = (await client.record(get, { parameters: { id } })) ?? {}
    if (!correspondence) return record
    return { id, ...sendable(requestFrom(correspondence, record), correspondence.request.fields) }
  }
}

/** Without what the service works out by itself, and nobody can send. */
function sendable(record: JsonObject, fields: Fields): JsonObject {
  const kept = Object.entries(record).flatMap(([name, value]): [string, Json][] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) return []
    return [[name, field.fields && isObject(value) ? sendable(value, field.fields) : value]]
  })
  return Object.fromEntries(kept)
}
