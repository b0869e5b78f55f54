import type { Options } from '../cli/options.ts'
import type { ImportVerb } from '../cli/resource-verbs.ts'
import { nounOf } from '../cli/target.ts'
import type { Context } from '../context/context.ts'
import { openSharedJournal, openSharedJournalToRead } from '../context/shared-journal.ts'
import { Failure, Interrupted, type StopSignal } from '../errors.ts'
import { type LockOptions, withLock } from '../files/lock.ts'
import type { ImportJob } from '../import/job.ts'
import { planImport } from '../import/plan-import.ts'
import { openRejects } from '../import/reject-rows.ts'
import { failureOf } from '../import/report.ts'
import { openResults, type ResultsFile, resultsFormat, runOutcomes } from '../import/results.ts'
import { runImport } from '../import/run.ts'
import { commandLine, expectWrite, targetFlags, typedCommand } from './command-line.ts'
import { confirmWrite, mustAsk } from './confirm.ts'
import { openImport, realFile } from './import-open.ts'
import { assertReady, dryRun, printPlan, printSummary, showProgress, summaryLine } from './import-output.ts'
import { commandForFile, countOf } from './import-words.ts'

/** More statements at the same time would not make it faster. */
const mostConnections = 4

/** Imports a file, or says with --dry-run what would happen. */
export async function importFile(
  context: Context,
  verb: ImportVerb,
  given: string,
  options: Options,
): Promise<void> {
  if (!options.dryRun) await mustAsk(context, `create ${verb.kind.noun}`)
  const job = await openImport(context, verb, given, options)
  const { create, kind } = job.service
  const file = await realFile(given)
  if (options.results !== undefined) await resultsFormat(options.results, file)
  if (options.dryRun) {
    if (options.results !== undefined)
      context.note(`A dry run has no results: ${options.results} is not written.`)
    return planOnly(context, job, given, options.rejects)
  }
  const lookUp = await expectWrite(context, { target: verb.operation, operation: create, parameters: {} })
  const results = await openResults(options.results, file)
  // Two runs of one file would send it twice, and two files may hold the same person.
  // The sandbox in this process is one of this user.
  const isOwn = (await context.profile()).kind === 'sandbox'
  const alone: LockOptions = { waitMs: 0, against: isOwn ? 'user' : 'everybody' }
  const { origin, base } = job.place
  try {
    await withLock(
      `the import of ${file}`,
      () =>
        withLock(
          `an import of ${kind.noun} into ${origin}${base}`,
          () => runShared(context, verb, job, { given, lookUp, results, rejects: options.rejects }),
          alone,
        ),
      alone,
    )
  } finally {
    await results?.discard()
  }
}

/** A dry run looks at what others have claimed, and claims nothing. Without the shared journal it shows the rest. */
async function planOnly(
  context: Context,
  job: ImportJob,
  given: string,
  rejects: string | undefined,
): Promise<void> {
  let unread: Failure | undefined
  const claims = await openSharedJournalToRead(context, job.place).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    unread = error
    return undefined
  })
  try {
    await dryRun(context, job, given, await planImport(job, claims), { rejects, unread })
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

async function run(context: Context, verb: ImportVerb, job: ImportJob, files: Files): Promise<void> {
  const { given, lookUp, results } = files
  const planned = await planImport(job)
  await printPlan(context, job, given, planned)
  await assertReady(context, job, given, planned, files.rejects)
  const { noun } = job.service.kind
  // A row with an unknown outcome is sent again if it turns out not to exist.
  const most = planned.ready + planned.file.doubtful.size
  const { warned, referenceConflicts } = planned
  const what = `create ${countOf(most, noun)}${warned > 0 ? `, ${warned} of them doubtful,` : ''}`
  if (most > 0)
    await confirmWrite(
      context,
      what,
      context.interactive && warned + referenceConflicts.length > 0 ? 'always' : undefined,
    )
  const rejects = await openRejects(job.source, given, files.rejects)
  const progress = await showProgress(context, planned)
  let notWritten: unknown
  const result = await runUntilSignal(
    context,
    async (signal) => {
      const ended = await runImport({ ...job, signal }, planned, rejects, progress.onEvent).finally(
        progress.end,
      )
      const outcomes = await runOutcomes(ended, planned.journal)
      await results?.write(job.source, job.service.kind, outcomes).catch((error: unknown) => {
        notWritten = error
      })
      return ended
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
  await printSummary(context, result.summary)
  if (results && notWritten === undefined) context.note(`Wrote ${results.path}.`)
  const correct = (file: string) => commandForFile(context, given, job.source, file)
  const failure = failureOf(result, { lookUp, correct })
  if (notWritten !== undefined && failure) context.warn(`${results?.path} could not be written.`)
  if (failure) throw failure
  if (notWritten !== undefined) throw await withoutResults(context, verb, job, files, notWritten)
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
