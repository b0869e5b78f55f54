import type { Issue } from '../errors.ts'
import { withoutBytes } from '../table/row.ts'
import { watchClaims } from './claim-time.ts'
import type { ImportEvent, ImportJob } from './job.ts'
import type { Journal } from './journal.ts'
import { createLedger, type Entry, type Ledger } from './ledger.ts'
import { createListReliability, type ListReliability } from './list-reliability.ts'
import { keyOf } from './natural-key.ts'
import type { Plan } from './plan-import.ts'
import type { Rejects } from './reject-rows.ts'
import { rowLabel } from './report.ts'
import type { StoredOtherwise } from './row-change.ts'
import type { Sender } from './send-rows.ts'
import { createThrottle } from './throttle.ts'

/** An import under way: what its steps share, and what they learn. */
export interface RunningImport {
  readonly job: ImportJob
  readonly plan: Plan
  readonly journal: Journal
  readonly ledger: Ledger
  readonly sender: Sender
  readonly refusals: Refusals
  readonly onEvent: (event: ImportEvent) => void
  /** Records that were changed, and that the service has otherwise than they were sent. */
  readonly otherwise: StoredOtherwise[]
  listReliability: ListReliability
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
  const { monotonicNow } = clock
  const { file, before, others } = plan
  const refusals = collectRefusals()
  const ledger = createLedger(file.entries, journal, (entry, from) => {
    run.hasMoved = true
    onEvent({ type: 'moved', entry, from })
  })
  const sender: Sender = {
    service,
    ledger,
    throttle: createThrottle({ concurrency, clock: monotonicNow, random: Math.random }),
    clock,
    rejects,
    claimTime: shared && watchClaims(settleMs, [monotonicNow, now]),
    signal,
    onDoubt({ entry, row }) {
      run.doubtSince = monotonicNow()
      file.doubtful.set(keyOf(entry.name), withoutBytes(row))
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
    otherwise: [],
    listReliability: createListReliability({ ledger, before, others, settleMs }),
    hasMoved: false,
    // An earlier run may have sent its rows in doubt just before this run started.
    doubtSince: monotonicNow(),
    settleMs,
  }
  return run
}

/** How many are kept; the rejects file has all of them. */
const mostKept = 10_000

/** Why rows were refused. */
interface Refusals {
  add(entry: Entry, issues: readonly Issue[]): void
  /** The first ten thousand reasons. */
  readonly kept: readonly Issue[]
  /** How many reasons there are. */
  count(): number
}

function collectRefusals(): Refusals {
  const kept: Issue[] = []
  let count = 0
  return {
    kept,
    count: () => count,
    add(entry, issues) {
      count += issues.length
      for (const { path, message } of issues.slice(0, mostKept - kept.length))
        kept.push({ path: path ? `${rowLabel(entry)}, ${path}` : rowLabel(entry), message })
    },
  }
}
