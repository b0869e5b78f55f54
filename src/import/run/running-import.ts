import type { ImportEvent } from '../import-event.ts'
import type { ImportJob } from '../import-job.ts'
import type { Journal } from '../journal/journal.ts'
import type { Plan } from '../plan-import.ts'
import type { Rejects } from '../report/rejects-file.ts'
import { createEvidence, type Evidence } from '../resolve/evidence.ts'
import { createLedger, type Ledger } from '../rows/ledger.ts'
import { keyOf } from '../rows/natural-key.ts'
import { watchClaims } from '../send/claim-time.ts'
import type { Sender } from '../send/send-rows.ts'
import { createThrottle } from '../send/throttle.ts'
import { collectRefusals, type Refusals } from './refusals.ts'

/** An import under way: what its steps share, and what they learn. */
export interface RunningImport {
  readonly job: ImportJob
  readonly plan: Plan
  readonly journal: Journal
  readonly ledger: Ledger
  readonly sender: Sender
  readonly refusals: Refusals
  readonly onEvent: (event: ImportEvent) => void
  evidence: Evidence
  /** Whether any row has changed its state. */
  hasMoved: boolean
  /** When a request was last left without an answer, in milliseconds of the monotonic clock. */
  doubtSince: number
  /** How long a request without an answer may be on its way, of this run or of one whose rows it took; milliseconds. */
  settleMs: number
}

/** Begins with what the plan knows. Nothing is sent yet. */
export function startRun(
  job: ImportJob,
  plan: Plan,
  journal: Journal,
  rejects: Rejects,
  onEvent: (event: ImportEvent) => void,
): RunningImport {
  const { service, settleMs, shared, concurrency, clock, now, signal } = job
  const { file, before, others } = plan
  const refusals = collectRefusals()
  const ledger = createLedger(file.entries, journal, (entry, from) => {
    run.hasMoved = true
    onEvent({ type: 'moved', entry, from })
  })
  const sender: Sender = {
    service,
    ledger,
    throttle: createThrottle({ concurrency, clock, random: Math.random }),
    rejects,
    claimTime: shared && watchClaims(settleMs, [clock, now]),
    signal,
    onDoubt({ entry, row }) {
      run.doubtSince = clock()
      file.doubtful.set(keyOf(entry.name), row)
    },
    onRefused: ({ entry }, issues) => refusals.add(entry, issues),
    onRest: (ms) => onEvent({ type: 'resting', ms }),
  }
  const run: RunningImport = {
    job,
    plan,
    journal,
    ledger,
    sender,
    refusals,
    onEvent,
    evidence: createEvidence({ ledger, before, others, settleMs }),
    hasMoved: false,
    // An earlier run may have sent its rows in doubt just before this run started.
    doubtSince: clock(),
    settleMs,
  }
  return run
}
