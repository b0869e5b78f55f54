import { asFailure, Failure } from '../errors.ts'
import { idOf } from '../model/records/identity.ts'
import { judgeCreation, needsLook } from '../write/judge.ts'
import { sendWrite } from '../write/send-write.ts'
import { applyClaim } from './adopt-claims.ts'
import { type ImportEntry, isReady } from './entry.ts'
import type { Plan } from './plan.ts'
import { type AfterRow, recordOutcome, senderOf, type Turn, tasksOf, workThrough } from './pump.ts'
import type { ListedRow } from './read-journal.ts'
import { mayReadAfter, type Run, recordShown, type Stop, type Task } from './running.ts'
import { matchOf, scan } from './scan.ts'
import { lookForRows, lookingForRows, unclearRows, waitingText } from './settle.ts'

/** Creates the records of the rows that are ready, and finds out what became of those whose answer was lost. */
export async function createRows(run: Run): Promise<Stop | undefined> {
  return settleUnclear(run, await createReadyRows(run))
}

/** Looks for the unclear rows, sends those that are certainly missing once more, and looks again. */
async function settleUnclear(run: Run, sent: Stop | undefined): Promise<Stop | undefined> {
  const { plan, job } = run
  let [stop, open] = [sent, unclearRows(plan)]
  while (open.length > 0 && mayReadAfter(stop)) {
    run.onDoing(lookingForRows)
    await lookForRows(run, open)
    if (job.sending.signal.aborted) return stop ?? { why: 'interrupted' }
    stop ??= await workThrough(run, tasksToRepeat(plan), createRow)
    open = open.filter(({ state }) => state === 'unclear')
  }
  return stop
}

function* tasksToRepeat({ entries }: Plan): Generator<Task> {
  for (const entry of entries.values()) if (entry.sent && isReady(entry)) yield { entry, row: entry.sent }
}

/** Sends the rows of the file that are ready, once it is known that the list shows what is created. */
async function createReadyRows(run: Run): Promise<Stop | undefined> {
  const entries = [...run.plan.entries.values()]
  if (!entries.some(isReady)) return undefined
  const tasks = tasksOf(run, entries, isReady)
  try {
    return (
      (await stopIfNoneShown(run)) ??
      (await createUntilShown(run, tasks)) ??
      (await workThrough(run, tasks, createRow))
    )
  } catch (error) {
    return { why: 'failed', failure: asFailure(error) }
  } finally {
    await tasks.return(undefined)
  }
}

/** Sends single rows until one is created, and looks for that one in the list: a row whose answer is lost can be found then. */
async function createUntilShown(run: Run, tasks: AsyncGenerator<Task, void>): Promise<Stop | undefined> {
  for (;;) {
    const { value: task } = await tasks.next()
    if (!task) return undefined
    const stop = await workThrough(run, [task], createRow)
    if (stop) return stop
    if (task.entry.state !== 'done') continue
    const shown = await waitUntilListed(run, task.entry)
    if (shown) run.shownAfterMs = shown.afterMs
    return shown ? undefined : stopOf(run, task.entry)
  }
}

/** Stops if the list shows none of the rows that an earlier run created: it would not show a new one either. */
async function stopIfNoneShown(run: Run): Promise<Stop | undefined> {
  const { entries, baseline } = run.plan
  const created = [...entries.values()].filter(({ writes, state }) => writes === 'create' && state === 'done')
  const [first] = created
  if (!first || !baseline) return undefined
  if (created.some(({ key }) => matchOf(baseline, key).count > 0)) return undefined
  return (await waitUntilListed(run, first)) ? undefined : stopOf(run, first)
}

const stopOf = ({ job }: Run, entry: ImportEntry): Stop =>
  job.sending.signal.aborted ? { why: 'interrupted' } : { why: 'hidden', entry }

/** A list may need a moment to show a new record, even with a --settle of 0. */
const shortestTimeoutMs = 1000
const firstListPauseMs = 250
const longestListPauseMs = 10_000

/**
 * Reads the list until it shows a row that was just created, for `settleMs` at most. Returns undefined if it
 * does not show it. Throws a Failure if the last reading failed.
 */
async function waitUntilListed(run: Run, { key, reference }: ImportEntry): Promise<ListedRow | undefined> {
  const { job } = run
  const { clock, settleMs, signal } = job.sending
  const [began, timeoutMs] = [clock.monotonicNow(), Math.max(settleMs, shortestTimeoutMs)]
  for (let pauseMs = firstListPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestListPauseMs)) {
    const afterMs = Math.round(clock.monotonicNow() - began)
    const list = await scan(job).catch(asFailure)
    const { count, ids } = matchOf(list instanceof Failure ? undefined : list, key)
    if (count > 0) {
      const shown = { reference, afterMs, id: count === 1 ? ids[0] : undefined }
      await recordShown(run, shown)
      return shown
    }
    const leftMs = timeoutMs - (clock.monotonicNow() - began)
    const isOver = leftMs <= 0 || signal.aborted
    if (list instanceof Failure && (isOver || list.code === 'auth')) throw list
    if (isOver) return undefined
    run.onDoing(waitingText(leftMs))
    await clock.sleep(Math.min(pauseMs, leftMs), signal)
  }
}

async function createRow(run: Run, turn: Turn): Promise<AfterRow> {
  const { create, kind } = run.job.service
  const { shared } = run.job.sending
  const { entry, row } = turn
  const { key, reference, requests, hash: fingerprint } = entry
  const other = await shared?.claim({ key, attempt: requests + 1, fingerprint })
  if (other) return { again: applyClaim(run.job, other, entry) }
  const isReference = kind.key.request.length === 1
  const request = { body: row.record, ...(isReference ? { reference } : { key: reference }) }
  const { answerKind, failure, status, answer } = await sendWrite(create, request, senderOf(run, turn))
  const outcome = needsLook(answerKind) ? 'unknown' : judgeCreation(answerKind, undefined).outcome
  const answered = create.response.kind === 'one' ? { id: idOf(answer) } : { http: status }
  const after = await recordOutcome(run, turn, { outcome, failure }, answered)
  if (entry.state === 'unclear') entry.sent = row
  return after
}
