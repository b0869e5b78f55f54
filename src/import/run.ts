import { asFailure, onFailure } from '../errors.ts'
import { adoptClaims } from './adopt-claims.ts'
import { changeRows } from './change-rows.ts'
import { keyOfRow } from './checks.ts'
import { createRows } from './create-rows.ts'
import { hasArrived, hashInFile, type ImportEntry, isReady, isUnclear, stateAfterSearch } from './entry.ts'
import type { ImportJob } from './job.ts'
import { countsOf, type Plan } from './plan.ts'
import { changeLine, listedCountLine, namedRowLine, nameFinder, readJournal } from './read-journal.ts'
import { assertRejectsWritable, rejectedRows, rejectsOf, writeRejects } from './reject-rows.ts'
import type { RunResult } from './report.ts'
import { journalledOutcomes, type ResultsFile } from './results.ts'
import { countFates, fateOf, summaryOf } from './row-fates.ts'
import { move, type Run, type Stop, stopOfJournal, type Watcher } from './running.ts'
import { matchOf, type Scan } from './scan.ts'
import { verifyRows, whileOthersWork } from './settle.ts'
import type { SharedJournal } from './shared-journal/shared-journal.ts'
import { createThrottle } from './throttle.ts'
import { openJournal } from './write-journal.ts'

/** The files that an import writes, where they were named. */
export interface WrittenFiles {
  readonly rejects?: string | undefined
  readonly results?: ResultsFile | undefined
}

/** Carries out a plan to its end or stop, and writes results and rejects. Throws only if nothing was sent. */
export async function runImport(
  job: ImportJob,
  plan: Plan,
  { rejects: chosen, results }: WrittenFiles,
  watcher: Watcher,
): Promise<RunResult> {
  const { typedFile, source, service } = job
  const path = chosen ?? rejectsOf(typedFile)
  if (path !== undefined && (plan.wrongRows.size > 0 || countsOf(plan).records.held > 0))
    await assertRejectsWritable(path)
  const { rejected, ...ended } = await sendPlan(job, plan, watcher)
  const notWritten = await writeResults().catch((error: unknown) => error)
  // The rejects may replace the imported file, so the results are written before.
  if (path === undefined || rejected.size === 0) return { ...ended, notWritten }
  // Without rejects, the error of the run has the reasons: it says more than a full disk does.
  const noRejects = await writeRejects(source, path, rejected).then(() => undefined, asFailure)
  if (noRejects) return { ...ended, notWritten, noRejects }
  return { ...ended, notWritten, summary: { ...ended.summary, rejects: path } }

  async function writeResults(): Promise<void> {
    const journal = results && (await readJournal(plan.journal))
    if (journal) await results.write(source, service.kind, journalledOutcomes(journal))
  }
}

async function sendPlan(job: ImportJob, plan: Plan, watcher: Watcher) {
  const { source, journals, sending } = job
  const { settleMs, concurrency, clock } = sending
  const { origin, base, operation, account } = journals.place
  const { profile } = journals
  const { before, others, salt, entries, wrongRows } = plan
  const header = { origin, base, account, profile, operation, sha256: source.sha256, salt }
  const journal = await openJournal(plan.journal, header, before, clock.now)
  const run: Run = {
    ...watcher,
    job,
    plan,
    journal,
    throttle: createThrottle({ concurrency, clock: clock.monotonicNow, random: Math.random }),
    openChanges: new Map(),
    shownAfterMs: Math.max(...[before, ...others].map((each) => each?.shown?.afterMs ?? -Infinity)),
    hasMoved: false,
    // An earlier run may have sent its unclear rows just before this run started.
    unclearSince: clock.monotonicNow(),
    settleMs,
  }
  const { stop, unverified } = await carryOut(run)
    // Only the journals throw here, and after that nothing more was sent.
    .catch(onFailure((failure) => ({ stop: stopOfJournal(failure), unverified: undefined })))
    .finally(() => journal.close())
  const counts = countFates(entries.values(), { invalid: wrongRows.size, fate: fateOf })
  return {
    rejected: rejectedRows(plan, stop === undefined),
    summary: summaryOf(counts, null),
    counts,
    journals: [plan.journal, ...others.map(({ path }) => path)],
    entries,
    unverified,
    stop,
  }
}

/**
 * The steps of an import, in their order. Throws a Failure where a journal cannot be written. `stop`: why it stopped before
 * the end of the file.
 */
async function carryOut(run: Run) {
  const { journal, plan, job } = run
  const { source, sending } = job
  const { shared } = sending
  const { sha256, matching } = source
  const began = { sha256, rows: plan.rows, owner: shared?.owner, matching: { ...matching } }
  await journal.append({ run: 'begin', ...began })
  if (shared) {
    await takeRows(run, await adoptClaims(shared, plan.entries, plan.before, job))
    run.shownAfterMs = Math.max(run.shownAfterMs, (await shared.lastShownMs()) ?? -Infinity)
  }
  await noteNamed(run)
  await adoptRowsFoundLater(run)
  const entries = [...plan.entries.values()]
  await noteChanges(run, entries)
  const open = entries.filter(({ state }) => state !== 'held')
  if (plan.baseline) await noteListedCounts(run, plan.baseline)
  const sent =
    (await createRows(run)) ?? (shared && (await finishWithOthers(run, shared))) ?? (await changeRows(run))
  const lost = shared?.failure()
  const stop = sent ?? (lost && stopOfJournal(lost))
  const { list, unverified } = await verifyRows(run, stop)
  if (list) await noteListedCounts(run, list)
  // All others are noted as they move.
  const newlyHeld = open.filter(({ state, createdBy }) => state === 'held' && createdBy !== undefined)
  await noteChanges(run, newlyHeld)
  await journal.append({ run: 'end' })
  return { stop, unverified }
}

/** Notes whose rows those are that have a name and no reference: afterwards the file alone does not say it. */
async function noteNamed({ job, plan, journal }: Run): Promise<void> {
  const referenceOf = plan.before && nameFinder(plan.before)
  for (const [digest, reference] of job.source.named ?? [])
    if (referenceOf?.(digest) !== reference) await journal.append(namedRowLine(digest, reference, plan.salt))
}

/**
 * Notes which of these rows are held back before they are sent, which changes have arrived, and which wait: an import that
 * stops before them has left nothing as it was on purpose.
 */
async function noteChanges({ plan, journal, onMove }: Run, entries: Iterable<ImportEntry>): Promise<void> {
  let last: Promise<void> | undefined
  for (const entry of entries) {
    const { key, reference, writes, state, requests, row } = entry
    const before = plan.before?.rows.get(key)?.change
    const hash = hashInFile(entry)
    const isSaid = before?.state === state && before.hash === hash
    // What an earlier run set stays said: it tells who changed the record since.
    const isNew = before === undefined || before.state === 'held'
    const says =
      state === 'held' || (writes === 'change' && (state === 'done' || (state === 'ready' && isNew)))
    if (row === 0 || !says || isSaid) continue
    // The lines are written in order, so it is enough to wait for the last one.
    last = journal.append(changeLine({ reference, hash }, { state, requests }))
    last.catch(() => {})
    if (state !== 'done') continue
    // The history of writes is told too.
    await last
    onMove(entry, state)
  }
  await last
}

/** Counts rows as created by this import whose first request seemed lost, but has arrived. */
async function adoptRowsFoundLater(run: Run): Promise<void> {
  for (const entry of run.plan.entries.values()) {
    if (!hasArrived(entry)) continue
    const count = entry.existing
    entry.existing = 0
    await move(run, entry, stateAfterSearch(entry, { count, same: true }), { via: 'list' })
  }
}

/** Notes what a complete list shows and the journal does not say: a missing id, how often a row is there. */
async function noteListedCounts({ plan, journal }: Run, list: Scan): Promise<void> {
  let last: Promise<void> | undefined
  for (const [key, entry] of plan.entries) {
    const { writes, state, existing, row } = entry
    const isCreated = writes === 'create' && state === 'done'
    if (row === 0 || isUnclear(entry) || !(isCreated || state === 'refused' || existing > 0)) continue
    const { count, ids } = matchOf(list, key)
    const id = count === 1 ? ids[0] : undefined
    const equal = state === 'equal' || undefined
    const before = entry.listed ?? { count: isCreated ? 1 : 0, id: entry.id }
    entry.id ??= id
    if (count === before.count && equal === before.equal && (id ?? before.id) === before.id) continue
    entry.listed = { count, id, equal }
    // The lines are written in order, so it is enough to wait for the last one.
    last = journal.append(listedCountLine(entry.reference, entry.listed))
    last.catch(() => {})
  }
  await last
}

/** Waits for rows that other runs are working on, and sends what they leave. */
function finishWithOthers(run: Run, shared: SharedJournal): Promise<Stop | undefined> {
  return whileOthersWork(run, [...run.plan.entries.values()], async (open) => {
    for (const entry of open) entry.elsewhere = undefined
    const byKey = new Map(open.map((entry) => [entry.key, entry]))
    const taken = await adoptClaims(shared, byKey, undefined, run.job)
    await takeRows(run, taken)
    return taken.unclear.size > 0 || open.some(isReady) ? createRows(run) : undefined
  })
}

/** Takes over rows of dead runs. Their requests may still arrive. */
async function takeRows(run: Run, taken: Awaited<ReturnType<typeof adoptClaims>>): Promise<void> {
  const { job, plan } = run
  const { unclear, settleMs } = taken
  if (unclear.size === 0) return
  run.unclearSince = job.sending.clock.monotonicNow()
  run.settleMs = Math.max(run.settleMs, settleMs)
  for await (const row of job.source.rows()) {
    const key = keyOfRow(job, row)
    const entry = unclear.has(key) ? plan.entries.get(key) : undefined
    if (entry) entry.sent = row
  }
}
