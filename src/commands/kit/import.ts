import { rm } from 'node:fs/promises'
import { fileOf } from '../../context/choose-format.ts'
import type { Context } from '../../context/context.ts'
import { openSharedJournal, openSharedJournalToRead } from '../../context/shared-journal.ts'
import { Failure, Interrupted, type StopSignal } from '../../errors.ts'
import type { Entry, State } from '../../import/entry.ts'
import type { ImportJob } from '../../import/job.ts'
import type { MissingLines } from '../../import/lines.ts'
import { summaryLine } from '../../import/outcomes.ts'
import { countsOf, doubtfulIn, type Plan, planImport } from '../../import/plan.ts'
import { holdUnasked } from '../../import/plan-changes.ts'
import { openRejects, type Rejects } from '../../import/reject-rows.ts'
import { failureOf, type Result } from '../../import/report.ts'
import { openResults, type ResultsFile, resultsFormat, runOutcomes } from '../../import/results.ts'
import { closeRejects, runImport } from '../../import/run.ts'
import type { ClaimReader } from '../../import/shared-journal/claim.ts'
import { safeText } from '../../render/text/safe-text.ts'
import { shellWord } from '../../text/shell-word.ts'
import { plural } from '../../text/words.ts'
import type { Options } from '../cli/options.ts'
import type { ImportVerb } from '../cli/resource-verbs.ts'
import { nounOf } from '../cli/target.ts'
import { commandLine, expectWrite, targetFlags, typedCommand } from './command-line.ts'
import { confirmWrite, mustAsk } from './confirm.ts'
import { importAlone, openImport, realFile } from './import-open.ts'
import {
  assertReady,
  printDryRun,
  printPlan,
  printSummary,
  showPlanning,
  showSending,
} from './import-output.ts'
import { assertOwnFiles, assertPlanFile, writePlan } from './import-plan-file.ts'
import { commandForFile, countOf, hasPreview } from './import-words.ts'
import { openPrompts } from './open-prompts.ts'

/** More statements at the same time would not make it faster. */
const mostConnections = 4

/** Imports a file, or says with --dry-run what would happen. `-` is standard input. */
export async function importFile(
  context: Context,
  verb: ImportVerb,
  given: string,
  options: Options,
): Promise<void> {
  if (given !== '-') return importFrom(context, verb, { given, path: given }, options)
  const { keepInput } = await import('./import-input.ts')
  const input = await keepInput(context)
  try {
    await importFrom(context, verb, { given, path: input.path, isInput: true }, options)
  } finally {
    await input.discard()
  }
}

interface ImportedFile {
  /** As it was typed. */
  readonly given: string
  /** Where its rows are. */
  readonly path: string
  /** Whether it is what came by standard input. */
  readonly isInput?: true
}

async function importFrom(
  context: Context,
  verb: ImportVerb,
  { given, path, isInput }: ImportedFile,
  options: Options,
): Promise<void> {
  if (!options.dryRun) await mustAsk(context, `create ${verb.kind.noun}`)
  if (options.plan !== undefined) assertPlanFile(options.plan)
  const job = await openImport(context, verb, path, options)
  const { create } = job.service
  const file = await realFile(path)
  await assertOwnFiles({ ...options, out: fileOf(context.options.out) }, file)
  if (options.results !== undefined) await resultsFormat(options.results, file)
  if (options.dryRun) {
    if (options.results !== undefined)
      context.note(`A dry run has no results: ${options.results} is not written.`)
    return planOnly(context, job, { given, rejects: options.rejects, plan: options.plan })
  }
  const lookUp = await expectWrite(context, { target: verb.operation, operation: create, parameters: {} })
  const named = { rejects: options.rejects, plan: options.plan }
  const results = await openResults(options.results, file)
  try {
    await importAlone(context, job, file, () =>
      runShared(context, verb, job, { given, lookUp, results, ...named, ...(isInput && { isInput }) }),
    )
  } finally {
    await results?.discard()
  }
}

/** A dry run looks at what others have claimed, and claims nothing. Without the shared journal it shows the rest. */
async function planOnly(
  context: Context,
  job: ImportJob,
  { given, rejects, plan }: Pick<Files, 'given' | 'rejects' | 'plan'>,
): Promise<void> {
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
    await printDryRun(context, job, given, planned, { rejects, unread })
  } finally {
    await claims?.close()
  }
}

interface Files {
  /** The file, as it was typed. */
  readonly given: string
  /** The command that lists the records. */
  readonly lookUp: string
  readonly rejects: string | undefined
  /** Whether the rows came by standard input. */
  readonly isInput?: true
  /** Where every change is written before any is sent. */
  readonly plan: string | undefined
  readonly results: ResultsFile | undefined
}

/** Runs with the journal that several computers share, where one is set: it is there before anything is planned. */
async function runShared(context: Context, verb: ImportVerb, job: ImportJob, files: Files): Promise<void> {
  const { place, settleMs, source, concurrency } = job
  const shared = await openSharedJournal(context, {
    place,
    settleMs,
    file: source.sha256,
    connections: Math.min(concurrency, mostConnections),
  })
  try {
    await run(context, verb, { ...job, shared }, files)
  } finally {
    await shared?.close()
  }
}

async function run(context: Context, verb: ImportVerb, started: ImportJob, files: Files): Promise<void> {
  const { given, lookUp, results } = files
  const first = await planWithProgress(context, started)
  const missingLines = await askMissingLines(context, first)
  const job = missingLines ? { ...started, missingLines } : started
  const planned = missingLines ? await planWithProgress(context, job) : first
  const { service } = job
  const asksForBank =
    service.change?.bank === false &&
    planned.changes.bankRecords > 0 &&
    hasPreview(context) &&
    !context.options.yes
  if (!asksForBank) holdUnasked(planned.entries.values())
  await writePlan(context, files.plan, job, planned)
  await printPlan(context, job, given, planned)
  await assertReady(context, job, given, planned, files.rejects)
  if (asksForBank && !(await mayChangeBank(context, planned))) {
    holdUnasked(planned.entries.values())
    // The one before the question had these among the changes.
    await writePlan(context, files.plan, job, planned)
  }
  await confirmImport(context, job, planned)
  const rejects = openRejects(job.source, files.isInput ? undefined : given, files.rejects)
  if (planned.wrongRows.size > 0 || countsOf(planned).held > 0) await rejects.assertPlace()
  context.writes.advise(
    `Run the same command again: it looks for the rows that were under way before it sends anything. ${typedCommand(context)}`,
  )
  const { result, notWritten } = await sendAll(context, job, planned, { rejects, results })
  await printSummary(context, result.summary, planned.changes)
  warnOfOtherValues(context, result)
  if (results && notWritten === undefined) context.note(`Wrote ${results.path}.`)
  const correct = (file: string, more: readonly string[]) =>
    commandForFile(context, given, job.source, file, more)
  const failure = failureOf(result, {
    lookUp,
    correct,
    ...(await resolveCommands(context, verb, job, given)),
  })
  if (notWritten !== undefined && failure) context.warn(`${results?.path} could not be written.`)
  if (failure) throw failure
  // A script that pipes one row after the other says each time what is to be: nothing is left to remember.
  if (files.isInput) await rm(planned.journal, { force: true })
  if (notWritten !== undefined) throw await withoutResults(context, verb, job, files, notWritten)
}

/** Asks before rows are sent: where any is doubtful, or changes a record, on every profile. */
async function confirmImport(context: Context, job: ImportJob, planned: Plan): Promise<void> {
  const { noun } = job.service.kind
  // A row with an unknown outcome is sent again if it turns out not to exist.
  const { create, change, unknown, held } = countsOf(planned)
  const most = create + unknown
  if (most + change === 0) return
  const warned = doubtfulIn(planned)
  const doubtful = warned > 0 ? `, ${warned} of them doubtful,` : ''
  const parts = [
    ...(most > 0 ? [`create ${countOf(most, noun)}`] : []),
    ...(change > 0 ? [`change ${countOf(change, noun)}`] : []),
  ]
  // At a terminal what is left out of a file is a question too: whether to send the rest.
  const left = planned.wrongRows.size + held
  const isAsked =
    (job.source.doubts?.length ?? 0) + warned + left + planned.changes.shapes.length + change > 0
  await confirmWrite(
    context,
    `${parts.join(' and ')}${doubtful}`,
    context.interactive && isAsked ? 'always' : undefined,
  )
}

/** Sends the rows, until they end or Ctrl-C. `notWritten`: why the file of the results could not be written. */
async function sendAll(
  context: Context,
  job: ImportJob,
  planned: Plan,
  { rejects, results }: { readonly rejects: Rejects; readonly results: Files['results'] },
): Promise<{ readonly result: Result; readonly notWritten: unknown }> {
  const progress = await showSending(context, planned)
  let notWritten: unknown
  const result = await runUntilSignal(
    context,
    async (signal) => {
      const onMove = (entry: Entry, from: State) => {
        confirmFound(context, entry, from)
        progress.onMove(entry, from)
      }
      const watcher = { onMove, onDoing: progress.onDoing }
      const ended = await runImport({ ...job, signal }, planned, rejects, watcher).finally(progress.end)
      if (results) {
        const outcomes = await runOutcomes(ended, planned.journal)
        await results.write(job.source, job.service.kind, outcomes).catch((error: unknown) => {
          notWritten = error
        })
      }
      return closeRejects(ended, rejects)
    },
    {
      asked: () =>
        context.warn(
          'stopping when the requests already sent have ended. Press Ctrl-C again to stop at once.',
        ),
      stopped: ({ summary }) => ({
        says: summaryLine(summary),
        hint: `To continue: ${typedCommand(context)}`,
      }),
    },
  )
  return { result, notWritten }
}

/** Says of which records the service has stored something else than was sent. */
function warnOfOtherValues({ warn }: Context, { otherwise }: Result): void {
  for (const { reference, fields } of otherwise.slice(0, mostNamed)) {
    warn(`the service stored ${fields.join(', ')} of ${reference} differently from what was sent.`)
  }
  if (otherwise.length > mostNamed)
    warn(`… and stored fields of ${otherwise.length - mostNamed} more differently.`)
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

/** The commands that list the rows in doubt, and say what became of one. */
async function resolveCommands(context: Context, verb: ImportVerb, { service }: ImportJob, given: string) {
  const flags = await targetFlags(context, verb.operation, service.create, {})
  const listDoubts = await commandLine(context, nounOf(service.create), 'import', 'resolve', given, ...flags)
  const { platform } = context.host
  return {
    listDoubts,
    resolve: (name: string, verdict: string) => `${listDoubts} --row ${shellWord(name, platform)} ${verdict}`,
  }
}

/** So many people are named one by one. */
const mostNamed = 10

/** The plan, with a line that says how far it is where records have to be read one by one. */
async function planWithProgress(context: Context, job: ImportJob, claims?: ClaimReader): Promise<Plan> {
  const progress = await showPlanning(context)
  try {
    return await planImport({ ...job, onPlanning: progress.onPlanning }, claims ?? job.shared)
  } finally {
    progress.end()
  }
}

/** Asks at a terminal what becomes of hours that the service has and the sheet lacks; undefined: their rows are held back. */
async function askMissingLines(context: Context, { entries }: Plan): Promise<MissingLines | undefined> {
  const held = [...entries.values()].filter(({ hasMissingLines }) => hasMissingLines)
  if (held.length === 0 || !hasPreview(context) || context.options.yes) return undefined
  const [{ name, issues } = { name: '', issues: [] }] = held
  const others = held.length === 1 ? '' : `, and so for ${held.length - 1} more`
  const ask = await openPrompts(context)
  const it = held.length === 1 ? 'this timesheet' : 'these timesheets'
  const said = await ask.choose<MissingLines | null>({
    message: 'The service has hours that the sheet lacks: what becomes of them?',
    help: safeText(`${name}: ${issues[0]?.message ?? ''}${others}.`),
    choices: [
      {
        value: null,
        name: `Leave ${it} as it is on the service`.replace(
          'these timesheets as it is',
          'these timesheets as they are',
        ),
      },
      { value: 'keep', name: "Keep them beside the sheet's" },
      { value: 'remove', name: 'Remove them: the sheet has the whole week' },
    ],
  })
  return said ?? undefined
}

/** Whether a person says yes to the bank details that the preview shows, old beside new. */
async function mayChangeBank(context: Context, { changes }: Plan): Promise<boolean> {
  const ask = await openPrompts(context)
  const people = plural(changes.bankRecords, 'person')
  const yes = await ask.confirm({ message: `Change the bank details of ${people} too?`, default: false })
  if (!yes) context.note('The rows with bank details are held back.')
  return yes
}

/** Every row is where it should be: only the file with the results is not. */
async function withoutResults(
  context: Context,
  verb: ImportVerb,
  { service }: ImportJob,
  { given, results }: Files,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof Failure)) return error
  const flags = await targetFlags(context, verb.operation, service.create, {})
  const words = [nounOf(service.create), 'import', 'results', given, ...flags, '--out', results?.path ?? '']
  return new Failure('invalid-response', `The import is done, but ${error.message}`, {
    ...error.details,
    outcome: 'applied',
    hint: `To write them again: ${await commandLine(context, ...words)}`,
  })
}

/**
 * Runs work that can be stopped cleanly. The first signal aborts it; the work finishes what it must, and the run ends
 * with that signal. A second signal ends the run at once.
 */
async function runUntilSignal<T>(
  { interruption }: Context,
  work: (signal: AbortSignal) => Promise<T>,
  /** What to say when the person asked, and when it has stopped. */
  {
    asked,
    stopped,
  }: {
    readonly asked: () => void
    readonly stopped: (result: T) => { readonly says: string; readonly hint: string }
  },
): Promise<T> {
  const abort = new AbortController()
  let by: StopSignal | undefined
  const release = interruption.onNextSignal((signal) => {
    by = signal
    abort.abort()
    asked()
  })
  try {
    const result = await work(abort.signal)
    if (by) {
      const { says, hint } = stopped(result)
      throw new Interrupted(by, says, { hint })
    }
    return result
  } finally {
    release()
  }
}
