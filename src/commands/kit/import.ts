import { rm } from 'node:fs/promises'
import { fileOf } from '../../context/choose-format.ts'
import type { Context } from '../../context/context.ts'
import { openSharedJournal, openSharedJournalToRead } from '../../context/shared-journal.ts'
import { Failure, Interrupted, type StopSignal } from '../../errors.ts'
import type { Entry, State } from '../../import/entry.ts'
import type { ImportJob } from '../../import/job.ts'
import { summaryLine } from '../../import/outcomes.ts'
import { countsOf, doubtfulIn, type Plan, planImport } from '../../import/plan.ts'
import { holdUnasked } from '../../import/plan-changes.ts'
import { openRejects, type Rejects } from '../../import/reject-rows.ts'
import { failureOf, type NextCommands, type Result } from '../../import/report.ts'
import { openResults, type ResultsFile, resultsFormat, runOutcomes } from '../../import/results.ts'
import { closeRejects, runImport } from '../../import/run.ts'
import type { ClaimReader } from '../../import/shared-journal/claim.ts'
import { shellWord } from '../../text/shell-word.ts'
import { plural } from '../../text/words.ts'
import type { Options } from '../cli/options.ts'
import type { ImportVerb } from '../cli/resource-verbs.ts'
import { nounOf } from '../cli/target.ts'
import { commandLine, expectWrite, targetFlags, typedCommand } from './command-line.ts'
import { confirmWrite, mustAsk } from './confirm.ts'
import { askMissingLines } from './import-ask.ts'
import { type ImportedFile, importAlone, openImport, realFile, withRows } from './import-open.ts'
import { assertOwnFiles, planFormat, writePlan } from './import-plan-file.ts'
import {
  assertReady,
  commandForFile,
  countOf,
  hasPreview,
  printDryRun,
  printPlan,
  printSummary,
  showPlanning,
  showSending,
} from './import-print.ts'
import { openPrompts } from './open-prompts.ts'

/** More statements at the same time would not make it faster. */
const mostConnections = 4

/** Imports a file, or says with --dry-run what would happen. `-` is standard input. */
export function importFile(
  context: Context,
  verb: ImportVerb,
  given: string,
  options: Options,
): Promise<void> {
  return withRows(context, given, (file) => importFrom(context, verb, file, options))
}

async function importFrom(
  context: Context,
  verb: ImportVerb,
  file: ImportedFile,
  options: Options,
): Promise<void> {
  if (!options.dryRun) await mustAsk(context, `create ${verb.kind.noun}`)
  if (options.plan !== undefined) planFormat(options.plan)
  const job = await openImport(context, verb, file, options)
  const path = await realFile(file.path)
  await assertOwnFiles({ ...options, out: fileOf(context.options.out) }, path)
  if (options.results !== undefined) await resultsFormat(options.results, path)
  if (options.dryRun) {
    if (options.results !== undefined)
      context.note(`A dry run has no results: ${options.results} is not written.`)
    return planOnly(context, job, options)
  }
  const { create } = job.service
  const lookUp = await expectWrite(context, { target: verb.operation, operation: create, parameters: {} })
  const commands = await nextCommands(context, verb, job, lookUp)
  const results = await openResults(options.results, path)
  try {
    await importAlone(context, job, path, () => runShared(context, job, options, { commands, results }))
  } finally {
    await results?.discard()
  }
}

/** A dry run looks at what others have claimed, and claims nothing. Without the shared journal it shows the rest. */
async function planOnly(context: Context, job: ImportJob, { plan, rejects }: Options): Promise<void> {
  let unread: Failure | undefined
  const claims = await openSharedJournalToRead(context, job.place).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    unread = error
    return undefined
  })
  try {
    const planned = await planWithProgress(context, job, claims)
    holdUnasked(planned.entries.values())
    await writePlan(context, plan, job, planned)
    await printDryRun(context, job, planned, { rejects, unread })
  } finally {
    await claims?.close()
  }
}

/** The ending of an import: the commands that a failure names, and the file of its results. */
interface Ending {
  readonly commands: Commands
  readonly results: ResultsFile | undefined
}

/** Runs with the journal that several computers share, where one is set: it is there before anything is planned. */
async function runShared(context: Context, job: ImportJob, options: Options, ending: Ending): Promise<void> {
  const { place, settleMs, source, concurrency } = job
  const connections = Math.min(concurrency, mostConnections)
  const shared = await openSharedJournal(context, { place, settleMs, file: source.sha256, connections })
  try {
    await run(context, { ...job, shared }, options, ending)
  } finally {
    await shared?.close()
  }
}

async function run(
  context: Context,
  started: ImportJob,
  options: Options,
  { commands, results }: Ending,
): Promise<void> {
  const canAsk = hasPreview(context) && !context.options.yes
  let [job, plan] = [started, await planWithProgress(context, started)]
  const lacking = [...plan.entries.values()].filter(({ hasMissingLines }) => hasMissingLines)
  const missingLines = canAsk && lacking.length > 0 ? await askMissingLines(context, lacking) : undefined
  if (missingLines) {
    job = { ...started, missingLines }
    plan = await planWithProgress(context, job)
  }
  const { entries, changes } = plan
  const asksForBank = canAsk && job.service.change?.bank === false && changes.bankRecords > 0
  if (!asksForBank) holdUnasked(entries.values())
  await writePlan(context, options.plan, job, plan)
  await printPlan(context, job, plan)
  await assertReady(context, job, plan, options.rejects)
  if (asksForBank && !(await mayChangeBank(context, plan))) {
    holdUnasked(entries.values())
    // The one before the question had these among the changes.
    await writePlan(context, options.plan, job, plan)
  }
  await confirmImport(context, job, plan)
  const { given, source } = job
  const isInput = given === '-'
  const rejects = openRejects(source, isInput ? undefined : given, options.rejects)
  if (plan.wrongRows.size > 0 || countsOf(plan).held > 0) await rejects.assertPlace()
  context.writes.advise(
    `Run the same command again: it looks for the rows that were under way before it sends anything. ${typedCommand(context)}`,
  )
  const { result, notWritten } = await send(context, job, plan, { rejects, results })
  await printSummary(context, result, plan)
  if (results && notWritten === undefined) context.note(`Wrote ${results.path}.`)
  const failure = failureOf(result, commands)
  if (notWritten !== undefined && failure) context.warn(`${results?.path} could not be written.`)
  if (failure) throw failure
  // A script that pipes one row after the other says each time what is to be: nothing is left to remember.
  if (isInput) await rm(plan.journal, { force: true })
  if (notWritten !== undefined) throw withoutResults(notWritten, commands.results(results?.path ?? ''))
}

/** Asks before rows are sent: where any is doubtful, or changes a record, on every profile. */
async function confirmImport(context: Context, job: ImportJob, plan: Plan): Promise<void> {
  const { noun } = job.service.kind
  // A row with an unknown outcome is sent again if it turns out not to exist.
  const { create, change, unknown, held } = countsOf(plan)
  const most = create + unknown
  if (most + change === 0) return
  const warned = doubtfulIn(plan)
  const doubtful = warned > 0 ? `, ${warned} of them doubtful,` : ''
  const parts = [
    ...(most > 0 ? [`create ${countOf(most, noun)}`] : []),
    ...(change > 0 ? [`change ${countOf(change, noun)}`] : []),
  ]
  // At a terminal what is left out of a file is a question too: whether to send the rest.
  const left = plan.wrongRows.size + held
  const isAsked = (job.source.doubts?.length ?? 0) + warned + left + plan.changes.shapes.length + change > 0
  await confirmWrite(
    context,
    `${parts.join(' and ')}${doubtful}`,
    context.interactive && isAsked ? 'always' : undefined,
  )
}

/**
 * Sends the rows, until they end or a signal comes: after the first one what was sent ends, and the run with it; the second ends it
 * at once. `notWritten`: why the file of the results could not be written.
 */
async function send(
  context: Context,
  job: ImportJob,
  plan: Plan,
  { rejects, results }: { readonly rejects: Rejects; readonly results: ResultsFile | undefined },
): Promise<{ readonly result: Result; readonly notWritten: unknown }> {
  const abort = new AbortController()
  let by: StopSignal | undefined
  const release = context.interruption.onNextSignal((signal) => {
    by = signal
    abort.abort()
    context.warn('stopping when the requests already sent have ended. Press Ctrl-C again to stop at once.')
  })
  const progress = await showSending(context, plan)
  const onMove = (entry: Entry, from: State) => {
    confirmFound(context, entry, from)
    progress.onMove(entry, from)
  }
  const watcher = { onMove, onDoing: progress.onDoing }
  try {
    const ended = await runImport({ ...job, signal: abort.signal }, plan, rejects, watcher).finally(
      progress.end,
    )
    let notWritten: unknown
    if (results) {
      const outcomes = await runOutcomes(ended, plan.journal)
      await results.write(job.source, job.service.kind, outcomes).catch((error: unknown) => {
        notWritten = error
      })
    }
    const result = await closeRejects(ended, rejects)
    if (by)
      throw new Interrupted(by, summaryLine(result.summary), {
        hint: `To continue: ${typedCommand(context)}`,
      })
    return { result, notWritten }
  } finally {
    release()
  }
}

/**
 * A write whose answer was lost, and which the service turns out to have applied, is no longer unknown to the history; one that
 * was acknowledged and is not in its record is not applied there. A conflict that changed nothing was refused.
 */
function confirmFound({ writes }: Context, { writes: does, state, name, id }: Entry, from: State): void {
  const isEarlier = state === 'done' && from !== 'sending'
  if (does === 'create') {
    // What was answered clearly needs no word.
    if (isEarlier) writes.settled('applied', name, { isEarlier })
    if (state === 'refused' && from === 'doubt') writes.settled('refused', name, { isEarlier: true })
    return
  }
  const outcome = state === 'done' ? 'applied' : state === 'doubt' ? 'unknown' : state
  if (outcome === 'applied' || outcome === 'refused' || outcome === 'unknown')
    writes.settled(outcome, id ?? name, { isEarlier })
}

interface Commands extends NextCommands {
  /** Writes the results to a file. */
  readonly results: (file: string) => string
}

/** The commands that a failure of this import names. */
async function nextCommands(
  context: Context,
  verb: ImportVerb,
  job: ImportJob,
  lookUp: string,
): Promise<Commands> {
  const { create } = job.service
  const flags = await targetFlags(context, verb.operation, create, {})
  const lineOf = (does: string) => commandLine(context, nounOf(create), 'import', does, job.given, ...flags)
  const [listDoubts, results] = [await lineOf('resolve'), await lineOf('results')]
  const { platform } = context.host
  return {
    lookUp,
    listDoubts,
    resolve: (name, verdict) => `${listDoubts} --row ${shellWord(name, platform)} ${verdict}`,
    correct: (file, more) => commandForFile(context, job, file, more),
    results: (file) => `${results} --out ${shellWord(file, platform)}`,
  }
}

/** The plan, with a line that says how far it is where records have to be read one by one. */
async function planWithProgress(context: Context, job: ImportJob, claims?: ClaimReader): Promise<Plan> {
  const { onPlanning, end } = await showPlanning(context)
  try {
    return await planImport({ ...job, onPlanning }, claims ?? job.shared)
  } finally {
    end()
  }
}

/** Whether a person says yes to the bank details that the preview shows, old beside new. */
async function mayChangeBank(context: Context, { changes }: Plan): Promise<boolean> {
  const people = plural(changes.bankRecords, 'person')
  const ask = await openPrompts(context)
  const yes = await ask.confirm({ message: `Change the bank details of ${people} too?`, default: false })
  if (!yes) context.note('The rows with bank details are held back.')
  return yes
}

/** Every row is where it should be: only the file with the results is not. */
function withoutResults(error: unknown, again: string): unknown {
  if (!(error instanceof Failure)) return error
  return new Failure('invalid-response', `The import is done, but ${error.message}`, {
    ...error.details,
    outcome: 'applied',
    hint: `To write them again: ${again}`,
  })
}
