import { Failure, type Issue } from '../errors.ts'
import { openJournal } from './journal/journal.ts'
import { type Sighting, sightingLine } from './journal/shown-line.ts'
import type { Import, Plan } from './plan-import.ts'
import { summarise } from './report/import-summary.ts'
import { rejectHeldBack } from './report/reject-held-back.ts'
import type { Rejects } from './report/rejects-file.ts'
import { type Result, rowLabel } from './report/report.ts'
import { createEvidence } from './resolve/evidence.ts'
import { noteFound } from './resolve/note-found.ts'
import { resolveUnknownRows, rowsInDoubt } from './resolve/resolve-unknown.ts'
import type { Scan } from './resolve/scan.ts'
import { compare, type Discrepancy, type Verdict, verify } from './resolve/verify.ts'
import { createLedger, type Entry, type Ledger, type Stop } from './rows/ledger.ts'
import { keyOf } from './rows/natural-key.ts'
import { isReady } from './rows/plan.ts'
import type { Row } from './rows/row.ts'
import type { State } from './rows/row-state.ts'
import { sendFile } from './send/send-file.ts'
import { type Sender, sendAll, type Task } from './send/send-rows.ts'
import { createThrottle } from './send/throttle.ts'

/** Progress of an import. */
export type ImportEvent =
  | { readonly type: 'moved'; readonly entry: Entry; readonly from: State }
  /** The service asks to wait. */
  | { readonly type: 'resting'; readonly ms: number }
  /** It looks for the rows in doubt. */
  | { readonly type: 'checking'; readonly rows: number }
  /** It waits this long for requests that may still arrive. */
  | { readonly type: 'settling'; readonly ms: number }
  /** It reads the list a last time. */
  | { readonly type: 'verifying' }

/** How many refusals it keeps; the rejects file has all of them. */
const mostRefusals = 10_000

/** How long a list may take to show a new record. */
const longestLagMs = 2000

/** After these stop reasons the list is not read again: the service cannot answer, or we must not ask. */
const noVerificationAfter: ReadonlySet<Stop['why']> = new Set([
  'interrupted',
  'disk',
  'key',
  'unreachable',
  'hidden',
  'bug',
])

/**
 * Carries out a plan until it is done or has to stop. Throws a Failure only if nothing was sent, because the journal
 * could not be started.
 */
export async function runImport(
  work: Import,
  plan: Plan,
  rejects: Rejects,
  onEvent: (event: ImportEvent) => void,
): Promise<Result> {
  const { service, source, profile, settleMs, clock, signal } = work
  const { file, salt, before, baseline, others } = plan
  const { sha256 } = source
  const { origin, base, operation, account } = work.place
  const header = { origin, base, ...(account && { account }), profile, operation, sha256, salt }
  const journal = await openJournal(plan.journal, header, before, work)
  let moves = 0
  let refusalCount = 0
  const earlier = new Set([...file.entries.values()].filter(isCreated))
  const refusals: Issue[] = []
  const ledger = createLedger(file.entries, journal, (entry, from) => {
    moves += 1
    onEvent({ type: 'moved', entry, from })
  })
  const found = new Map(before?.found)
  const note = (list: Scan) => noteFound(ledger.entries.values(), list, journal, found)
  const evidence = createEvidence({ ledger, before, others, settleMs })
  const onWait = (ms: number) => onEvent({ type: 'settling', ms })
  const onShown = (shown: Sighting) => journal.append(sightingLine(shown))
  // An earlier run may have sent its rows in doubt just before this run started.
  let since = clock()
  const sender: Sender = {
    service,
    ledger,
    throttle: createThrottle({ concurrency: work.concurrency, clock, random: Math.random }),
    rejects,
    signal,
    onDoubt({ entry, row }) {
      since = clock()
      file.doubtful.set(keyOf(entry.name), row)
    },
    onRefused({ entry }, issues) {
      refusalCount += issues.length
      for (const { path, message } of issues) {
        if (refusals.length < mostRefusals)
          refusals.push({ path: path ? `${rowLabel(entry)}, ${path}` : rowLabel(entry), message })
      }
    },
    onRest: (ms) => onEvent({ type: 'resting', ms }),
  }
  const result = (
    stop: Stop | undefined,
    discrepancies: readonly Discrepancy[] = [],
    unverified?: Failure,
  ) => ({
    summary: summarise(file, discrepancies, earlier, rejects.path()),
    journals: [plan.journal, ...others.map(({ path }) => path)],
    ledger,
    refusals,
    refusalCount,
    discrepancies,
    unverified,
    stop,
  })
  try {
    await journal.append({ run: 'begin', sha256, rows: file.rows })
    await adoptLateArrivals(ledger)
    if (baseline) await note(baseline)
    const sent = await resolveUnknown(
      await sendFile(sender, work, plan, { service, settleMs, clock, signal, onShown, onWait }, evidence),
    )
    const stop = sent ?? (await rejectHeldBack(source, file, rejects))
    const { discrepancies, unverified, list } = await verifyUnlessStopped(stop)
    if (list) await note(list)
    const kept = await rejects.close().then(
      () => true,
      () => false,
    )
    await journal.append({ run: 'end' })
    return result(kept ? stop : (stop ?? { why: 'disk' }), discrepancies, unverified)
  } catch (error) {
    // Only the journal throws here, and after that nothing more was sent.
    if (!(error instanceof Failure)) throw error
    return result({ why: 'disk', failure: error })
  } finally {
    await journal.close()
  }

  /** Looks for the rows in doubt, sends those that are certainly missing once more, and looks again. */
  async function resolveUnknown(sent: Stop | undefined): Promise<Stop | undefined> {
    let stop = sent
    const options = { service, ledger, evidence, doubtful: file.doubtful, settleMs, clock, signal, onWait }
    for (let open = rowsInDoubt(ledger); open.length > 0; open = open.filter(isAmbiguous)) {
      if (stop && noVerificationAfter.has(stop.why)) return stop
      onEvent({ type: 'checking', rows: open.length })
      await resolveUnknownRows(options, open, since)
      if (signal.aborted) return stop ?? { why: 'interrupted' }
      stop ??= await sendAll(sender, tasksToRepeat(ledger, file.doubtful))
    }
    return stop
  }

  async function verifyUnlessStopped(
    stop: Stop | undefined,
  ): Promise<Pick<Result, 'discrepancies' | 'unverified'> & Partial<Verdict>> {
    if (stop && noVerificationAfter.has(stop.why)) return { discrepancies: [] }
    if (moves === 0 && baseline) return compare(ledger, baseline)
    onEvent({ type: 'verifying' })
    try {
      return await verify(service, ledger, Math.min(settleMs, longestLagMs))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return { discrepancies: [], unverified: error }
    }
  }
}

const isCreated = ({ state }: Entry) => state === 'created'
const isAmbiguous = ({ state }: Entry) => state === 'ambiguous'

/** Counts rows whose first request seemed lost, but arrived since, as created by this import. */
async function adoptLateArrivals(ledger: Ledger): Promise<void> {
  for (const entry of ledger.entries.values()) {
    if (entry.state !== 'pending' || entry.attempt === 1 || entry.existingCount === 0) continue
    const count = entry.existingCount
    entry.existingCount = 0
    await ledger.move(entry, { type: 'found', count, same: true }, { via: 'list' })
  }
}

function* tasksToRepeat(ledger: Ledger, rows: ReadonlyMap<string, Row>): Generator<Task> {
  for (const [key, row] of rows) {
    const entry = ledger.entries.get(key)
    if (entry && isReady(entry)) yield { entry, row }
  }
}
