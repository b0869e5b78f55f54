import { asFailure, Failure } from '../errors.ts'
import { keyOfRow } from './checks.ts'
import { watchClaims } from './claim-time.ts'
import {
  adoptClaims,
  awaitOthers,
  explainByOtherRun,
  othersAtWork,
  rowsElsewhere,
  sharedJournalStop,
  type TakenOver,
} from './claims.ts'
import { type Entry, hashInFile, stateFound } from './entry.ts'
import type { ImportJob } from './job.ts'
import { createListReliability } from './list-reliability.ts'
import { countsOf, type Plan } from './plan.ts'
import { changeLine, type ListedCount, listedCountLine } from './read-log.ts'
import { openRejects, type Rejects, rejectUnsentRows } from './reject-rows.ts'
import type { Result } from './report.ts'
import { type ResultsFile, runOutcomes } from './results.ts'
import { countEntries, summaryOf } from './row-fates.ts'
import { move, type Run, type Stop, stopOfDisk, type Watcher } from './running.ts'
import { matchOf, type Scan } from './scan.ts'
import { sendReadyRows } from './send.ts'
import { sendChanges } from './send-changes.ts'
import { longestLagMs, type Verified, verifyRows } from './settle.ts'
import { ClaimImpossible, type SharedJournal } from './shared-journal/claim.ts'
import { createThrottle } from './throttle.ts'
import { openLog, type WriteLog } from './write-log.ts'

/** Carries out a plan to its end or stop, and writes results and rejects. Throws only if nothing was sent. */
export async function runImport(
  job: ImportJob,
  plan: Plan,
  {
    rejects: chosen,
    results,
  }: {
    readonly rejects?: string | undefined
    readonly results?: ResultsFile | undefined
  },
  watcher: Watcher,
): Promise<Result> {
  const { given, source, service } = job
  const rejects = openRejects(source, given === '-' ? undefined : given, chosen)
  if (plan.wrongRows.size > 0 || countsOf(plan).held > 0) await rejects.assertPlace()
  const ended = await sendPlan(job, plan, rejects, watcher)
  const notWritten = await results
    ?.write(source, service.kind, await runOutcomes(ended, plan.journal))
    .catch((error: unknown) => error)
  return { ...(await closeRejects(ended, rejects)), notWritten }
}

async function sendPlan(job: ImportJob, plan: Plan, rejects: Rejects, watcher: Watcher): Promise<Result> {
  const log = await openOwnLog(job, plan)
  const run = startRun(job, plan, log, rejects, watcher)
  const result = (stop: Stop | undefined, { discrepancies, unverified }: Verified): Result => {
    const odd = new Set(discrepancies.map(({ entry }) => entry))
    const counts = countEntries(plan.entries.values(), {
      each: 'rows',
      invalid: plan.wrongRows.size,
      isOdd: (entry) => odd.has(entry),
    })
    return {
      summary: summaryOf(counts, rejects.path()),
      journals: [plan.journal, ...plan.others.map(({ path }) => path)],
      entries: plan.entries,
      refusals: run.refusals,
      refusalCount: run.refusalCount,
      discrepancies,
      unverified,
      otherwise: run.otherwise,
      stop,
    }
  }
  try {
    return result(...(await carryOut(run)))
  } catch (error) {
    // Only the journals throw here, and after that nothing more was sent.
    const failure = asFailure(error)
    const stop: Stop =
      failure instanceof ClaimImpossible ? sharedJournalStop(failure) : { why: 'disk', failure }
    return result(stop, { discrepancies: [] })
  } finally {
    await log.close()
  }
}

/** Begins with what the plan knows. Nothing is sent yet. */
function startRun(job: ImportJob, plan: Plan, log: WriteLog, rejects: Rejects, watcher: Watcher): Run {
  const { settleMs, shared, concurrency, clock, now } = job
  const { monotonicNow } = clock
  const { entries, before, others } = plan
  return {
    ...watcher,
    job,
    plan,
    log,
    throttle: createThrottle({ concurrency, clock: monotonicNow, random: Math.random }),
    clock,
    rejects,
    refusals: [],
    refusalCount: 0,
    claimTime: shared && watchClaims(settleMs, [monotonicNow, now]),
    otherwise: [],
    reliability: createListReliability({ entries, before, others, settleMs }),
    hasMoved: false,
    // An earlier run may have sent its rows in doubt just before this run started.
    unclearSince: monotonicNow(),
    settleMs,
  }
}

async function openOwnLog(job: ImportJob, plan: Plan): Promise<WriteLog> {
  const { origin, base, operation, account } = job.place
  const { sha256 } = job.source
  const header = { origin, base, account, profile: job.profile, operation, sha256, salt: plan.salt }
  return openLog(plan.journal, header, plan.before, job)
}

/** The steps of an import, in their order. Throws a Failure where a journal cannot be written. */
async function carryOut(run: Run): Promise<[Stop | undefined, Verified]> {
  const { log, plan } = run
  const { source, shared } = run.job
  const { baseline, before } = plan
  const known = new Map<string, ListedCount | undefined>()
  for (const [key, { listed }] of before?.rows ?? []) if (listed) known.set(key, listed)
  const note = (list: Scan) => noteListedCounts(plan, list, log, known)
  const { sha256 } = source
  await log.append({ run: 'begin', sha256, rows: plan.rows, owner: shared?.owner })
  if (shared) await adoptFromOthers(run, shared)
  await adoptRowsFoundLater(run)
  await noteSettled(run)
  if (baseline) await note(baseline)
  const created = (await sendReadyRows(run)) ?? (shared && (await finishWithOthers(run, shared)))
  const sent = created ?? (await sendChanges(run))
  const lost = shared?.failure()
  const stop = sent ?? (lost ? sharedJournalStop(lost) : await rejectUnsent(run))
  const verified = await verifyRows(run, stop)
  const late = await explainByOtherRun(shared, verified.unverified)
  if (verified.list) await note(verified.list)
  await log.append({ run: 'end' })
  return [stop ?? late, verified]
}

/** Closes the rejects, which may take the place of the file that was imported: so after the results were written. */
async function closeRejects(result: Result, rejects: Rejects): Promise<Result> {
  const unwritten = await rejects.close().then(
    () => undefined,
    (error: unknown): Stop => ({ ...stopOfDisk(error), why: 'disk' }),
  )
  return {
    ...result,
    stop: result.stop ?? unwritten,
    summary: { ...result.summary, rejects: rejects.path() },
  }
}

function rejectUnsent({ job, plan, rejects }: Run): Promise<Stop | undefined> {
  return rejectUnsentRows(job.source, plan, rejects).then(
    () => undefined,
    (error: unknown): Stop =>
      error instanceof Failure ? { why: 'failed', failure: error } : stopOfDisk(error),
  )
}

/** Notes before anything is sent which rows the plan holds back, and which changes have arrived. */
async function noteSettled({ plan, log, onMove }: Run): Promise<void> {
  for (const [key, entry] of plan.entries) {
    const { reference, writes, state, attempt, row } = entry
    const known = plan.before?.rows.get(key)?.change
    const hash = hashInFile(entry)
    const isSaid = known?.state === state && known.hash === hash
    const says = state === 'held' || (writes === 'change' && state === 'done')
    if (row === 0 || !says || isSaid) continue
    await log.append(changeLine({ reference, hash }, { state, attempt }))
    // Whoever keeps a history of the writes is told too.
    if (state === 'done') onMove(entry, state)
  }
}

/** Counts rows whose first request seemed lost, but arrived since, as created by this import. */
async function adoptRowsFoundLater(run: Run): Promise<void> {
  for (const entry of run.plan.entries.values()) {
    const { writes, state, attempt, existing: count, createdBy } = entry
    const isFound = writes === 'create' && state === 'ready' && attempt > 1 && count > 0
    if (!isFound || createdBy !== undefined) continue
    entry.existing = 0
    await move(run, entry, stateFound(entry, { count, same: true }), { via: 'list' })
  }
}

/** Notes what a complete list shows and rows do not say: a missing id, how often a row is there. */
async function noteListedCounts(
  { entries }: Plan,
  list: Scan,
  log: WriteLog,
  known: Map<string, ListedCount | undefined>,
): Promise<void> {
  let last: Promise<void> | undefined
  for (const [key, entry] of entries) {
    const { count, ids } = matchOf(list, key)
    const id = count === 1 ? ids[0] : undefined
    const before = known.get(key)
    if (entry.row === 0 || !saysMore(entry, count, id, before)) continue
    entry.id ??= id
    const equal = entry.state === 'equal' || undefined
    if (before && before.count === count && before.id === id && before.equal === equal) continue
    const found = { count, id, equal }
    known.set(key, { ...found, at: 0 })
    // They go to the disk together, in their order: when the last is there, all are.
    last = log.append(listedCountLine(entry.reference, found))
    last.catch(() => {})
  }
  await last
}

function saysMore(
  { writes, state, existing, id: own }: Entry,
  count: number,
  id: string | undefined,
  before: ListedCount | undefined,
): boolean {
  if (writes === 'change' || state === 'ready' || state === 'held') return existing > 0
  if (state === 'refused') return count > 0 || before !== undefined
  return state === 'done' && (count !== 1 || (id !== undefined && own !== id) || before !== undefined)
}

/** Compares the plan with the journal that several computers share, before anything is sent. */
async function adoptFromOthers(run: Run, shared: SharedJournal): Promise<void> {
  const { job, plan } = run
  const { entries, before, others } = plan
  await takeRows(run, await adoptClaims(shared, entries, before, job.clock))
  const inSharedJournal = { createdKeys: shared.createdKeys, shownMs: await shared.lastShownMs() }
  const { settleMs } = job
  run.reliability = createListReliability({ entries, before, others, settleMs, shared: inSharedJournal })
}

/** Waits for the rows that others are at, and does what they leave. */
async function finishWithOthers(run: Run, shared: SharedJournal): Promise<Stop | undefined> {
  const { settleMs, signal } = run.job
  for (;;) {
    const rows = rowsElsewhere(run.plan.entries.values())
    if (rows.length === 0) return undefined
    run.onDoing('waiting for other computers that are working on some of these rows')
    const released = await awaitOthers(shared, run.job, rows, Math.max(settleMs, longestLagMs))
    if (signal.aborted) return { why: 'interrupted' }
    await takeRows(run, released)
    const left = rowsElsewhere(rows)
    if (released.ready + released.unclear.size === 0)
      return left.length > 0
        ? { why: 'others', failure: othersAtWork(left.flatMap(({ elsewhere }) => elsewhere ?? [])) }
        : undefined
    const stop = await sendReadyRows(run)
    if (stop) return stop
  }
}

/** Takes the rows of runs that are gone: their requests may still be on their way. */
async function takeRows(run: Run, { unclear, settleMs }: TakenOver): Promise<void> {
  const { job, plan } = run
  run.unclearSince = job.clock.monotonicNow()
  run.settleMs = Math.max(run.settleMs, settleMs)
  if (unclear.size === 0) return
  for await (const row of job.source.rows()) {
    const key = keyOfRow(job, row)
    if (unclear.has(key)) plan.toLookFor.set(key, row)
  }
}
