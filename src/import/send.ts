import { asFailure, Failure, isTemporary } from '../errors.ts'
import { idOf } from '../model/records/identity.ts'
import { formatDuration } from '../text/duration.ts'
import { asClause } from '../text/words.ts'
import { classifyAnswer, judgeCreation, needsLook } from '../write/judge.ts'
import { type Sender, type SentChange, sendWrite } from '../write/send-write.ts'
import { applyClaim } from './adopt-claims.ts'
import { type AnswerFacts, type ImportEntry, isReady } from './entry.ts'
import { aboutEntry, type RowFinding } from './findings.ts'
import type { Plan } from './plan.ts'
import type { ListedRow } from './read-journal.ts'
import { mayReadAfter, move, type Run, recordShown, type Stop, stopOfJournal, type Task } from './running.ts'
import { matchOf, scan } from './scan.ts'
import { lookForRows, lookingForRows, unclearRows, waitingText } from './settle.ts'
import { startClaim } from './shared-journal/claim.ts'

/** Sends the rows that are ready, and finds out what became of those whose answer was lost. */
export async function sendReadyRows(run: Run): Promise<Stop | undefined> {
  return settleUnclear(run, await sendFile(run))
}

/** Looks for the unclear rows, sends those that are certainly missing once more, and looks again. */
async function settleUnclear(run: Run, sent: Stop | undefined): Promise<Stop | undefined> {
  const { plan, job } = run
  let [stop, open] = [sent, unclearRows(plan)]
  while (open.length > 0 && mayReadAfter(stop)) {
    run.onDoing(lookingForRows)
    await lookForRows(run, open)
    if (job.sending.signal.aborted) return stop ?? { why: 'interrupted' }
    stop ??= await sendAll(run, tasksToRepeat(plan), createRow)
    open = open.filter(({ state }) => state === 'unclear')
  }
  return stop
}

function* tasksToRepeat({ entries }: Plan): Generator<Task> {
  for (const entry of entries.values()) if (entry.sent && isReady(entry)) yield { entry, row: entry.sent }
}

/** Sends the rows of the file that are ready, once it is known that the list shows what is created. */
async function sendFile(run: Run): Promise<Stop | undefined> {
  const entries = [...run.plan.entries.values()]
  if (!entries.some(isReady)) return undefined
  const tasks = tasksOf(run, entries, isReady)
  try {
    return (
      (await stopIfNoneShown(run)) ??
      (await sendUntilShown(run, tasks)) ??
      (await sendAll(run, tasks, createRow))
    )
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
    const stop = await sendAll(run, [task], createRow)
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

/** Those of these rows that are meant when their turn comes. Throws a Failure if one differs from the planned row. */
export async function* tasksOf(
  { job }: Run,
  entries: readonly ImportEntry[],
  isMeant: (entry: ImportEntry) => boolean,
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
    if (row.digest !== entry.digest)
      throw new Failure('input', 'The file was changed while payroll was importing it.', {
        hint: 'Run the same command again: it continues with the changed file.',
      })
    yield { entry, row }
  }
}

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

/**
 * Sends tasks, several at once, until all are done or there is a reason to stop, which it returns. Waits for every
 * request that was sent, until its outcome is on the disk. A row that the service put off is sent again.
 */
export async function sendAll(
  run: Run,
  tasks: Iterable<Task> | AsyncIterable<Task>,
  sendOne: SendOne,
): Promise<Stop | undefined> {
  const { throttle, job } = run
  const { clock, signal } = job.sending
  const source = Symbol.asyncIterator in tasks ? tasks[Symbol.asyncIterator]() : tasks[Symbol.iterator]()
  const again: Task[] = []
  let stop: Stop | undefined
  let isRead = false
  // Two counts are all that is kept of the rows under way. A Set that changes all the time keeps what was in it until
  // memory is collected the next time, and Promise.race adds a listener to each promise at every turn.
  let [unanswered, unrecorded] = [0, 0]
  let wake = () => {}
  /** Until a row was answered or recorded. */
  const progress = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })

  try {
    for (;;) {
      const why = throttle.stopReason() ?? (signal.aborted ? 'interrupted' : undefined)
      stop ??= why && { why, failure: run.unreached, retryAfterMs: throttle.retryAfterMs() }
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

  function start(task: Task): void {
    let isAnswered = false
    const onAnswered = () => {
      if (!isAnswered) unanswered -= 1
      isAnswered = true
      wake()
    }
    unanswered += 1
    unrecorded += 1
    const turn = { ...task, started: throttle.startRequest(), beforeSending: readyToSend(run), onAnswered }
    void sendInBackground(turn).then(() => {
      unrecorded -= 1
      onAnswered()
    })
  }

  async function sendInBackground(turn: Turn): Promise<void> {
    const after: AfterRow = await sendOne(run, turn).catch((error: unknown) => ({
      stop: stopOfJournal(error),
    }))
    if (after.again) again.push(turn)
    stop ??= after.stop
  }
}

/** How the run goes on after a row: it is sent again, where it was not sent or put off; or no more rows are sent. */
export interface AfterRow {
  readonly again?: boolean | undefined
  readonly stop?: Stop | undefined
}

/** A row whose turn has come. */
export interface Turn extends Task {
  /** When that was, by the throttle. */
  readonly started: number
  /** Called right before the request leaves. Throws where it may not. */
  readonly beforeSending: () => void
  /** Called when the next row may be sent, while the outcome of this one is still being written. */
  readonly onAnswered: () => void
}

/** Sends one row, and resolves when its outcome is on the disk. */
type SendOne = (run: Run, turn: Turn) => Promise<AfterRow>

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
  const facts = create.response.kind === 'one' ? { id: idOf(answer) } : { http: status }
  const after = await recordOutcome(run, turn, { outcome, failure }, facts)
  if (entry.state === 'unclear') entry.sent = row
  return after
}

/**
 * How the request of a row is sent: announced in the journal first, and with its pace noted. An answer that
 * is an error may stop the import, so it is recorded before the next row is sent.
 */
export function senderOf(run: Run, { entry, started, beforeSending, onAnswered }: Turn): Sender {
  const { throttle, job } = run
  return {
    client: job.service.client,
    beforeSending,
    announce: () => move(run, entry, 'sending'),
    onEnd(failure) {
      if (!failure) {
        throttle.noteClear()
        onAnswered()
        return
      }
      const { pace } = classifyFailure(failure)
      if (pace === 'busy') throttle.noteBusy(started, failure.details.retryAfterMs)
      if (pace !== 'unreachable') return
      throttle.noteUnreachable(started)
      run.unreached = failure
    },
  }
}

/**
 * Notes what became of the request of a row, and tells how the run goes on. A row that was put off is sent
 * again. `doubts`: why its outcome is unknown.
 */
export async function recordOutcome(
  run: Run,
  { entry }: Task,
  { outcome, failure }: Pick<SentChange, 'outcome' | 'failure'>,
  { doubts = [], ...facts }: AnswerFacts & { readonly doubts?: readonly RowFinding[] },
): Promise<AfterRow> {
  const { throttle, job } = run
  const { to, stop } = failure ? classifyFailure(failure) : { to: undefined }
  const said = { ...facts, ...(failure && factsIn(failure)), via: 'answer' } as const
  if (to === 'ready') await move(run, entry, 'ready', said)
  else if (outcome === 'applied') await move(run, entry, 'done', said)
  else if (outcome === 'refused' && failure) {
    throttle.noteClear()
    if (said.http === 412)
      await move(run, entry, 'held', { issues: [aboutEntry(job, entry, 'held', changedWhileSent)] })
    else {
      const { message, details } = failure
      const issues = details.issues?.length ? details.issues : [{ path: '', message }]
      const findings = issues.map((issue) => ({ row: entry.row, severity: 'held' as const, ...issue }))
      await move(run, entry, 'refused', { ...said, issues: findings })
    }
  } else {
    // A no is a clear answer to a creation, although the service is looked at before it counts.
    if (failure && !(said.isDenied && entry.writes === 'create')) throttle.noteUnclear()
    run.unclearSince = job.sending.clock.monotonicNow()
    await move(run, entry, 'unclear', { ...said, issues: doubts })
  }
  return { again: to === 'ready' && stop === undefined, stop: stop && { why: stop, failure } }
}

const changedWhileSent = 'somebody changed the record while it was sent, so the service left it as it is'

const factsIn = (failure: Failure) => ({
  http: failure.details.status,
  serviceMessage: asClause(failure.message),
  isDenied: ['conflict', 'denied'].includes(classifyAnswer(failure)),
})

/**
 * Returns a check for right before a request leaves: whether the row's claim still counts, and whether the
 * import goes on. A request may wait long, with --rate or because the service asked for a pause. The waiting
 * time counts from before the claim.
 */
function readyToSend({ job }: Run): () => void {
  const { shared, settleMs, clock, signal } = job.sending
  const assertClaim = shared && startClaim(settleMs, [clock.monotonicNow, clock.now])
  return () => {
    assertClaim?.()
    if (!signal.aborted) return
    throw new Failure('locked', 'The import was stopped before the row was sent.', {
      outcome: 'not-sent',
      retryable: true,
    })
  }
}

/** What follows from a failed request for its row and for the run. */
export interface FailureClass {
  readonly to: 'ready' | 'refused' | 'unclear'
  /** Stops the run; the other rows stay pending. */
  readonly stop?: 'key' | 'route' | 'bug'
  /** Slows the run down. */
  readonly pace?: 'busy' | 'unreachable'
}

/** The refusals that every row would meet: the row waits. */
const ofEveryRow: Readonly<Record<number, Omit<FailureClass, 'to'>>> = {
  401: { stop: 'key' },
  403: { stop: 'key' },
  404: { stop: 'route' },
  405: { stop: 'route' },
  429: { pace: 'busy' },
}

/**
 * A row is refused by a plain no, as every write is. Any other failure after a byte was sent leaves it unclear: a reset,
 * a time-out, a redirect, 408, 409, 5xx, a web page, `success: false`.
 */
export function classifyFailure(failure: Failure): FailureClass {
  const { code, details } = failure
  const { status = 0 } = details
  const answer = classifyAnswer(failure)
  // From `readyToSend`: the row waited too long after its claim, or the import was stopped.
  if (code === 'locked') return { to: 'ready', pace: 'busy' }
  if (answer === 'unsent' && isTemporary(code)) return { to: 'ready', pace: 'unreachable' }
  // The settings are wrong, not the row: every other row would fail too.
  if (answer === 'unsent' || code === 'usage') return { to: 'ready', stop: 'bug' }
  if (answer === 'no')
    return status in ofEveryRow ? { to: 'ready', ...ofEveryRow[status] } : { to: 'refused' }
  return { to: 'unclear', ...(status === 503 && { pace: 'busy' }) }
}
