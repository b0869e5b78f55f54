import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import type { Operation } from '../../../api/contract/operations/operation.ts'
import type { RecordType } from '../../../api/contract/records/record-type.ts'
import { variants } from '../../../api/contract/variants.ts'
import type { Context } from '../../../context/context.ts'
import { servicePlace } from '../../../context/service/service-place.ts'
import { systemCode, usage } from '../../../errors.ts'
import type { ImportJob } from '../../../import/import-job.ts'
import { journalFile, journalFolder } from '../../../import/journal/journal-file.ts'
import { openSource, type SourceOptions } from '../../../import/reading/open-source.ts'
import type { Options } from '../declare/options.ts'
import type { ImportVerb } from '../declare/resource-verbs.ts'
import { chooseOperation } from '../declare/target.ts'
import { matchingHelp } from './matching-help.ts'

const defaults = { settleSeconds: 60, concurrency: 4 }

/** Opens the file, and says where its journal is and which service it is for. Asks how to read it, unless it is done already; sends nothing. */
export async function openImport(
  context: Context,
  verb: ImportVerb,
  given: string,
  options: Options,
  isDone = false,
): Promise<ImportJob> {
  const { kind } = verb
  const [create, list] = [chooseOperation(verb.operation, options), chooseOperation(verb.list, options)]
  if (!create.requestRecord) throw new TypeError(`${create.id} sends nothing`)
  const file = await realFile(given)
  const client = await context.client()
  const source = await openSource(file, {
    type: create.requestRecord,
    today: context.today(),
    ...readingOptions(context, create.requestRecord, options, isDone),
  })
  const { place, journals } = await journalsOf(context, create, list, file)
  const { now, monotonicNow } = context.host
  return {
    source,
    service: { client, create, list, kind },
    place,
    profile: (await context.profile()).name,
    journals,
    settleMs: (options.settle ?? defaults.settleSeconds) * 1000,
    concurrency: options.concurrency ?? defaults.concurrency,
    incomplete: options.incomplete ?? false,
    readyOnly: options.readyOnly ?? false,
    now,
    clock: monotonicNow,
    signal: new AbortController().signal,
  }
}

/** Where the journal of an import of this file is. */
async function journalsOf(
  context: Context,
  create: Operation,
  list: Operation,
  file: string,
): Promise<Pick<ImportJob, 'place' | 'journals'>> {
  const client = await context.client()
  const place = servicePlace(await context.access(), client.prepare(list).url, create.id)
  const directory = await context.directory()
  const journals = {
    folder: journalFolder(directory),
    plain: journalFile(directory, place, file),
    ofAccount: journalFile(directory, place, file, place.account ?? ''),
  }
  return { place, journals }
}

/**
 * The options of an import that was done: where no country was typed and there is no journal of the usual one, that of
 * the country into which the file was imported.
 */
export async function asImported(
  context: Context,
  { operation, list }: ImportVerb,
  given: string,
  options: Options,
): Promise<Options> {
  const isTyped = variants.some(({ flag }) => context.host.argv.includes(flag))
  if (isTyped || 'path' in operation) return options
  const file = await realFile(given)
  const isKnown = async (each: Options): Promise<boolean> => {
    const [create, listed] = [chooseOperation(operation, each), chooseOperation(list, each)]
    const { journals } = await journalsOf(context, create, listed, file)
    return existsSync(journals.plain) || existsSync(journals.ofAccount)
  }
  if (await isKnown(options)) return options
  const none = Object.fromEntries(variants.map(({ id }) => [id, undefined]))
  for (const { id, flag } of variants) {
    const other: Options = { ...options, ...none, [id]: true }
    if (!(await isKnown(other))) continue
    context.note(`Read as it was imported, with ${flag}.`)
    return other
  }
  return options
}

/** The real path of a file: by another name it is still the same import. */
export async function realFile(given: string): Promise<string> {
  if (given === '-') {
    throw usage(
      'An import cannot read standard input, because it reads its input twice: save the rows in a file. Nothing was sent.',
    )
  }
  try {
    return await realpath(given)
  } catch (error) {
    throw usage(`${given} cannot be opened (${systemCode(error)}). Nothing was sent.`)
  }
}

function readingOptions(
  context: Context,
  type: RecordType,
  { map, dateFormat, encoding }: Options,
  isDone: boolean,
): Partial<SourceOptions> {
  return {
    help: matchingHelp(context, type, map, isDone),
    ...(dateFormat && { dateFormat }),
    ...(encoding !== undefined && { encoding }),
  }
}
