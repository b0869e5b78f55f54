import { asFailure, Failure, isTemporary } from '../errors.ts'
import { formatDuration } from '../text/duration.ts'
import { asClause } from '../text/words.ts'
import { classifyAnswer } from '../write/judge.ts'
import type { JudgedChange, Sender } from '../write/send-write.ts'
import type { AnswerDetails, ImportEntry } from './entry.ts'
import { aboutEntry, type RowFinding } from './findings.ts'
import { move, type Run, type Stop, stopOfJournal, type Task } from './running.ts'
import { startClaim } from './shared-journal/claim.ts'

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

/**
 * Does the work of rows, several at once, until all are done or there is a reason to stop, which it returns. Waits for every
 * request that was sent, until its outcome is on the disk. A row that the service put off is sent again.
 */
export async function workThrough(
  run: Run,
  tasks: Iterable<Task> | AsyncIterable<Task>,
  work: Work,
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
    void workInBackground(turn).then(() => {
      unrecorded -= 1
      onAnswered()
    })
  }

  async function workInBackground(turn: Turn): Promise<void> {
    const after: AfterRow = await work(run, turn).catch((error: unknown) => ({
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

/** What is done for one row. Resolves when its outcome is on the disk. */
type Work = (run: Run, turn: Turn) => Promise<AfterRow>

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
      slowDown(run, failure, started, classifyFailure(failure).pace)
    },
  }
}

/** Goes slower after a failure that is not about the row alone. */
export function slowDown(run: Run, failure: Failure, started: number, pace: Consequence['pace']): void {
  if (pace === 'busy') run.throttle.noteBusy(started, failure.details.retryAfterMs)
  if (pace !== 'unreachable') return
  run.throttle.noteUnreachable(started)
  run.unreached = failure
}

/**
 * Notes what became of the request of a row, and tells how the run goes on. A row that was put off is sent
 * again. `doubts`: why its outcome is unknown.
 */
export async function recordOutcome(
  run: Run,
  { entry }: Task,
  { outcome, failure }: Pick<JudgedChange, 'outcome' | 'failure'>,
  { doubts = [], ...answered }: AnswerDetails & { readonly doubts?: readonly RowFinding[] },
): Promise<AfterRow> {
  const { throttle, job } = run
  const { state, stop } = failure ? classifyFailure(failure) : { state: undefined }
  const said = { ...answered, ...(failure && detailsIn(failure)), via: 'answer' } as const
  if (state === 'ready') await move(run, entry, 'ready', said)
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
  return { again: state === 'ready' && stop === undefined, stop: stop && { why: stop, failure } }
}

const changedWhileSent = 'somebody changed the record while it was sent, so the service left it as it is'

const detailsIn = (failure: Failure) => ({
  http: failure.details.status,
  serviceMessage: asClause(failure.message),
  isDenied: ['conflict', 'denied'].includes(classifyAnswer(failure)),
})

/**
 * Returns a check for right before a request leaves: whether the row's claim still counts, and whether the
 * import goes on. A request may wait long, because the service asked for a pause. The waiting
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
export interface Consequence {
  readonly state: 'ready' | 'refused' | 'unclear'
  /** Stops the run; the other rows stay pending. */
  readonly stop?: 'key' | 'route' | 'bug'
  /** Slows the run down. */
  readonly pace?: 'busy' | 'unreachable'
}

/** The refusals that every row would meet: the row waits. */
const ofEveryRow: Readonly<Record<number, Omit<Consequence, 'state'>>> = {
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
export function classifyFailure(failure: Failure): Consequence {
  const { code, details } = failure
  const { status = 0 } = details
  const answer = classifyAnswer(failure)
  // From `readyToSend`: the row waited too long after its claim, or the import was stopped.
  if (code === 'locked') return { state: 'ready', pace: 'busy' }
  if (answer === 'unsent' && isTemporary(code)) return { state: 'ready', pace: 'unreachable' }
  // The settings are wrong, not the row: every other row would fail too.
  if (answer === 'unsent' || code === 'usage') return { state: 'ready', stop: 'bug' }
  if (answer === 'no')
    return status in ofEveryRow ? { state: 'ready', ...ofEveryRow[status] } : { state: 'refused' }
  return { state: 'unclear', ...(status === 503 && { pace: 'busy' }) }
}
