import { rm } from 'node:fs/promises'
import type { Context } from '../../../context/context.ts'
import { Failure, Interrupted, type StopSignal, usage } from '../../../errors.ts'
import type { ImportEntry, State } from '../../../import/entry.ts'
import type { ImportJob } from '../../../import/job.ts'
import type { MissingLines } from '../../../import/lines.ts'
import { countsOf, doubtfulIn, type Plan, planImport } from '../../../import/plan.ts'
import { holdUnasked } from '../../../import/plan-changes.ts'
import { assertFormat, assertRejectsWritable, rejectsOf } from '../../../import/reject-rows.ts'
import { type NextCommands, type RunResult, runFailure } from '../../../import/report.ts'
import { openResults, type ResultsFile } from '../../../import/results.ts'
import { summaryLine } from '../../../import/row-fates.ts'
import { runImport, type WrittenFiles } from '../../../import/run.ts'
import type { SharedJournal } from '../../../import/shared-journal/shared-journal.ts'
import { keyInWords } from '../../../model/natural-key.ts'
import { timeLeft } from '../../../text/duration.ts'
import { shellWord } from '../../../text/shell-word.ts'
import { plural, singular } from '../../../text/words.ts'
import type { Options } from '../../cli/options.ts'
import type { ImportVerb } from '../../cli/resource-verbs.ts'
import { nounOf } from '../../cli/target.ts'
import { commandLine, expectWrite, placeFlags, typedCommand } from '../command-line.ts'
import { confirmWrite, mustAsk } from '../confirm.ts'
import { openPrompts } from '../open-prompts.ts'
import { startLine } from '../show-progress.ts'
import { commandAgain, readingFlags } from './command-again.ts'
import { importAlone, openImport, openShared, takeFile } from './open-import.ts'
import { assertReady, printPlan, printPlanOnly, unseenCells } from './print-plan.ts'
import { printSummary, showSending } from './print-run.ts'
import { writePlan } from './write-plan.ts'

/** More statements at the same time would not make it faster. */
const mostConnections = 4

/** Imports a file, or says with --dry-run what would happen. `-` is standard input. */
export async function importFile(
  context: Context,
  verb: ImportVerb,
  given: string,
  options: Options,
): Promise<void> {
  if (context.options.columns)
    throw usage('--columns selects fields of records, and an import prints counts. For these use --query.')
  const { rejects = rejectsOf(given) } = options
  const file = await takeFile(context, given, { ...options, ...(rejects !== undefined && { rejects }) })
  if (options.rejects !== undefined) await assertRejectsWritable(options.rejects)
  let results: ResultsFile | undefined
  try {
    if (!options.dryRun)
      await mustAsk(context, `create${options.update ? ' or change' : ''} ${verb.kind.noun}`)
    const job = await openImport(context, verb, file, options)
    if (options.rejects !== undefined) assertFormat(job.source, options.rejects)
    if (options.dryRun) return await dryRunOf(context, job, options)
    const { create } = job.service
    const lookUp = await expectWrite(context, { operation: create })
    const commands = await nextCommands(context, job, { lookUp, options })
    if (options.results !== undefined) results = await openResults(options.results)
    await importAlone(context, job, () => run(context, job, options, { commands, results }))
  } finally {
    await results?.discard()
  }
}

/** Plans an import for a dry run. Reads the claims of other runs but claims nothing. */
async function dryRunOf(context: Context, job: ImportJob, options: Options): Promise<void> {
  const { plan, rejects, results } = options
  if (results !== undefined) context.note(`A dry run has no results: ${results} is not written.`)
  const claims = await openShared(context, job, 1)
  try {
    const planned = await planWithProgress(context, job, claims)
    await writePlan(context, plan, job, planned)
    await printPlanOnly(context, job, planned, rejects)
  } finally {
    await claims?.close()
  }
}

/** Runs an import. The shared journal is opened before anything is planned. */
async function run(
  context: Context,
  opened: ImportJob,
  options: Options,
  { commands, results }: { readonly commands: NextCommands; readonly results: ResultsFile | undefined },
): Promise<void> {
  const { sending, typedFile } = opened
  const shared = await openShared(context, opened, Math.min(sending.concurrency, mostConnections))
  try {
    const [job, plan] = await planAndShow(context, { ...opened, sending: { ...sending, shared } }, options)
    await confirmImport(context, job, plan)
    context.writes.advise(
      `Run the same command again: it looks for the rows that were under way before it sends anything. ${typedCommand(context)}`,
    )
    const result = await sendWithProgress(context, job, plan, { rejects: options.rejects, results })
    const { notWritten, noRejects } = result
    if (noRejects) context.warn(`there are no rejects. ${noRejects.message}`)
    await printSummary(context, job, result)
    if (results && notWritten === undefined) context.note(`Wrote ${results.path}.`)
    const failure = runFailure(
      { ...result, wrongCells: unseenCells(context, job, plan) },
      { ...commands, freeSql: shared?.freeSql },
    )
    if (failure && notWritten !== undefined) context.warn(`${results?.path} could not be written.`)
    if (failure) throw failure
    // No journal is kept of standard input that was fully imported: a script that pipes rows says each time
    // what it wants.
    if (typedFile === '-') await rm(plan.journal, { force: true })
    if (results && notWritten !== undefined) throw withoutResults(notWritten)
  } finally {
    await shared?.close()
  }
}

async function planAndShow(
  context: Context,
  opened: ImportJob,
  options: Options,
): Promise<readonly [ImportJob, Plan]> {
  let [job, plan] = [opened, await planWithProgress(context, opened)]
  const lacking = [...plan.entries.values()].filter(({ change }) => change?.hasMissingLines)
  const missingLines =
    job.rules.isPreviewed && lacking.length > 0 ? await askMissingLines(context, lacking) : undefined
  if (missingLines) {
    job = { ...opened, rules: { ...opened.rules, missingLines } }
    plan = await planWithProgress(context, job)
  }
  await writePlan(context, options.plan, job, plan)
  await printPlan(context, job, plan)
  await assertReady(context, job, plan, options.rejects)
  const { entries, changes } = plan
  const isAsked =
    job.rules.isPreviewed && job.service.change?.changesBank === false && changes.bankRecords > 0
  const message = `Change the bank details of ${plural(changes.bankRecords, 'person')} too?`
  if (isAsked && !(await (await openPrompts(context)).confirm({ message, default: false }))) {
    context.note('The rows with bank details are held back.')
    holdUnasked(entries.values())
    // Writes the plan again, because the first one had these rows among the changes.
    await writePlan(context, options.plan, job, plan)
  }
  return [job, plan]
}

/** Asks what becomes of hours that the sheet lacks; undefined: their rows are held back. */
async function askMissingLines(
  context: Context,
  held: readonly ImportEntry[],
): Promise<MissingLines | undefined> {
  const [{ reference, issues } = { reference: '', issues: [] }, ...others] = held
  const more = others.length === 0 ? '' : `, and so for ${others.length} more`
  const said = await (await openPrompts(context)).choose<MissingLines | null>({
    message: 'The service has hours that the sheet lacks: what becomes of them?',
    help: `${keyInWords(reference)}: ${issues[0]?.message ?? ''}${more}.`,
    choices: [
      { value: null, name: 'Leave what the service has as it is' },
      { value: 'keep', name: "Keep them, and add the sheet's" },
      { value: 'remove', name: 'Remove them: the sheet has the whole week' },
    ],
  })
  return said ?? undefined
}

/** Asks before rows are sent. On every profile it asks where rows are doubtful or left out, or records would change. */
async function confirmImport(context: Context, job: ImportJob, plan: Plan): Promise<void> {
  const { noun } = job.service.kind
  // A row with an unknown outcome may be created again.
  const { create, change, unknown, held } = countsOf(plan).records
  const most = create + unknown
  if (most + change === 0) return
  const { records: warned } = doubtfulIn(plan)
  const doubtful = warned > 0 ? `, ${warned} of them doubtful,` : ''
  const parts = [
    ...(most > 0 ? [`create ${plural(most, singular(noun))}`] : []),
    ...(change > 0 ? [`change ${plural(change, singular(noun))}`] : []),
  ]
  // At a terminal the user is also asked whether to send the rest of a file.
  const left = plan.wrongRows.size + held
  const isAsked = (job.source.doubts?.length ?? 0) + warned + left + plan.changes.shapes.length + change > 0
  await confirmWrite(context, `${parts.join(' and ')}${doubtful}`, context.interactive && isAsked)
}

/** Sends the plan. The first Ctrl-C waits for the requests that were sent, the second stops at once. */
async function sendWithProgress(
  context: Context,
  job: ImportJob,
  plan: Plan,
  files: WrittenFiles,
): Promise<RunResult> {
  const abort = new AbortController()
  let by: StopSignal | undefined
  const release = context.interruption.onNextSignal((signal) => {
    by = signal
    abort.abort()
    context.warn('stopping when the requests already sent have ended. Press Ctrl-C again to stop at once.')
  })
  const { onMove, onDoing, end } = await showSending(context, plan)
  const watcher = {
    onMove(entry: ImportEntry, from: State) {
      confirmFound(context, job.service, entry, from)
      onMove(entry, from)
    },
    onDoing,
  }
  try {
    const result = await runImport(
      { ...job, sending: { ...job.sending, signal: abort.signal } },
      plan,
      files,
      watcher,
    ).finally(end)
    if (!by) return result
    const hint = `To continue: ${typedCommand(context)}`
    const says = summaryLine(result.summary, result.counts, job.service.kind.noun)
    // The same command sends nothing twice.
    throw new Interrupted(by, says, { hint, retryable: true })
  } finally {
    release()
  }
}

/** Tells the history which writes turned out to be applied, or not, after an unclear answer. */
function confirmFound(
  { writes }: Context,
  { create, change }: ImportJob['service'],
  { writes: does, state, reference, id }: ImportEntry,
  from: State,
): void {
  const isEarlier = state === 'done' && from !== 'sending'
  if (does === 'create') {
    // The history has clear answers already.
    if (isEarlier) writes.noteOutcomeOfRow('applied', reference, create.id)
    if (state === 'refused' && from === 'unclear') writes.noteOutcomeOfRow('refused', reference)
    return
  }
  // A row that is held back right after it was sent left its record as it was.
  const isRefused = state === 'refused' || (state === 'held' && from === 'sending')
  const outcome =
    state === 'done' ? 'applied' : state === 'unclear' ? 'unknown' : isRefused ? 'refused' : undefined
  if (outcome !== undefined)
    writes.noteOutcomeOfRow(outcome, id ?? reference, isEarlier ? change?.update.id : undefined)
}

async function nextCommands(
  context: Context,
  job: ImportJob,
  { lookUp, options }: { readonly lookUp: string; readonly options: Options },
): Promise<NextCommands> {
  const { create } = job.service
  const flags = [...(await placeFlags(context, { operation: create })), ...readingFlags(options)]
  const resolve = await commandLine(context, nounOf(create), 'import', 'resolve', job.typedFile, ...flags)
  const { platform } = context.host
  return {
    lookUp,
    resolve: (row) => (row === undefined ? resolve : `${resolve} --row ${shellWord(row, platform)}`),
    correct: (file, more) => commandAgain(context, job, more, file),
  }
}

/** Plans an import. A terminal shows how far the comparison is, and how long it will take: it reads records one by one. */
async function planWithProgress(
  context: Context,
  job: ImportJob,
  claims: SharedJournal | undefined = job.sending.shared,
): Promise<Plan> {
  const { show, end } = await startLine(context, { draws: context.draws })
  const onCompared = (done: number, total: number) =>
    // The time starts when the first record is done.
    show((ms) => `${done} of ${total} records compared with the service${timeLeft(ms, done - 1, total - 1)}`)
  return planImport(job, { claims, onCompared }).finally(end)
}

/** The failure of an import that is complete except for its results file. */
function withoutResults(error: unknown): unknown {
  if (!(error instanceof Failure)) return error
  return error.with({
    code: 'invalid-response',
    message: `The import is done, but ${error.message}`,
    outcome: 'applied',
    hint: 'To write them, run the same command again with a --results that can be written: it sends nothing twice.',
  })
}
