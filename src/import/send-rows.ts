import { idOf } from '../api/contract/records/identity.ts'
import type { Clock } from '../api/http/clock.ts'
import { WrittenBody } from '../api/http/written-body.ts'
import { Failure, type FailureDetails, type Issue } from '../errors.ts'
import { ClaimImpossible } from '../shared-journal/claim.ts'
import type { RejectsWriter } from '../table/open-source.ts'
import type { Row } from '../table/row.ts'
import type { ClaimTime } from './claim-time.ts'
import { leaveToOtherRun, otherClaim } from './claimed-elsewhere.ts'
import { sharedJournalStop } from './claims.ts'
import { type Entry, type Facts, type Ledger, type Stop, stopOfDisk } from './ledger.ts'
import type { Change } from './row-state.ts'
import type { ImportService } from './service.ts'
import type { Throttle } from './throttle.ts'

/** A row to send. */
export interface Task<E extends Entry = Entry> {
  readonly entry: E
  readonly row: Row
}

/** What sending needs of an import. */
export interface Sender {
  readonly service: ImportService
  readonly ledger: Ledger
  readonly throttle: Throttle
  readonly clock: Clock
  readonly rejects: RejectsWriter
  /** How long a row may wait between its claim and its request; undefined without a shared journal. */
  readonly claimTime?: ClaimTime | undefined
  /** Aborts when the import must send no more rows. */
  readonly signal: AbortSignal
  /** Called for every row whose outcome is unknown. */
  readonly onDoubt: (task: Task) => void
  /** Called for every row that the service refuses, with the reasons. */
  readonly onRefused: (task: Task, issues: readonly Issue[]) => void
  /** Called with the milliseconds that the service asks to wait. */
  readonly onRest: (ms: number) => void
}

/**
 * Sends the tasks, several at once, until all are done or there is a reason to stop, which it returns. It always waits
 * for requests that were sent, and for their outcomes to be on the disk. A row that the service put off is sent again.
 */
export async function sendAll<T extends Task>(
  sender: Sender,
  tasks: Iterable<T> | AsyncIterable<T>,
  sendOne: SendOne<T> = createOne,
): Promise<Stop | undefined> {
  const { throttle, clock, signal } = sender
  const again: T[] = []
  const source = Symbol.asyncIterator in tasks ? tasks[Symbol.asyncIterator]() : tasks[Symbol.iterator]()
  let stop: Stop | undefined
  let exhausted = false
  let unanswered = 0
  let unrecorded = 0
  let wake = () => {}

  /**
   * A row was answered or recorded. All that is kept of the rows under way are two counts: the old tables of a Set that
   * changes all the time keep what was in it until the next large collection, and a race hangs something on each promise.
   */
  const progress = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })

  async function nextTask(): Promise<T | undefined> {
    const repeated = again.shift()
    if (repeated || exhausted) return repeated
    const { value, done } = await source.next()
    exhausted = done === true
    return done ? undefined : value
  }

  try {
    for (;;) {
      const over = throttle.stopReason()
      const retryAfterMs = throttle.retryAfterMs()
      if (over) stop ??= { why: over, ...(retryAfterMs !== undefined && { retryAfterMs }) }
      if (signal.aborted) stop ??= { why: 'interrupted' }
      if (stop) break
      if (throttle.wait() > 0) {
        sender.onRest(throttle.wait())
        await clock.sleep(throttle.wait(), signal)
        continue
      }
      if (unanswered >= throttle.limit()) {
        await progress()
        continue
      }
      const task = await nextTask()
      if (task) start(task)
      else if (unrecorded > 0) await progress()
      else if (again.length === 0) break
    }
  } catch (error) {
    // The rest of the file could not be read.
    if (!(error instanceof Failure)) throw error
    stop ??= { why: 'failed', failure: error }
  } finally {
    while (unrecorded > 0) await progress()
    await source.return?.(undefined)
  }
  return stop

  /** The next row may be sent when this one was answered: its outcome reaches the disk meanwhile. */
  function start(task: T): void {
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

  async function sendInBackground(task: T, onAnswered: () => void): Promise<void> {
    try {
      const outcome = await sendOne(sender, task, onAnswered)
      if (outcome.again) again.push(task)
      if (outcome.stop) stop ??= outcome.stop
    } catch (error) {
      // The journal or the rejects file could not be written; anything else is a bug.
      stop ??= error instanceof ClaimImpossible ? sharedJournalStop(error) : stopOfDisk(error)
    }
  }
}

/** What follows from a row for the run. */
export interface AfterRow {
  /** It was not sent, or the service asked to wait: it is sent again. */
  readonly again?: boolean
  /** No more rows are sent. */
  readonly stop?: Stop
}

/** Sends one row, and resolves when its outcome is on the disk. `onAnswered`: the next row may be sent. */
type SendOne<T> = (sender: Sender, task: T, onAnswered: () => void) => Promise<AfterRow>

/**
 * Creates the record of one row. Its intent is on the disk before it is sent, and its outcome before it counts. `onAnswered` is called
 * when the row was created: any other answer may stop the import, so it is recorded first.
 */
async function createOne(sender: Sender, task: Task, onAnswered: () => void): Promise<AfterRow> {
  const { service, ledger, throttle, rejects } = sender
  const { entry, row } = task
  const beforeSending = readyToSend(sender)
  const other = await ledger.move(entry, { type: 'intend' }).catch(otherClaim)
  if (other) return { again: leaveToOtherRun(other, entry) }
  const started = throttle.start()
  const answer = await createRecord(service, task, beforeSending)
  if (!('error' in answer)) {
    throttle.clean()
    onAnswered()
    await ledger.move(entry, { type: 'created' }, { ...answer, via: 'answer' })
    return {}
  }
  const failure = answer.error instanceof Failure ? answer.error : undefined
  const { change, stop, pace: reason } = classifyFailure(answer.error)
  if (reason === 'busy') throttle.busy(started, retryAfterOf(answer.error))
  if (reason === 'unreachable') throttle.unreachable(started)
  if (change.type === 'doubted') throttle.doubt()
  if (change.type === 'refused') throttle.clean()
  await ledger.move(entry, change, {
    http: failure?.details.status,
    via: 'answer',
    serviceMessage: messageOf(failure),
  })
  if (change.type === 'doubted') sender.onDoubt(task)
  if (change.type === 'refused' && failure) {
    const { issues = [], status } = failure.details
    const why = issues.length > 0 ? issues : [{ path: '', message: failure.message }]
    sender.onRefused(task, why)
    await rejects.add(row, why, `refused (${status})`)
  }
  return {
    again: change.type === 'held' && stop === undefined,
    ...(stop && { stop: { why: stop, ...(failure && { failure }) } }),
  }
}

/**
 * What is looked at right before the request of a row leaves: whether its claim, which begins now, still counts, and whether
 * the import goes on. A request may wait long for its turn, with --rate or because the service asked for a pause.
 */
export function readyToSend({ claimTime, signal }: Sender): () => void {
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

/** The message of a failure, as part of a sentence. */
export function messageOf(failure: Failure | undefined): string | undefined {
  const words = failure?.message.replace(/ It may or may not have been applied\.$/, '').replace(/\.$/, '')
  return words && words.charAt(0).toLowerCase() + words.slice(1)
}

/** Sends the create request of a row. Returns the id if the service answers with the record. */
async function createRecord(
  { client, create, kind }: ImportService,
  { entry, row }: Task,
  beforeSending: () => void,
): Promise<Facts | { error: unknown }> {
  const [path, other] = kind.key.request
  const isReference = other === undefined && path === create.requestRecord?.reference?.request
  const request = {
    body: row.json ? new WrittenBody(row.json, () => row.record) : row.record,
    ...(isReference && { reference: entry.name }),
    beforeSending,
  }
  try {
    if (create.response.kind !== 'one') return { http: (await client.call(create, request)).status }
    const id = idOf(await client.record(create, request))
    return id === undefined ? {} : { id }
  } catch (error) {
    return { error }
  }
}

/** What a failed POST means for its row and for the run. */
export interface FailureClass {
  readonly change: Change
  /** Stops the run; the other rows stay pending. */
  readonly stop?: 'key' | 'route' | 'bug'
  /** Slows the run down. */
  readonly pace?: 'busy' | 'unreachable'
}

/** Statuses that refuse this row: assumed: what is answered so was not carried out. */
const refusals = new Set([400, 411, 413, 415, 422])

/**
 * Whatever else goes wrong once a byte was sent leaves the row in doubt: a reset, a time-out, a redirect, 408, 409, 5xx, a
 * web page, `success: false`. 409 in particular: the record that it conflicts with may be the one that was sent.
 */
export function classifyFailure(error: unknown): FailureClass {
  const held: Change = { type: 'held' }
  const doubted: Change = { type: 'doubted' }
  if (!(error instanceof Failure)) return { change: doubted, stop: 'bug' }
  const { outcome, status } = error.details
  // It waited too long after it was claimed, or the import was stopped meanwhile: see `readyToSend`.
  if (error.code === 'locked') return { change: held, pace: 'busy' }
  // The settings are wrong, not the row: every other row would fail too.
  if (error.code === 'usage') return { change: held, stop: 'bug' }
  if (outcome === 'not-sent') {
    return error.code === 'temporary' ? { change: held, pace: 'unreachable' } : { change: held, stop: 'bug' }
  }
  if (status === 429) return { change: held, pace: 'busy' }
  if (status === 401 || status === 403) return { change: held, stop: 'key' }
  if (outcome === 'refused' && (status === 404 || status === 405)) return { change: held, stop: 'route' }
  if (outcome === 'refused' && status !== undefined && refusals.has(status))
    return { change: { type: 'refused' } }
  return { change: doubted, ...(status === 503 && { pace: 'busy' }) }
}

/** How long the service asked to wait, in milliseconds, if it did. */
export function retryAfterOf(error: unknown): number | undefined {
  if (!(error instanceof Failure)) return undefined
  const { retryAfterMs }: FailureDetails & { readonly retryAfterMs?: number } = error.details
  return retryAfterMs
}
