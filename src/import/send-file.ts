import type { Clock } from '../api/http/clock.ts'
import { Failure } from '../errors.ts'
import type { RowSource } from '../table/open-source.ts'
import { type Row, rowNumbers } from '../table/row.ts'
import { explainByOtherRun } from './claims.ts'
import type { ImportJob } from './job.ts'
import { type ListedRow, listedRowLine } from './journal-file.ts'
import type { Entry, Ledger, Stop } from './ledger.ts'
import type { ListReliability } from './list-reliability.ts'
import { keyOf } from './natural-key.ts'
import { type FilePlan, isReady } from './plan.ts'
import type { Plan } from './plan-import.ts'
import { resolveUnknownRows, rowsInDoubt } from './resolve.ts'
import type { RunningImport } from './running-import.ts'
import { matchOf, type Scan, scan } from './scan.ts'
import { type Sender, sendAll, type Task } from './send-rows.ts'
import type { ImportService } from './service.ts'
import { mayReadAfter } from './verify-rows.ts'

/** Sends the rows that are ready, and finds out what became of those whose answer was lost. */
export async function sendReadyRows(run: RunningImport, ready: number): Promise<Stop | undefined> {
  const { job, plan, sender, journal, listReliability } = run
  const { service, settleMs, clock, signal, shared } = job
  const onWait = (ms: number) => run.onEvent({ type: 'settling', ms })
  const prober = {
    service,
    settleMs,
    clock,
    signal,
    onShown: (shown: ListedRow) => journal.append(listedRowLine(shown)),
    onWait,
  }
  const stop = await resolveUnknown(
    run,
    await sendFile(sender, job, { ...plan, ready }, prober, listReliability),
  )
  return (await explainByOtherRun(shared, stop?.failure)) ?? stop
}

/** Looks for the rows in doubt, sends those that are certainly missing once more, and looks again. */
async function resolveUnknown(run: RunningImport, sent: Stop | undefined): Promise<Stop | undefined> {
  const { job, plan, ledger, sender, listReliability, settleMs, onEvent } = run
  const { service, clock, signal } = job
  const { doubtful } = plan.file
  const onWait = (ms: number) => onEvent({ type: 'settling', ms })
  const options = { service, ledger, listReliability, doubtful, settleMs, clock, signal, onWait }
  let stop = sent
  for (let open = rowsInDoubt(ledger); open.length > 0; open = open.filter(isAmbiguous)) {
    if (!mayReadAfter(stop)) return stop
    onEvent({ type: 'checking', rows: open.length })
    await resolveUnknownRows(options, open, run.doubtSince)
    if (signal.aborted) return stop ?? { why: 'interrupted' }
    stop ??= await sendAll(sender, tasksToRepeat(ledger, doubtful))
  }
  return stop
}

const isAmbiguous = ({ state }: Entry) => state === 'ambiguous'

function* tasksToRepeat(ledger: Ledger, rows: ReadonlyMap<string, Row>): Generator<Task> {
  for (const [key, row] of rows) {
    const entry = ledger.entries.get(key)
    if (entry && isReady(entry)) yield { entry, row }
  }
}

/**
 * Sends the rows that are ready. It sends single rows until one is created, and looks for that one in the list: this
 * shows that a row whose answer is lost can be found.
 */
async function sendFile(
  sender: Sender,
  { source }: ImportJob,
  plan: Plan,
  prober: Prober,
  reliability: ListReliability,
): Promise<Stop | undefined> {
  const { file, ready } = plan
  if (ready === 0) return undefined
  const tasks = tasksOf(source, file)
  try {
    const hidden = await stopIfNoneShown(plan, prober)
    if (hidden) return hidden
    for (;;) {
      const { value, done } = await tasks.next()
      if (done) return undefined
      const stop = await sendAll(sender, [value])
      if (stop) return stop
      if (value.entry.state !== 'created') continue
      const shown = await waitUntilListed(prober, value.entry)
      if (!shown) return stopOf(prober, value.entry)
      reliability.noteShown(shown.afterMs)
      break
    }
    return await sendAll(sender, tasks)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { why: 'failed', failure: error }
  } finally {
    await tasks.return(undefined)
  }
}

/** Stops if the list shows none of the rows that an earlier run created: it would not show a new one either. */
async function stopIfNoneShown({ file, baseline }: Plan, prober: Prober): Promise<Stop | undefined> {
  const created = [...file.entries.values()].filter(({ state }) => state === 'created')
  const [first] = created
  if (!first || !baseline) return undefined
  if (created.some(({ name }) => matchOf(baseline, keyOf(name)).count > 0)) return undefined
  return (await waitUntilListed(prober, first)) ? undefined : stopOf(prober, first)
}

function stopOf({ signal }: Prober, entry: Entry): Stop {
  return signal.aborted ? { why: 'interrupted' } : { why: 'hidden', entry }
}

/** The rows of the file that are ready to send. Throws a Failure if the file has changed since it was planned. */
export async function* tasksOf(
  source: RowSource,
  { entries, digests, rows, invalidRows }: Pick<FilePlan, 'entries' | 'digests' | 'rows' | 'invalidRows'>,
): AsyncGenerator<Task> {
  const byRow = new Map<number, Entry>()
  for (const entry of entries.values()) byRow.set(entry.row, entry)
  let read = 0
  for await (const row of source.rows(digests)) {
    read += rowNumbers(row).length
    if (invalidRows.has(row.row)) continue
    const entry = byRow.get(row.row)
    if (!entry || row.digest !== digests.get(row.row)) throw fileChanged()
    if (isReady(entry)) yield { entry, row }
  }
  if (read !== rows) throw fileChanged()
}

/** The file is not what was planned: its rows may be other people now. */
export function fileChanged(): Failure {
  return new Failure('input', 'The file was changed while payroll was importing it.', {
    hint: 'Run the same command again: it continues with the changed file.',
  })
}

interface Prober {
  readonly service: ImportService
  readonly settleMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Writes to the journal that the list showed a row. */
  readonly onShown: (shown: ListedRow) => Promise<void>
  /** Called when it has to wait, with the milliseconds that it will go on looking. */
  readonly onWait: (ms: number) => void
}

/** A list may need a moment to show a new record, even with a --settle of 0. */
const shortestTimeoutMs = 1000
const firstPauseMs = 250
const longestPauseMs = 10_000

/**
 * Looks for a row that was just created until the list shows it or `settleMs` are over. Returns undefined if the list
 * does not show it; throws a Failure if the list could not be read at the end.
 */
async function waitUntilListed(prober: Prober, { name }: Entry): Promise<ListedRow | undefined> {
  const { settleMs, clock, signal, onShown, onWait } = prober
  const [began, timeoutMs] = [clock.monotonicNow(), Math.max(settleMs, shortestTimeoutMs)]
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const afterMs = Math.round(clock.monotonicNow() - began)
    const list = await look(prober)
    const listed = list instanceof Failure ? undefined : matchOf(list, keyOf(name))
    if (listed && listed.count > 0) {
      const [id] = listed.ids
      const shown = { name, afterMs, ...(id !== undefined && listed.count === 1 && { id }) }
      await onShown(shown)
      return shown
    }
    const left = timeoutMs - (clock.monotonicNow() - began)
    const isOver = left <= 0 || signal.aborted
    if (list instanceof Failure && (isOver || list.code === 'auth')) throw list
    if (isOver) return undefined
    onWait(left)
    await clock.sleep(Math.min(pauseMs, left), signal)
  }
}

/** Returns the failure, so that the caller can try again. */
async function look(prober: Prober): Promise<Scan | Failure> {
  try {
    return await scan(prober)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}
