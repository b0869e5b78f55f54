import { Failure } from '../errors.ts'
import { ClaimImpossible } from '../shared-journal/database-failure.ts'
import { othersBehind } from './claims/await-others.ts'
import { withClaims } from './claims/claim-lines.ts'
import { journalStop } from './claims/journal-stop.ts'
import type { ImportEvent } from './import-event.ts'
import type { ImportJob } from './import-job.ts'
import { type Journal, openJournal } from './journal/journal.ts'
import type { Plan } from './plan-import.ts'
import { summarise } from './report/import-summary.ts'
import { rejectHeldBack } from './report/reject-held-back.ts'
import type { Rejects } from './report/rejects-file.ts'
import type { Result } from './report/report.ts'
import { adoptLateArrivals } from './resolve/late-arrivals.ts'
import { noteFound } from './resolve/note-found.ts'
import type { Scan } from './resolve/scan.ts'
import type { Entry, Stop } from './rows/ledger.ts'
import { type RunningImport, startRun } from './run/running-import.ts'
import { sendReadyRows } from './run/send-ready-rows.ts'
import { adoptFromOthers, finishWithOthers } from './run/share-rows.ts'
import { type Verified, verifyRows } from './run/verify-rows.ts'

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
    refusals: run.refusals.kept,
    refusalCount: run.refusals.count(),
    discrepancies,
    unverified,
    stop,
  })
  try {
    return result(...(await carryOut(run, rejects)))
  } catch (error) {
    // Only the journals throw here, and after that nothing more was sent.
    if (!(error instanceof Failure)) throw error
    const stop: Stop = error instanceof ClaimImpossible ? journalStop(error) : { why: 'disk', failure: error }
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
  const note = (list: Scan) => noteFound(ledger.entries.values(), list, journal, found)
  const { sha256 } = source
  await journal.append({ run: 'begin', sha256, rows: file.rows, ...(shared && { owner: shared.owner }) })
  if (shared) await adoptFromOthers(run, shared)
  await adoptLateArrivals(ledger)
  if (baseline) await note(baseline)
  const sent = (await sendReadyRows(run, ready)) ?? (shared && (await finishWithOthers(run, shared)))
  const lost = shared?.failure()
  const stop = sent ?? (lost ? journalStop(lost) : await rejectHeldBack(source, file, rejects))
  const verified = await verifyRows(run, stop)
  const late = await othersBehind(shared, verified.unverified)
  if (verified.list) await note(verified.list)
  const isKept = await rejects.close().then(
    () => true,
    () => false,
  )
  await journal.append({ run: 'end' })
  return [stop ?? (isKept ? late : { why: 'disk' }), verified]
}

const isCreated = ({ state }: Entry) => state === 'created'
