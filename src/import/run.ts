import { Failure } from '../errors.ts'
import { ClaimImpossible, type SharedJournal } from '../shared-journal/claim.ts'
import type { RowSource } from '../table/open-source.ts'
import type { Row } from '../table/row.ts'
import { withClaims } from './claim-lines.ts'
import {
  adoptClaims,
  awaitOthers,
  explainByOtherRun,
  othersAtWork,
  rowsElsewhere,
  sharedJournalStop,
  type TakenOver,
} from './claims.ts'
import type { ImportEvent, ImportJob } from './job.ts'
import { type Journal, openJournal } from './journal.ts'
import { type ListedCount, listedCountLine } from './journal-file.ts'
import { type Entry, type Ledger, type Stop, stopOfDisk } from './ledger.ts'
import { createListReliability } from './list-reliability.ts'
import { keyOf, nameIn } from './natural-key.ts'
import type { Plan } from './plan-import.ts'
import { type Rejects, rejectInvalidRows } from './reject-rows.ts'
import type { Result } from './report.ts'
import { type RunningImport, startRun } from './running-import.ts'
import { matchOf, type Scan } from './scan.ts'
import { sendChanges } from './send-changes.ts'
import { sendReadyRows } from './send-file.ts'
import type { ImportKind } from './service.ts'
import { summarise } from './summary.ts'
import { longestLagMs, type Verified, verifyRows } from './verify-rows.ts'

/**
 * Carries out a plan until it is done or has to stop. Throws a Failure only if nothing was sent, because the journal
 * could not be started.
 */
export async function runImport(
  job: ImportJob,
  plan: Plan,
  rejects: Rejects,
  onEvent: (event: ImportEvent) => void,
): Promise<Result> {
  const journal = await openJournals(job, plan)
  const run = startRun(job, plan, journal, rejects, onEvent)
  const createdBefore = new Set([...plan.file.entries.values()].filter(isCreated))
  const result = (stop: Stop | undefined, { discrepancies, unverified }: Verified): Result => ({
    summary: summarise(plan.file, discrepancies, createdBefore, rejects.path()),
    journals: [plan.journal, ...plan.others.map(({ path }) => path)],
    ledger: run.ledger,
    otherPeople: plan.referenceConflicts.filter(({ isRenamed }) => !isRenamed),
    refusals: run.refusals.kept,
    refusalCount: run.refusals.count(),
    discrepancies,
    unverified,
    otherwise: run.otherwise,
    stop,
  })
  try {
    return result(...(await carryOut(run, rejects)))
  } catch (error) {
    // Only the journals throw here, and after that nothing more was sent.
    if (!(error instanceof Failure)) throw error
    const stop: Stop =
      error instanceof ClaimImpossible ? sharedJournalStop(error) : { why: 'disk', failure: error }
    return result(stop, { discrepancies: [] })
  } finally {
    await journal.close()
  }
}

/** The journal on this computer, which tells the shared one if there is one. */
async function openJournals(job: ImportJob, plan: Plan): Promise<Journal> {
  const { origin, base, operation, account } = job.place
  const { profile, shared } = job
  const { sha256 } = job.source
  const place = { origin, base, ...(account && { account }) }
  const header = { ...place, profile, operation, sha256, salt: plan.salt }
  const own = await openJournal(plan.journal, header, plan.before, job)
  return shared ? withClaims(own, shared) : own
}

/** The steps of an import, in their order. Throws a Failure where a journal cannot be written. */
async function carryOut(run: RunningImport, rejects: Rejects): Promise<[Stop | undefined, Verified]> {
  const { journal, ledger } = run
  const { source, shared } = run.job
  const { file, baseline, before, ready } = run.plan
  const found = new Map(before?.found)
  const note = (list: Scan) => noteListedCounts(ledger.entries.values(), list, journal, found)
  const { sha256 } = source
  await journal.append({ run: 'begin', sha256, rows: file.rows, ...(shared && { owner: shared.owner }) })
  if (shared) await adoptFromOthers(run, shared)
  await adoptRowsFoundLater(ledger)
  if (baseline) await note(baseline)
  const created = (await sendReadyRows(run, ready)) ?? (shared && (await finishWithOthers(run, shared)))
  const sent = created ?? (await sendChanges(run))
  const lost = shared?.failure()
  const stop = sent ?? (lost ? sharedJournalStop(lost) : await rejectInvalidRows(source, file, rejects))
  const verified = await verifyRows(run, stop)
  const late = await explainByOtherRun(shared, verified.unverified)
  if (verified.list) await note(verified.list)
  const unwritten = await rejects.close().then(
    () => undefined,
    (error: unknown): Stop => ({ ...stopOfDisk(error), why: 'disk' }),
  )
  await journal.append({ run: 'end' })
  return [stop ?? unwritten ?? late, verified]
}

const isCreated = ({ state }: Entry) => state === 'created'

/** Counts rows whose first request seemed lost, but arrived since, as created by this import. */
async function adoptRowsFoundLater(ledger: Ledger): Promise<void> {
  for (const entry of ledger.entries.values()) {
    if (entry.state !== 'pending' || entry.attempt === 1 || entry.existingCount === 0) continue
    if (entry.createdBy !== undefined) continue
    const count = entry.existingCount
    entry.existingCount = 0
    await ledger.move(entry, { type: 'found', count, same: true }, { via: 'list' })
  }
}

/** So many lines go to the disk together. */
const batch = 1000

/**
 * Notes in the journal what a complete list shows of the rows, where the rows themselves do not say it: the id of one
 * whose answer had none, how often a row is there that was created or refused, and that a row was there before.
 * `known`: what the journal has already; it is not written again.
 */
async function noteListedCounts(
  entries: Iterable<Entry>,
  list: Scan,
  journal: Journal,
  known: Map<string, ListedCount>,
): Promise<void> {
  let writing: Promise<void>[] = []
  for (const entry of entries) {
    const key = keyOf(entry.name)
    const { count, ids } = matchOf(list, key)
    const id = count === 1 ? ids[0] : undefined
    const last = known.get(key)
    if (entry.row === 0 || !saysMore(entry, count, id, last)) continue
    entry.id ??= id
    const isEqual = entry.change?.state === 'equal' || undefined
    if (last && last.count === count && last.id === id && last.equal === isEqual) continue
    const found = { count, ...(id !== undefined && { id }), ...(isEqual && { equal: isEqual }) }
    known.set(key, { ...found, at: 0 })
    writing.push(journal.append(listedCountLine(entry.name, found)))
    if (writing.length < batch) continue
    await Promise.all(writing)
    writing = []
  }
  await Promise.all(writing)
}

function saysMore(
  entry: Entry,
  count: number,
  id: string | undefined,
  last: ListedCount | undefined,
): boolean {
  const { state, existingCount } = entry
  if (state === 'pending') return existingCount > 0
  if (state === 'refused') return count > 0 || last !== undefined
  return state === 'created' && (count !== 1 || (id !== undefined && entry.id !== id) || last !== undefined)
}

/** Compares the plan with the journal that several computers share, before anything is sent. */
async function adoptFromOthers(run: RunningImport, shared: SharedJournal): Promise<void> {
  const { job, plan, ledger } = run
  const { file, before, others } = plan
  await takeRows(run, await adoptClaims(shared, file, before, job.clock))
  const inSharedJournal = { createdKeys: shared.createdKeys, shownMs: await shared.lastShownMs() }
  run.listReliability = createListReliability({
    ledger,
    before,
    others,
    settleMs: job.settleMs,
    shared: inSharedJournal,
  })
}

/** Waits for the rows that others are at, and does what they leave. */
async function finishWithOthers(run: RunningImport, shared: SharedJournal): Promise<Stop | undefined> {
  const { settleMs, clock, signal } = run.job
  const waiting = { shared, waitTimeoutMs: Math.max(settleMs, longestLagMs), clock, signal }
  for (;;) {
    const rows = rowsElsewhere(run.ledger.entries.values())
    if (rows.length === 0) return undefined
    run.onEvent({ type: 'others', rows: rows.length })
    const released = await awaitOthers(waiting, rows)
    if (signal.aborted) return { why: 'interrupted' }
    await takeRows(run, released)
    const left = rowsElsewhere(rows)
    if (released.ready + released.doubtful.size === 0)
      return left.length > 0
        ? { why: 'others', failure: othersAtWork(left.flatMap(({ elsewhere }) => elsewhere ?? [])) }
        : undefined
    const stop = await sendReadyRows(run, released.ready)
    if (stop) return stop
  }
}

/** Takes the rows of runs that are gone: their requests may still be on their way. */
async function takeRows(run: RunningImport, { doubtful, settleMs }: TakenOver): Promise<void> {
  const { job, plan } = run
  await keepRows(job.source, job.service.kind, doubtful, plan.file.doubtful)
  run.doubtSince = job.clock.monotonicNow()
  run.settleMs = Math.max(run.settleMs, settleMs)
}

/** Reads the rows with these keys from the file once more, to compare them with the service's records. */
async function keepRows(
  source: RowSource,
  { key }: ImportKind,
  keys: ReadonlySet<string>,
  kept: Map<string, Row>,
): Promise<void> {
  if (keys.size === 0) return
  for await (const row of source.rows()) {
    const known = keyOf(nameIn(row.record, key.request) ?? '')
    if (keys.has(known)) kept.set(known, row)
  }
}
