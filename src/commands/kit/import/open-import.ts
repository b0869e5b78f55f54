import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { fileOf } from '../../../context/choose-format.ts'
import type { Context } from '../../../context/context.ts'
import { servicePlace } from '../../../context/service-place.ts'
import { openSharedJournal } from '../../../context/shared-journal.ts'
import { defaults } from '../../../defaults.ts'
import { invalidInput, onFailure, usage } from '../../../errors.ts'
import { type LockOptions, withLock } from '../../../files/local/lock.ts'
import { ensurePrivateDirectory } from '../../../files/local/private-directory.ts'
import { saveMatching } from '../../../files/table/column-map.ts'
import { leftOutNumbers } from '../../../files/table/file-columns.ts'
import { type OpenedFile, openPiped, pipe } from '../../../files/table/open-bytes.ts'
import { asOpenFailure } from '../../../files/table/open-failure.ts'
import { openSource } from '../../../files/table/open-source.ts'
import { formatToWrite } from '../../../files/table/read-formats.ts'
import type { Matching, RowSource, SourceOptions } from '../../../files/table/row-source.ts'
import type { TableDoubt } from '../../../files/table/skipped-rows.ts'
import { readPlanFile } from '../../../import/approved-plan.ts'
import type { ChangeService, ImportJob, Journals, PlanRules } from '../../../import/job.ts'
import { findOwnJournal, nameFinder } from '../../../import/read-journal.ts'
import { rejectsOf } from '../../../import/reject-rows.ts'
import { journalFile, journalFolder } from '../../../import/write-journal.ts'
import { normalizeName } from '../../../model/fields/labels.ts'
import { type Operation, recordSentBy } from '../../../model/records/operation.ts'
import type { RecordType } from '../../../model/records/record-type.ts'
import { ownWords } from '../../../model/values/read-code.ts'
import { once } from '../../../once.ts'
import { safeText } from '../../../render/text/safe-text.ts'
import { shellWord } from '../../../text/shell-word.ts'
import { agree, plural } from '../../../text/words.ts'
import { readMade } from '../../../write/history/made-values.ts'
import type { ServiceKnowledge } from '../../../write/service-knowledge.ts'
import { type Options, optionWord } from '../../cli/options.ts'
import type { GatherOptions, ImportVerb } from '../../cli/resource-verbs.ts'
import { chooseOperation } from '../../cli/target.ts'
import { lookUpCommand, typedCommand } from '../command-line.ts'
import { assertYes, mayAsk } from '../confirm.ts'
import { payFacts } from '../pay-facts.ts'
import { readBytes, sayWhenWaiting } from '../standard-input.ts'
import { emptyFieldsOf, guardAtRisk } from '../update/ask-at-risk.ts'
import { matchingHelp, remembered } from './ask-matching.ts'
import { describeNumbers } from './preview.ts'
import { assertNoDoubts, hasPreview } from './print-plan.ts'

interface ImportedFile {
  readonly typedFile: string
  /** Its real path: by another name it is still the same import. */
  readonly path: string
  readonly piped?: OpenedFile | undefined
}

const largestInput = 64 * 1024 * 1024

/**
 * Opens the file of an import. Standard input (`-`) is kept in memory, since its rows are read more than once. Its path is
 * of no file, but has its content in its name: after a kill, the same rows continue the same import. Throws exit 3 for
 * empty or too much input, and exit 2 where a file would be replaced that is needed.
 */
export async function takeFile(context: Context, typedFile: string, options: Options): Promise<ImportedFile> {
  await assertOwnFiles(context, options, typedFile)
  if (typedFile !== '-') return { typedFile, path: await realFile(typedFile) }
  const tooLarge = invalidInput('Standard input is larger than 64 MiB.', [], 'Save the rows in a file.')
  const about = ['the rows to import', 'To import a file, name it in place of -.'] as const
  const bytes = await sayWhenWaiting(context, ...about, readBytes(context.host.stdin, largestInput, tooLarge))
  if (bytes.length === 0) throw invalidInput('Standard input is empty: there is no row to import.', [])
  const piped = openPiped(bytes)
  const directory = await context.directory()
  const folder = journalFolder(directory)
  for (const each of [directory, folder]) await ensurePrivateDirectory(each)
  return { typedFile, path: join(await realpath(folder), `${piped.sha256}.input`), piped }
}

/** Reads the file, and asks how to read it unless it was imported already (`isDone`). Sends nothing. */
export async function openImport(
  context: Context,
  verb: ImportVerb,
  { typedFile, path: file, piped }: ImportedFile,
  options: Options,
  isDone = false,
): Promise<ImportJob> {
  const { kind } = verb
  const [create, list] = [chooseOperation(verb.operation, options), chooseOperation(verb.list, options)]
  const type = recordSentBy(create)
  const client = await context.client()
  const knowledge = await context.knowledge()
  const journals = await journalsOf(context, create, list, file)
  const before = isDone ? await importedJournal({ typedFile, journals }) : undefined
  const findNamed = before && nameFinder(before)
  const rowType = verb.sheet?.type ?? type
  const words = await wordsOfRows(knowledge, rowType)
  const about = {
    options,
    isDone,
    findNamed,
    noted: before?.matching,
    type: rowType,
    serviceWords: words.now,
  }
  return {
    typedFile,
    file,
    source: await openRows(context, verb, { path: file, piped }, about),
    service: {
      client,
      create,
      type,
      list,
      kind,
      get: verb.changes && chooseOperation(verb.changes.get, options),
      change: changeService(context, verb, options),
      knowledge,
      learnWords: words.learn,
      lookUpCommand: (id, ...more) =>
        lookUpCommand(context, { operation: create, parameters: { id } }, ...more),
      async *sentLately() {
        const { describeSentLately, newRecordsSentLately } = await import('../find/search-reference.ts')
        // What an import sent is in its journal.
        for await (const entry of newRecordsSentLately(context, create))
          if (!entry.command.endsWith(' import'))
            yield { reference: entry.reference, why: describeSentLately(entry) }
      },
    },
    journals,
    rules: await planRules(context, options),
    sending: {
      settleMs: (options.settle ?? defaults.settle) * 1000,
      concurrency: options.concurrency ?? defaults.concurrency,
      clock: context.host,
      signal: new AbortController().signal,
    },
  }
}

async function planRules(context: Context, options: Options): Promise<PlanRules> {
  const { incomplete = false, samePerson = false, readyOnly = false, strict = false } = options
  const { overlapping, missingLines, plan, asPlanned, dryRun } = options
  const asksAboutDoubts = mayAsk(context)
  return {
    incomplete,
    samePerson,
    readyOnly,
    strict,
    missingLines,
    allowsOverlap: overlapping ?? (asksAboutDoubts && !strict),
    asksAboutDoubts,
    isPreviewed: hasPreview(context) && !dryRun && !context.options.yes,
    approvedPlan: asPlanned === undefined ? undefined : await readPlanFile(asPlanned),
    keepsEveryChange: plan !== undefined || asPlanned !== undefined,
    today: context.today(),
    facts: await payFacts(context),
  }
}

/** The words of the service by which rows are read: the same until `learn`, so that what is planned is what is sent. */
async function wordsOfRows(knowledge: ServiceKnowledge, type: RecordType) {
  let words = await knowledge.wordsOf(type)
  return {
    now: () => words,
    /** Takes up the words that were seen since. Returns whether rows may read otherwise now. */
    async learn() {
      const before = words
      words = await knowledge.wordsOf(type)
      return !isDeepStrictEqual(ownWords(before), ownWords(words))
    },
  }
}

/** The rows of the file as they are sent, once everything is known that it does not say of itself. */
async function openRows(
  context: Context,
  { sheet }: ImportVerb,
  { path, piped }: Pick<ImportedFile, 'path' | 'piped'>,
  about: GatherOptions &
    Pick<SourceOptions, 'type' | 'serviceWords'> & { readonly noted: Matching | undefined },
): Promise<RowSource> {
  const { options, isDone, noted, type, serviceWords } = about
  const [today, asks] = [context.today(), mayAsk(context)]
  const source: SourceOptions = {
    type,
    today,
    facts: await payFacts(context),
    clears: options.update ?? false,
    serviceWords,
    asks: isDone || (asks && !options.strict),
    help: matchingHelp(context, { ...sheet, type }, options.map, { isDone, noted }),
    ignoreColumn: options.ignoreColumn,
    dateFormat: options.dateFormat,
    encoding: options.encoding,
    headingRow: options.headingRow,
    sheet: options.sheet,
  }
  const opened = await openSource(piped ? '-' : path, source, piped).catch(
    onFailure((failure) => {
      const { adds } = failure.details
      throw failure.with({ resume: adds && typedCommand(context, [...context.host.argv, ...adds]) })
    }),
  )
  // Such as a total that is not the sum of its rows.
  if (options.strict) assertNoDoubts(opened.doubts ?? [])
  const { matching, columns = [], own = columns } = opened
  const leftOut = isDone ? [] : await assertImported(context, opened, options)
  // The column matching is remembered only once the user has gone on with this file. Its rejects may have one column
  // more: the week that stood above the headings.
  if (matching && !isDone)
    for (const header of new Set([columns, own]))
      await saveMatching(await context.directory(), type, header, matching)
  const doubtful = leftOut.length > 0 ? { ...opened, doubts: [...(opened.doubts ?? []), ...leftOut] } : opened
  return sheet ? sheet.gather(context, doubtful, about) : doubtful
}

/**
 * Locks an import: two runs of one file would send it twice, and two files may hold the same person. Throws a
 * `locked` Failure at once where another run has the file, or brings the same kind of records to the service.
 */
export async function importAlone<T>(
  context: Context,
  { typedFile, file, journals, service: { kind } }: ImportJob,
  action: () => Promise<T>,
): Promise<T> {
  const { origin, base } = journals.place
  // The sandbox belongs to this user, and each settings folder has its own.
  const isOwn = (await context.profile()).kind === 'sandbox'
  const service = isOwn ? `the sandbox in ${await context.directory()}` : `${origin}${base}`
  const alone: LockOptions = { waitMs: 0, against: isOwn ? 'user' : 'everybody' }
  const ofKind = () => withLock(`an import of ${kind.noun} into ${service}`, action, alone)
  // What is piped in is in no file that another run could replace.
  if (typedFile === '-') return ofKind()
  const same = isOwn ? `the import of ${file} into ${service}` : `the import of ${file}`
  return withLock(same, ofKind, alone)
}

/** Opens the shared journal for an import, or for what is said of one, if one is set. */
export const openShared = (
  context: Context,
  { journals: { place }, sending: { settleMs }, source }: ImportJob,
  connections: number,
) => openSharedJournal(context, { place, settleMs, file: source.sha256, connections })

/**
 * Asks before a column of numbers is left out, because nobody checks hours again before they are paid. A
 * script needs --ignore-column for it, or gets exit 3. A dry run at a terminal asks nothing, and is given them as doubts.
 */
async function assertImported(
  context: Context,
  { shown = [] }: RowSource,
  options: Options,
): Promise<readonly TableDoubt[]> {
  const ignored = new Set((options.ignoreColumn ?? []).map(normalizeName))
  const left = leftOutNumbers(shown).filter(({ name }) => !ignored.has(normalizeName(name)))
  const issues = left.map((column) => ({
    path: `column ${column.letters}, ${column.name}`,
    message: `${describeNumbers(column)} are not imported`,
  }))
  if (options.dryRun && context.interactive)
    return issues.map(({ path, message }) => ({ row: 0, message: `${path}: ${message}` }))
  if (left.length === 0) return []
  if (!mayAsk(context)) {
    const words = left.map(({ name }) => `--ignore-column ${shellWord(name, context.host.platform)}`)
    throw invalidInput(
      `${plural(left.length, 'column')} of numbers ${agree(left.length, 'is')} not imported.`,
      issues,
      `Say with --map what they are, or leave them out: ${words.join(' ')}`,
    )
  }
  for (const { path, message } of issues) context.note(safeText(`${path}: ${message}.`))
  await assertYes(context, left.length === 1 ? 'Go on without this column?' : 'Go on without these columns?')
  return []
}

/** How existing records are changed; undefined where they stay. Throws a usage failure for options without effect. */
function changeService(context: Context, verb: ImportVerb, options: Options): ChangeService | undefined {
  const { changes } = verb
  if (!options.update || !changes) {
    const ofUpdate = ['bank', 'plan', 'asPlanned', 'allowMissing', 'missingLines'] as const
    const idle = ofUpdate.filter((name) => (options[name] ?? false) !== false).map(optionWord)
    if (idle.length > 0) throw usage(`${idle.join(' and ')} would have no effect without --update.`)
    return undefined
  }
  const update = chooseOperation(changes.operation, options)
  const said = new Set<string>()
  return {
    update,
    changesBank: options.bank ?? false,
    allowedMissing: options.allowMissing ?? [],
    findAtRisk: (change) =>
      guardAtRisk({ context, writer: 'import update', verb: changes, options, said }, change),
    emptyFields: () => emptyFieldsOf(context),
    noteSeen: context.writes.noteSeen,
    readMade: once(async () => readMade(await context.directoryIfAny(), await context.profile(), update)),
  }
}

/**
 * Throws if a file that an import writes would replace one that it reads, or another that it writes, or has an unknown
 * ending. Rejects may replace the rejects that are imported.
 */
async function assertOwnFiles({ options: { out } }: Context, options: Options, input: string) {
  const { map, asPlanned, plan, results, rejects } = options
  if (plan !== undefined) formatToWrite(plan, 'A plan is')
  if (results !== undefined) formatToWrite(results, 'The results are')
  const used: readonly [what: string, path: string | undefined, isRead?: 'read'][] = [
    ['the file that is imported', input === '-' ? undefined : input, 'read'],
    ['the file of --map', map === remembered ? undefined : map, 'read'],
    ['the plan of --as-planned', asPlanned, 'read'],
    ['the plan', plan],
    ['the results', results],
    ['the rejects', rejects],
    ['--out', fileOf(out)],
  ]
  const before = new Map<string, string>()
  for (const [what, path, isRead] of used) {
    if (path === undefined) continue
    const real = await realPath(path)
    const other = before.get(real)
    const isAgain = path === rejects && path === rejectsOf(path) && other === used[0]?.[0]
    if (other !== undefined && !isRead && !isAgain)
      throw usage(`${path} cannot be both ${other} and ${what}.`, `Name another file for ${what}.`)
    before.set(real, what)
  }
}

async function journalsOf(
  context: Context,
  create: Operation,
  list: Operation,
  file: string,
): Promise<Journals> {
  const { url } = (await context.client()).prepare(list)
  const place = servicePlace(await context.access(), url, create.id)
  const directory = await context.directory()
  return {
    place,
    profile: (await context.profile()).name,
    folder: journalFolder(directory),
    forFile: journalFile(directory, place, file),
    forApiKey: journalFile(directory, place, file, place.account ?? ''),
  }
}

/** The journal of an imported file. Throws a usage failure if this computer has none, or another key began it. */
export async function importedJournal({ typedFile, journals }: Pick<ImportJob, 'typedFile' | 'journals'>) {
  const { path, before, certain } = await findOwnJournal(journals)
  const { place } = journals
  if (before && certain) return before
  if (before)
    throw usage(`${typedFile} was imported with another key.`, `Use that key; the journal is ${path}.`)
  throw usage(
    `This computer has no journal of an import of ${typedFile} into ${place.origin}${place.base}.`,
    'Choose the profile and the country that it was imported with.',
  )
}

/** The real path of a file that may not be there yet. */
async function realPath(path: string): Promise<string> {
  const folder = () => realpath(dirname(path)).catch(() => resolve(dirname(path)))
  return realpath(path).catch(async () => join(await folder(), basename(path)))
}

async function realFile(given: string): Promise<string> {
  try {
    return await realpath(given)
  } catch (error) {
    // A pipe that a shell makes of <(…) has no path of its own.
    if (/^\/dev\/(?:stdin|fd\/\d+)$|^\/proc\/\w+\/fd\//.test(given)) throw pipe(given)
    throw asOpenFailure(given, error)
  }
}
