import type { SharedJournal } from '../../shared-journal/open-shared-journal.ts'
import { type Adopted, adoptClaims } from '../claims/adopt-claims.ts'
import { awaitOthers, elsewhereIn, othersAtWork } from '../claims/await-others.ts'
import { keepRows } from '../claims/keep-rows.ts'
import { createEvidence } from '../resolve/evidence.ts'
import type { Stop } from '../rows/ledger.ts'
import type { RunningImport } from './running-import.ts'
import { sendReadyRows } from './send-ready-rows.ts'
import { longestLagMs } from './verify-rows.ts'

/** Compares the plan with the journal that several computers share, before anything is sent. */
export async function adoptFromOthers(run: RunningImport, shared: SharedJournal): Promise<void> {
  const { job, plan, ledger } = run
  const { file, before, others } = plan
  await takeRows(run, await adoptClaims(shared, file, before))
  const sharedEvidence = { createdKeys: shared.createdKeys, shownMs: await shared.lastShownMs() }
  run.evidence = createEvidence({ ledger, before, others, settleMs: job.settleMs, shared: sharedEvidence })
}

/** Waits for the rows that others are at, and does what they leave. */
export async function finishWithOthers(run: RunningImport, shared: SharedJournal): Promise<Stop | undefined> {
  const { settleMs, clock, signal } = run.job
  const waiting = { shared, patienceMs: Math.max(settleMs, longestLagMs), clock, signal }
  for (;;) {
    const rows = elsewhereIn(run.ledger.entries.values())
    if (rows.length === 0) return undefined
    run.onEvent({ type: 'others', rows: rows.length })
    const handed = await awaitOthers(waiting, rows)
    if (signal.aborted) return { why: 'interrupted' }
    await takeRows(run, handed)
    const left = elsewhereIn(rows)
    if (handed.ready + handed.doubtful.size === 0)
      return left.length > 0 ? { why: 'others', failure: othersAtWork(left) } : undefined
    const stop = await sendReadyRows(run, handed.ready)
    if (stop) return stop
  }
}

/** Takes the rows of runs that are gone: their requests may still be on their way. */
async function takeRows(run: RunningImport, { doubtful, settleMs }: Adopted): Promise<void> {
  const { job, plan } = run
  await keepRows(job.source, job.service.kind, doubtful, plan.file.doubtful)
  run.doubtSince = job.clock()
  run.settleMs = Math.max(run.settleMs, settleMs)
}
