import { Failure, type Issue } from '../errors.ts'
import { ClaimImpossible } from '../shared-journal/database-failure.ts'
import type { SharedJournal } from '../shared-journal/open-shared-journal.ts'
import { adoptClaims } from './claims/adopt-claims.ts'
import { awaitOthers, elsewhereIn, type Handed, othersAtWork, othersBehind } from './claims/await-others.ts'
import { withClaims } from './claims/claim-lines.ts'
import { journalStop } from './claims/journal-stop.ts'
import { keepRows } from './claims/keep-rows.ts'
import type { ImportEvent } from './import-event.ts'
import { openJournal } from './journal/journal.ts'
import { type Sighting, sightingLine } from './journal/shown-line.ts'
import type { Import, Plan } from './plan-import.ts'
import { summarise } from './report/import-summary.ts'
import { rejectHeldBack } from './report/reject-held-back.ts'
import type { Rejects } from './report/rejects-file.ts'
import { type Result, rowLabel } from './report/report.ts'
import { createEvidence } from './resolve/evidence.ts'
import { adoptLateArrivals } from './resolve/late-arrivals.ts'
import { noteFound } from './resolve/note-found.ts'
import { resolveUnknownRows, rowsInDoubt } from './resolve/resolve-unknown.ts'
import type { Scan } from './resolve/scan.ts'
import { compare, type Discrepancy, type Verdict, verify } from './resolve/verify.ts'
import { createLedger, type Entry, type Ledger, type Stop } from './rows/ledger.ts'
import { keyOf } from './rows/natural-key.ts'
import { isReady } from './rows/plan.ts'
import type { Row } from './rows/row.ts'
import { watchClaims } from './send/claim-time.ts'
import { sendFile } from './send/send-file.ts'
import { type Sender, sendAll, type Task } from './send/send-rows.ts'
import { createThrottle } from './send/throttle.ts'

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
  'journal',
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
  const { shared } = work
  const own = await openJournal(plan.journal, header, before, work)
  const journal = shared ? withClaims(own, shared) : own
  let moves = 0
  let refusalCount = 0
  const earlier = new Set([...file.entries.values()].filter(isCreated))
  let late: Stop | undefined
  const refusals: Issue[] = []
  const ledger = createLedger(file.entries, journal, (entry, from) => {
    moves += 1
    onEvent({ type: 'moved', entry, from })
  })
  const found = new Map(before?.found)
  const note = (list: Scan) => noteFound(ledger.entries.values(), list, journal, found)
  let [evidence, longestMs] = [createEvidence({ ledger, before, others, settleMs }), settleMs]
  const onWait = (ms: number) => onEvent({ type: 'settling', ms })
  const onShown = (shown: Sighting) => journal.append(sightingLine(shown))
  // An earlier run may have sent its rows in doubt just before this run started.
  let since = clock()
  const sender: Sender = {
    service,
    ledger,
    throttle: createThrottle({ concurrency: work.concurrency, clock, random: Math.random }),
    rejects,
    claimTime: shared && watchClaims(settleMs, [clock, work.now]),
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
    await journal.append({ run: 'begin', sha256, rows: file.rows, ...(shared && { owner: shared.owner }) })
    if (shared) await adopt(shared)
    await adoptLateArrivals(ledger)
    if (baseline) await note(baseline)
    const sent = await send(plan.ready)
    const ended = (shared && !sent && (await finishWithOthers(shared))) || sent
    const lost = shared?.failure()
    const stop = ended ?? (lost ? journalStop(lost) : await rejectHeldBack(source, file, rejects))
    const { discrepancies, unverified, list } = await verifyUnlessStopped(stop)
    if (list) await note(list)
    const kept = await rejects.close().then(
      () => true,
      () => false,
    )
    await journal.append({ run: 'end' })
    return result(kept ? (stop ?? late) : (stop ?? { why: 'disk' }), discrepancies, unverified)
  } catch (error) {
    // Only the journals throw here, and after that nothing more was sent.
    if (!(error instanceof Failure)) throw error
    if (error instanceof ClaimImpossible) return result(journalStop(error))
    return result({ why: 'disk', failure: error })
  } finally {
    await journal.close()
  }

  async function send(ready: number): Promise<Stop | undefined> {
    const prober = { service, settleMs, clock, signal, onShown, onWait }
    const stop = await resolveUnknown(await sendFile(sender, work, { ...plan, ready }, prober, evidence))
    return (await othersBehind(shared, stop?.failure)) ?? stop
  }

  /** Compares the plan with the journal that several computers share. */
  async function adopt(shared: SharedJournal): Promise<void> {
    await takeRows(await adoptClaims(shared, file, before))
    const { createdKeys } = shared
    const shownMs = await shared.lastShownMs()
    evidence = createEvidence({ ledger, before, others, settleMs, shared: { createdKeys, shownMs } })
  }

  async function takeRows({ doubtful, settleMs: ms }: Pick<Handed, 'doubtful' | 'settleMs'>): Promise<void> {
    await keepRows(source, service.kind, doubtful, file.doubtful)
    since = clock()
    longestMs = Math.max(longestMs, ms)
  }

  /** Waits for the rows that others are at, and does what they leave. */
  async function finishWithOthers(shared: SharedJournal): Promise<Stop | undefined> {
    for (;;) {
      const rows = elsewhereIn(file.entries.values())
      if (rows.length === 0) return undefined
      onEvent({ type: 'others', rows: rows.length })
      const patienceMs = Math.max(settleMs, longestLagMs)
      const handed = await awaitOthers({ shared, patienceMs, clock, signal }, rows)
      if (signal.aborted) return { why: 'interrupted' }
      await takeRows(handed)
      const left = elsewhereIn(rows)
      if (handed.ready + handed.doubtful.size === 0)
        return left.length > 0 ? { why: 'others', failure: othersAtWork(left) } : undefined
      const stop = await send(handed.ready)
      if (stop) return stop
    }
  }

  /** Looks for the rows in doubt, sends those that are certainly missing once more, and looks again. */
  async function resolveUnknown(sent: Stop | undefined): Promise<Stop | undefined> {
    let stop = sent
    const waiting = { settleMs: longestMs, clock, signal, onWait }
    const options = { service, ledger, evidence, doubtful: file.doubtful, ...waiting }
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
    const isNewer = [...file.entries.values()].some(({ createdBy }) => createdBy !== undefined)
    if (moves === 0 && baseline && !isNewer) return compare(ledger, baseline)
    onEvent({ type: 'verifying' })
    try {
      return await verify(service, ledger, Math.min(settleMs, longestLagMs))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      late ??= await othersBehind(shared, error)
      return { discrepancies: [], unverified: error }
    }
  }
}

const isCreated = ({ state }: Entry) => state === 'created'
const isAmbiguous = ({ state }: Entry) => state === 'ambiguous'

function* tasksToRepeat(ledger: Ledger, rows: ReadonlyMap<string, Row>): Generator<Task> {
  for (const [key, row] of rows) {
    const entry = ledger.entries.get(key)
    if (entry && isReady(entry)) yield { entry, row }
  }
}
