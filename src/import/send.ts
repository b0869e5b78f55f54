import { asFailure, Failure } from '../errors.ts'
import { idOf } from '../model/records/identity.ts'
import { formatDuration } from '../text/duration.ts'
import { asClause } from '../text/words.ts'
import { classifyAnswer } from '../write/outcomes.ts'
import { explainByOtherRun, leaveToOtherRun, sharedJournalStop } from './claims.ts'
import { type AnswerFacts, type Entry, isReady } from './entry.ts'
import type { ImportService } from './job.ts'
import type { Plan } from './plan.ts'
import type { ListedRow } from './read-log.ts'
import {
  mayReadAfter,
  move,
  noteShown,
  type Run,
  refuseRow,
  type Stop,
  stopOfDisk,
  type Task,
} from './running.ts'
import { matchOf, scan } from './scan.ts'
import { lookForRows, lookingForRows, settling, unclearRows } from './settle.ts'
import { ClaimImpossible } from './shared-journal/claim.ts'

/** Sends the rows that are ready, and finds out what became of those whose answer was lost. */
export async function sendReadyRows(run: Run): Promise<Stop | undefined> {
  const stop = await settleUnclear(run, await sendFile(run))
  return (await explainByOtherRun(run.job.shared, stop?.failure)) ?? stop
}

/** Looks for the unclear rows, sends those that are certainly missing once more, and looks again. */
async function settleUnclear(run: Run, sent: Stop | undefined): Promise<Stop | undefined> {
  const { plan, job } = run
  let [stop, open] = [sent, unclearRows(plan)]
  while (open.length > 0 && mayReadAfter(stop)) {
    run.onDoing(lookingForRows)
    await lookForRows(run, open)
    if (job.signal.aborted) return stop ?? { why: 'interrupted' }
    stop ??= await sendAll(run, tasksToRepeat(plan))
    open = open.filter(({ state }) => state === 'unclear')
  }
  return stop
}

function* tasksToRepeat({ entries, toLookFor }: Plan): Generator<Task> {
  for (const [key, row] of toLookFor) {
    const entry = entries.get(key)
    if (entry && isReady(entry)) yield { entry, row }
  }
}

/** Sends the rows of the file that are ready, once it is known that the list shows what is created. */
async function sendFile(run: Run): Promise<Stop | undefined> {
  const entries = [...run.plan.entries.values()]
  if (!entries.some(isReady)) return undefined
  const tasks = tasksOf(run, entries, isReady)
  try {
    return (await stopIfNoneShown(run)) ?? (await sendUntilShown(run, tasks)) ?? (await sendAll(run, tasks))
  } catch (error) {
    return { why: 'failed', failure: asFailure(error) }
  } finally {
    await tasks.return(undefined)
  }
}

/** Sends single rows until one is created, and looks for that one in the list: a row whose answer is lost can be found then. */
async function sendUntilShown(run: Run, tasks: AsyncGenerator<Task, void>): Promise<Stop | undefined> {
  for (;;) {
    const { value: task } = await tasks.next()
    if (!task) return undefined
    const stop = await sendAll(run, [task])
    if (stop) return stop
    if (task.entry.state !== 'done') continue
    const shown = await waitUntilListed(run, task.entry)
    if (shown) run.reliability.noteShown(shown.afterMs)
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

const stopOf = ({ job }: Run, entry: Entry): Stop =>
  job.signal.aborted ? { why: 'interrupted' } : { why: 'hidden', entry }

/** Those of these rows that are meant when their turn comes. Throws a Failure if one differs from the planned row. */
export async function* tasksOf(
  { plan: { digests }, job }: Run,
  entries: readonly Entry[],
  isMeant: (entry: Entry) => boolean,
): AsyncGenerator<Task, void> {
  const byRow = new Map(entries.map((entry) => [entry.row, entry]))
  const meantIn = (row: number) => {
    const entry = byRow.get(row)
    return entry && isMeant(entry) ? entry : undefined
  }
  if (!entries.some(isMeant)) return
  for await (const row of job.source.rows((number) => meantIn(number) !== undefined)) {
    const entry = meantIn(row.row)
    if (!entry) continue
    // The rows of a changed file may be other people.
    if (row.digest !== digests.get(row.row))
      throw new Failure('input', 'The file was changed while payroll was importing it.', {
        hint: 'Run the same command again: it continues with the changed file.',
      })
    yield { entry, row }
  }
}

/** A list may need a moment to show a new record, even with a --settle of 0. */
const shortestTimeoutMs = 1000
const firstPauseMs = 250
const longestPauseMs = 10_000

/**
 * Reads the list until it shows a row that was just created, for `settleMs` at most. Returns undefined if it
 * does not show it. Throws a Failure if the last reading failed.
 */
async function waitUntilListed(run: Run, { key, reference }: Entry): Promise<ListedRow | undefined> {
  const { job } = run
  const { clock, settleMs, signal } = job
  const [began, timeoutMs] = [clock.monotonicNow(), Math.max(settleMs, shortestTimeoutMs)]
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const afterMs = Math.round(clock.monotonicNow() - began)
    const list = await scan(job).catch(asFailure)
    const { count, ids } = matchOf(list instanceof Failure ? undefined : list, key)
    if (count > 0) {
      const shown = { reference, afterMs, id: count === 1 ? ids[0] : undefined }
      await noteShown(run, shown)
      return shown
    }
    const leftMs = timeoutMs - (clock.monotonicNow() - began)
    const isOver = leftMs <= 0 || signal.aborted
    if (list instanceof Failure && (isOver || list.code === 'auth')) throw list
    if (isOver) return undefined
    run.onDoing(settling(leftMs))
    await clock.sleep(Math.min(pauseMs, leftMs), signal)
  }
}

/**
 * Sends tasks, several at once, until all are done or there is a reason to stop, which it returns. Waits for every
 * request that was sent, until its outcome is on the disk. A row that the service put off is sent again.
 */
export async function sendAll(
  run: Run,
  tasks: Iterable<Task> | AsyncIterable<Task>,
  sendOne: SendOne = createRow,
): Promise<Stop | undefined> {
  const { throttle, job } = run
  const { clock, signal } = job
  const source = Symbol.asyncIterator in tasks ? tasks[Symbol.asyncIterator]() : tasks[Symbol.iterator]()
  const again: Task[] = []
  let stop: Stop | undefined
  let isRead = false
  // All that is kept of the rows under way are two counts: the old tables of a Set that changes all the time keep what
  // was in it until the next large collection, and a race hangs something on each promise.
  let [unanswered, unrecorded] = [0, 0]
  let wake = () => {}
  /** Until a row was answered or recorded. */
  const progress = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })

  try {
    for (;;) {
      stop ??= stopBeforeNext(run)
      if (stop) break
      const restMs = throttle.restMs()
      if (restMs > 0) {
        run.onDoing(`the service asks to wait ${formatDuration(restMs)}`)
        await clock.sleep(restMs, signal)
      } else if (unanswered >= throttle.mostAtOnce()) await progress()
      else {
        const task = again.shift() ?? (isRead ? undefined : await nextTask())
        if (task) start(task)
        else if (unrecorded > 0) await progress()
        else if (again.length === 0) break
      }
    }
  } catch (error) {
    // The rest of the file could not be read.
    stop ??= { why: 'failed', failure: asFailure(error) }
  } finally {
    while (unrecorded > 0) await progress()
    await source.return?.(undefined)
  }
  return stop

  async function nextTask(): Promise<Task | undefined> {
    const { value, done } = await source.next()
    isRead = done === true
    return done ? undefined : value
  }

  /** The next row may be sent as soon as this one is answered, while its outcome is still being written. */
  function start(task: Task): void {
    let isAnswered = false
    const onAnswered = () => {
      if (!isAnswered) unanswered -= 1
      isAnswered = true
      wake()
    }
    unanswered += 1
    unrecorded += 1
    void sendInBackground(task, onAnswered).then(() => {
      unrecorded -= 1
      onAnswered()
    })
  }

  async function sendInBackground(task: Task, onAnswered: () => void): Promise<void> {
    try {
      const after = await sendOne(run, task, onAnswered)
      if (after.again) again.push(task)
      stop ??= after.stop
    } catch (error) {
      // The journal or the rejects file could not be written; anything else is a bug.
      stop ??= error instanceof ClaimImpossible ? sharedJournalStop(error) : stopOfDisk(error)
    }
  }
}

/** Why the next row is not sent. */
function stopBeforeNext({ throttle, job }: Run): Stop | undefined {
  const why = throttle.stopReason() ?? (job.signal.aborted ? 'interrupted' : undefined)
  return why && { why, retryAfterMs: throttle.retryAfterMs() }
}

/** How the run goes on after a row. */
export interface AfterRow {
  /** The row was not sent, or the service asked to wait, so it is sent again. */
  readonly again?: boolean | undefined
  /** No more rows are sent. */
  readonly stop?: Stop | undefined
}

/** Sends one row, and resolves when its outcome is on the disk. `onAnswered`: the next row may be sent. */
type SendOne = (run: Run, task: Task, onAnswered: () => void) => Promise<AfterRow>

/**
 * Creates the record of one row. The intent is on the disk before the request leaves. `onAnswered` is called
 * only when the row was created: any other answer may stop the import, so it is recorded first.
 */
async function createRow(run: Run, task: Task, onAnswered: () => void): Promise<AfterRow> {
  const { throttle, job } = run
  const { entry, row } = task
  const beforeSending = readyToSend(run)
  const { key, requests, hash: fingerprint } = entry
  const other = await job.shared?.claim({ key, attempt: requests + 1, fingerprint })
  if (other) return { again: leaveToOtherRun(other, entry) }
  await move(run, entry, 'sending')
  const started = throttle.startRequest()
  const answer = await createRecord(job.service, task, beforeSending).catch(asFailure)
  if (!(answer instanceof Failure)) {
    throttle.noteClear()
    onAnswered()
    await move(run, entry, 'done', { ...answer, via: 'answer' })
    return {}
  }
  const failed = paceAfter(run, started, answer)
  const { to, failure } = failed
  if (to === 'refused') await refuse(run, task, failure)
  else {
    // A no is a clear answer, although the service is looked at before it counts.
    if (to === 'unclear' && !factsOf(failure).isDenied) throttle.noteUnclear()
    await move(run, entry, to, { ...factsOf(failure), via: 'answer' })
  }
  if (to === 'unclear') {
    run.unclearSince = run.job.clock.monotonicNow()
    run.plan.toLookFor.set(entry.key, row)
  }
  return afterFailure(failed)
}

/** The facts of an answer that was an error. */
const factsOf = (failure: Failure) => ({
  http: failure.details.status,
  serviceMessage: asClause(failure.message),
  isDenied: ['conflict', 'denied'].includes(classifyAnswer(failure)),
})

/** Refuses a row with the reasons that the service gave. */
export async function refuse(run: Run, task: Task, failure: Failure): Promise<void> {
  const { issues = [] } = failure.details
  const why = issues.length > 0 ? issues : [{ path: '', message: failure.message }]
  run.throttle.noteClear()
  await refuseRow(run, task, why, { ...factsOf(failure), via: 'answer' })
}

/** A request that failed, and what follows from it. */
export interface Failed extends FailureClass {
  readonly failure: Failure
}

/** Classifies a failed request, and slows the throttle down where needed. */
export function paceAfter({ throttle }: Run, started: number, failure: Failure): Failed {
  const failed = classifyFailure(failure)
  if (failed.pace === 'busy') throttle.noteBusy(started, failure.details.retryAfterMs)
  if (failed.pace === 'unreachable') throttle.noteUnreachable(started)
  return { ...failed, failure }
}

/**
 * Tells how the run goes on after a failed request. A row that did not reach the service is sent again, unless the run stops.
 */
export const afterFailure = ({ to, stop, failure }: Failed): AfterRow => ({
  again: to === 'ready' && stop === undefined,
  stop: stop && { why: stop, failure },
})

/**
 * Returns a check for right before a request leaves: whether the row's claim still counts, and whether the
 * import goes on. A request may wait long, with --rate or because the service asked for a pause.
 */
export function readyToSend({ claimTime, job: { signal } }: Run): () => void {
  const assertClaim = claimTime?.start()
  return () => {
    assertClaim?.()
    if (!signal.aborted) return
    throw new Failure('locked', 'The import was stopped before the row was sent.', {
      outcome: 'not-sent',
      retryable: true,
    })
  }
}

/** Sends the create request of a row. Returns the id if the service answers with the record. */
async function createRecord(
  { client, create, type, kind }: ImportService,
  { entry, row }: Task,
  beforeSending: () => void,
): Promise<AnswerFacts> {
  const [path, other] = kind.key.request
  const isReference = other === undefined && path === type.reference?.request
  const { record, status } = await client.call(create, {
    body: row.record,
    ...(isReference ? { reference: entry.reference } : { key: entry.reference }),
    beforeSending,
  })
  return create.response.kind === 'one' ? { id: idOf(record) } : { http: status }
}

/** How its row and the run go on after a failed POST. */
export interface FailureClass {
  readonly to: 'ready' | 'refused' | 'unclear'
  /** Stops the run; the other rows stay pending. */
  readonly stop?: 'key' | 'route' | 'bug'
  /** Slows the run down. */
  readonly pace?: 'busy' | 'unreachable'
}

/**
 * A row is refused by a plain no, as every write is. Any other failure after a byte was sent leaves it unclear: a reset,
 * a time-out, a redirect, 408, 409, 5xx, a web page, `success: false`.
 */
export function classifyFailure(failure: Failure): FailureClass {
  const { code, details } = failure
  const { outcome, status } = details
  // From `readyToSend`: the row waited too long after its claim, or the import was stopped.
  if (code === 'locked') return { to: 'ready', pace: 'busy' }
  // The settings are wrong, not the row: every other row would fail too.
  if (code === 'usage') return { to: 'ready', stop: 'bug' }
  if (outcome === 'not-sent')
    return code === 'temporary' ? { to: 'ready', pace: 'unreachable' } : { to: 'ready', stop: 'bug' }
  if (status === 429) return { to: 'ready', pace: 'busy' }
  if (status === 401 || status === 403) return { to: 'ready', stop: 'key' }
  if (classifyAnswer(failure) === 'no')
    return status === 404 || status === 405 ? { to: 'ready', stop: 'route' } : { to: 'refused' }
  return { to: 'unclear', ...(status === 503 && { pace: 'busy' }) }
}
