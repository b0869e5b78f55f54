import { isDeepStrictEqual } from 'node:util'
import {
  compareStored,
  type Difference,
  differences,
  holdsAll,
  type StoredValues,
} from '../api/contract/mapping/compare-stored.ts'
import { withNulls } from '../api/contract/mapping/map-record.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { readWholeRecord, type WholeRecord } from '../api/whole-record.ts'
import { Failure } from '../errors.ts'
import type { SharedJournal } from '../shared-journal/claim.ts'
import type { RowIssue } from '../table/row.ts'
import { inColumn } from '../table/row-source.ts'
import { headingFor } from '../values/read-heading.ts'
import { othersAtWork } from './claims.ts'
import type { Entry, Stop } from './ledger.ts'
import { keyOf, nameIn } from './natural-key.ts'
import { readForChange } from './plan-changes.ts'
import {
  type ChangeState,
  changeLine,
  changesOf,
  digestOfRecord,
  type RecordChange,
  type RowChange,
} from './row-change.ts'
import type { RunningImport } from './running-import.ts'
import { fileChanged } from './send-file.ts'
import {
  type AfterRow,
  classifyFailure,
  messageOf,
  readyToSend,
  retryAfterOf,
  sendAll,
  type Task,
} from './send-rows.ts'
import type { ChangeService } from './service.ts'
import type { Throttle } from './throttle.ts'
import { longestLagMs } from './verify-rows.ts'

/** A record is sent as often as this, if it is still as it was: a third time a person looks first. */
const mostAttempts = 2
const betweenLooksMs = 250

/** A row that may change a record. */
interface ChangingEntry extends Entry {
  change: RowChange
}
type ChangeTask = Task<ChangingEntry>

/** The request of a row, which changes its record. */
interface ChangeRequest extends ChangeTask, RecordChange {
  /** The record as it was read right before. */
  readonly before: WholeRecord
  /** When the row had its turn, by the throttle. */
  readonly started: number
}

/** A request without a clear answer; `isUntouched`: the record was read after it, and was as before. */
type UnclearRequest = ChangeRequest & { readonly isUntouched: boolean }

/** An update under way: what its steps share, and what they learn. */
interface Update {
  readonly run: RunningImport
  /** How the service reads and changes one record. */
  readonly change: ChangeService
  /** The record as it is sent. */
  readonly type: RecordType
  /** The fields by which a record is found: they stay as the service has them. */
  readonly key: readonly string[]
  /** The rows of the file that may change a record. */
  readonly entries: readonly ChangingEntry[]
  /** Requests of this run without a clear answer. */
  readonly unclear: Map<ChangingEntry, UnclearRequest>
  /** Rows that only a person can settle: this run looks at them no more. */
  readonly leftToPerson: Set<ChangingEntry>
}

/**
 * Changes the records that the plan says, each once. What the plan settled is noted; then each record is claimed
 * (`changeRecord`), read, compared with what the plan saw, announced in the journal, sent (`changeClaimed`), read again and
 * settled (`settleByRecord`). What has no clear answer is settled by the record itself: it has the new values, or it is as
 * it was. Returns why it stopped before the end.
 */
export async function sendChanges(run: RunningImport): Promise<Stop | undefined> {
  const update = startUpdate(run)
  if (!update) return undefined
  await noteSettled(update)
  await releaseSettled(update)
  let stop = await sendRows(update, ({ state }) => state === 'planned', changeRecord)
  stop ??= await finishOthers(update)
  stop ??= await settleUnknown(update)
  return stop
}

/** Begins with what the plan knows; undefined where nothing may change, or nothing would. */
function startUpdate(run: RunningImport): Update | undefined {
  const { change, kind } = run.job.service
  const type = change?.update.requestRecord
  const entries = [...run.plan.file.entries.values()].filter(isChanging).filter(({ row }) => row > 0)
  if (!change || !type || entries.length === 0) return undefined
  return { run, change, type, key: kind.key.request, entries, unclear: new Map(), leftToPerson: new Set() }
}

/** What the plan found is in the journal before anything else is. */
async function noteSettled(update: Update): Promise<void> {
  const { before } = update.run.plan
  const lines = update.entries.flatMap((entry) => {
    const { state, issues } = entry.change
    const known = before?.changes.get(keyOf(entry.name))
    const isSaid = known?.state === state && known.hash === hashOf(entry)
    const says = state === 'applied' || state === 'held'
    return says && !isSaid ? [note(update, entry, state, issues)] : []
  })
  await Promise.all(lines)
}

/** Gives up the claims of an earlier run that was killed after its change was stored: nobody else would for a long time. */
async function releaseSettled({ run, entries }: Update): Promise<void> {
  const { shared } = run.job
  const { before } = run.plan
  if (!shared || !before?.owners.size) return
  const settled = entries.filter((entry) => ['equal', 'applied'].includes(entry.change.state))
  if (settled.length === 0) return
  for (const claim of (await shared.read(settled.map(claimKeyOf))).values()) {
    const isOpen = claim.state === 'sending' || claim.state === 'doubt'
    if (isOpen && !claim.alive && before.owners.has(claim.owner))
      await shared.takeOver(claim, { state: 'refused', attempt: 0 })
  }
}

/** Which rows a step is about. */
type ChangeTest = (change: RowChange) => boolean

/** Reads these rows from the file once more, and does `sendOne` with each, several at once. */
function sendRows(
  update: Update,
  is: ChangeTest,
  sendOne: (update: Update, task: ChangeTask, onAnswered: () => void) => Promise<AfterRow>,
): Promise<Stop | undefined> {
  return sendAll(update.run.sender, readTasks(update, is), (_, task, onAnswered) =>
    sendOne(update, task, onAnswered),
  )
}

async function* readTasks({ run, key, entries }: Update, is: ChangeTest): AsyncGenerator<ChangeTask> {
  if (!entries.some(({ change }) => is(change))) return
  const { file } = run.plan
  for await (const row of run.job.source.rows(file.digests)) {
    const entry = file.entries.get(keyOf(nameIn(row.record, key) ?? ''))
    if (!entry || !isChanging(entry) || entry.row !== row.row || !is(entry.change)) continue
    if (row.digest !== file.digests.get(row.row)) throw fileChanged()
    yield { entry, row }
  }
}

/** Changes the record of one row, claimed for as long as that takes where several computers share a journal. */
async function changeRecord(update: Update, task: ChangeTask, onAnswered: () => void): Promise<AfterRow> {
  const { sender, job } = update.run
  // Its time begins before the claim does.
  const beforeSending = readyToSend(sender)
  if (job.shared && !(await claim(update, job.shared, task.entry))) return {}
  const after = await changeClaimed(update, task, beforeSending, onAnswered)
  if (job.shared) await release(job.shared, task.entry)
  return after
}

/** Claims a record, also from a run that is gone. Returns whether it may be changed: no run on another computer is at it. */
async function claim({ run }: Update, journal: SharedJournal, entry: ChangingEntry): Promise<boolean> {
  const { clock, signal } = run.job
  const { change } = entry
  const wanted = { key: claimKeyOf(entry), attempt: 1, fingerprint: hashOf(entry) }
  delete change.elsewhere
  const other = await journal.claim(wanted)
  if (!other) return true
  if (other.alive || !(await journal.takeOver(other, { state: 'doubt', attempt: 1 }))) {
    change.elsewhere = other
    return false
  }
  // Its request may still be on its way: this one waits, and looks.
  await clock.sleep(other.settleMs, signal)
  await release(journal, entry)
  return signal.aborted ? false : (await journal.claim(wanted)) === undefined
}

/** A record may be changed again and again, so a claim of it ends with the change. */
function release(journal: SharedJournal, entry: ChangingEntry): Promise<void> {
  return journal.note(claimKeyOf(entry), { state: 'refused', attempt: 0 })
}

/** From reading the record to settling it. `beforeSending`: called right before the request leaves, which it may stop. */
async function changeClaimed(
  update: Update,
  task: ChangeTask,
  beforeSending: () => void,
  onAnswered: () => void,
): Promise<AfterRow> {
  const { run, type, key } = update
  const { throttle } = run.sender
  const { entry, row } = task
  const { id, attempt } = entry.change
  const started = throttle.start()
  const before = await readForChange(run.job, type, entry, id).catch(asFailure)
  if (before instanceof Failure) return putOff(throttle, before, started)
  if ('why' in before) return leaveRecord(update, entry, before.why.message)
  const request = {
    entry,
    row,
    started,
    before,
    ...changesOf(type, key, before.body, row, run.job.missingLines),
  }
  if (request.asked.length === 0) {
    await note(update, entry, attempt > 0 ? 'applied' : 'equal')
    return {}
  }
  if (!isAsExpected(update, entry, before))
    return leaveRecord(update, entry, attempt > 0 ? neitherOldNorNew : changedMeanwhile)
  await note(update, entry, 'sending')
  const error = await send(update, request, beforeSending)
  if (error !== undefined) return settleFailed(update, request, error)
  throttle.clean()
  onAnswered()
  await settleByRecord(update, request, { isAcknowledged: true })
  return {}
}

/** A read that failed says nothing of this row: it waits. */
function putOff(throttle: Throttle, failure: Failure, started: number): AfterRow {
  if (failure.code !== 'temporary')
    return { stop: { why: failure.code === 'auth' ? 'key' : 'failed', failure } }
  if (failure.details.status === undefined) throttle.unreachable(started)
  else throttle.busy(started, retryAfterOf(failure))
  return { again: true }
}

/** Leaves a record as it is: the row is held back, or, if an earlier request may have changed the record, left to a person. */
async function leaveRecord(update: Update, entry: ChangingEntry, why: string): Promise<AfterRow> {
  const wasSent = entry.change.attempt > 0
  if (wasSent) update.leftToPerson.add(entry)
  await note(update, entry, wasSent ? 'unknown' : 'held', [issueOf(update, why)])
  return {}
}

/** Whether a record is as the plan saw it, or differs from what it was before this run sent it by a part of what was sent. */
function isAsExpected({ run, type, unclear }: Update, entry: ChangingEntry, now: WholeRecord): boolean {
  if (digestOfRecord(type, now.body, run.plan.salt) === entry.change.seen) return true
  const sent = unclear.get(entry)
  const isOurs = ({ path, after }: Difference) =>
    sent?.asked.some((each) => each.path === path && isDeepStrictEqual(each.after, after))
  return sent !== undefined && differences(sent.before.body, now.body).every(isOurs)
}

/** Sends the record as it is to be. Returns what went wrong, if anything did. */
async function send(update: Update, request: ChangeRequest, beforeSending: () => void): Promise<unknown> {
  const { client } = update.run.job.service
  const operation = update.change.update
  const { entry, before, after } = request
  const sent = {
    parameters: { id: entry.change.id },
    body: withNulls(after, before),
    changes: differences(before.body, after),
    ...(before.etag !== undefined && { ifMatch: before.etag }),
    beforeSending,
  }
  try {
    if (operation.response.kind === 'one') await client.record(operation, sent)
    else await client.call(operation, sent)
    return undefined
  } catch (error) {
    return error
  }
}

/** What becomes of a row whose request failed: it was refused, it waits for its turn, or the record tells. */
async function settleFailed(update: Update, request: ChangeRequest, error: unknown): Promise<AfterRow> {
  const { throttle } = update.run.sender
  const { entry, started } = request
  const failure = error instanceof Failure ? error : undefined
  const { status } = failure?.details ?? {}
  const { change: outcome, stop: why, pace } = classifyFailure(error)
  if (pace === 'busy') throttle.busy(started, retryAfterOf(error))
  if (pace === 'unreachable') throttle.unreachable(started)
  const stopped = why && { stop: { why, ...(failure && { failure }) } }
  if (status === 412) {
    await note(update, entry, 'held', [issueOf(update, changedWhileSent)])
    return {}
  }
  if (outcome.type === 'held') {
    entry.change.attempt -= 1
    await note(update, entry, 'planned')
    return { again: why === undefined, ...stopped }
  }
  if (outcome.type === 'refused' && failure) {
    throttle.clean()
    await refuse(update, request, failure)
    return {}
  }
  await settleByRecord(update, request, { isAcknowledged: false, failure })
  if (entry.change.state === 'unknown') throttle.doubt()
  // A conflict that changed nothing was a refusal.
  if (status === 409 && failure && update.unclear.get(entry)?.isUntouched)
    await refuse(update, request, failure)
  return { ...stopped }
}

/** Notes why the service refused a row, and writes the row to the rejects. */
async function refuse(update: Update, task: ChangeTask, failure: Failure): Promise<void> {
  const { sender } = update.run
  const { issues = [], status } = failure.details
  const why = issues.length > 0 ? issues : [{ path: '', message: failure.message }]
  await note(update, task.entry, 'refused', why)
  sender.onRefused(task, why)
  await sender.rejects.add(task.row, why, `refused (${status})`)
}

/** Reads the record after a request: it has everything that was asked for, or nothing is known yet. */
async function settleByRecord(
  update: Update,
  request: ChangeRequest,
  { isAcknowledged, failure }: { readonly isAcknowledged: boolean; readonly failure?: Failure | undefined },
): Promise<void> {
  const { run, type, unclear } = update
  const { entry, asked } = request
  const stored = await readStored(update, request)
  const { old = [], other = [], unrequested = [] } = stored ?? {}
  // What the service does not return cannot be seen: then its answer counts.
  const isApplied = stored && !isAcknowledged ? holdsAll(stored) : isAcknowledged && old.length === 0
  if (isApplied) {
    unclear.delete(entry)
    await note(update, entry, 'applied')
    const fields = [...other, ...unrequested].map(({ path }) => path)
    if (fields.length > 0) run.otherwise.push({ reference: entry.name, fields })
    return
  }
  unclear.set(entry, { ...request, isUntouched: old.length === asked.length })
  run.doubtSince = run.job.clock.monotonicNow()
  const lacking = [...old, ...other].map(({ path }) => headingFor(type, path))
  await note(update, entry, 'unknown', [issueOf(update, doubtOf(entry, failure, lacking))])
}

/** What the record has now, beside what was sent; undefined if it cannot be read, or not whole. */
async function readStored(update: Update, request: ChangeRequest): Promise<StoredValues | undefined> {
  const { run, change, type } = update
  const { entry, asked, after } = request
  const { client } = run.job.service
  const parameters = { id: entry.change.id }
  const now = await readWholeRecord(client, change.reads, type, { parameters }).catch(asFailure)
  if (now instanceof Failure || now.misfits.length > 0) return undefined
  return compareStored(type, asked, after, now)
}

/** Waits until what was sent has arrived, looks again, and sends once more what is still as it was. */
async function settleUnknown(update: Update): Promise<Stop | undefined> {
  const { run, entries, leftToPerson } = update
  const { clock, signal } = run.job
  for (;;) {
    const unknown = entries.filter((entry) => entry.change.state === 'unknown' && !leftToPerson.has(entry))
    if (unknown.length === 0) return undefined
    if (signal.aborted) return { why: 'interrupted' }
    run.onEvent({ type: 'checking', rows: unknown.length })
    const left = Math.max(...unknown.map((entry) => leftToArrive(update, entry)))
    if (left > 0) {
      run.onEvent({ type: 'settling', ms: left })
      await clock.sleep(left, signal)
      if (signal.aborted) return { why: 'interrupted' }
    }
    const stop = await sendRows(update, ({ state }) => state === 'unknown', changeAgain)
    if (stop) return stop
  }
}

/** How long a request without a clear answer may still be on its way, in milliseconds. */
function leftToArrive({ run, unclear }: Update, entry: ChangingEntry): number {
  const { settleMs, clock, now } = run.job
  const { sentAt } = entry.change
  if (unclear.has(entry) || sentAt === undefined) return run.doubtSince + settleMs - clock.monotonicNow()
  // Somebody may have set the clock back: nobody waits longer for that.
  return Math.min(sentAt + settleMs - now(), settleMs)
}

/** Sends a record once more, if it is as it was. One that was sent often enough is only looked at, and left to a person. */
async function changeAgain(update: Update, task: ChangeTask, onAnswered: () => void): Promise<AfterRow> {
  const { run, type, key, leftToPerson } = update
  const { entry, row } = task
  const { attempt, id } = entry.change
  if (attempt < mostAttempts) return changeRecord(update, task, onAnswered)
  const now = await readForChange(run.job, type, entry, id).catch(asFailure)
  leftToPerson.add(entry)
  if (now instanceof Failure || 'why' in now) return {}
  if (changesOf(type, key, now.body, row, update.run.job.missingLines).asked.length === 0)
    await note(update, entry, 'applied')
  return {}
}

/** Waits for the records that others are at, and looks at them then. */
async function finishOthers(update: Update): Promise<Stop | undefined> {
  const { run, entries } = update
  const { settleMs, clock, signal } = run.job
  const until = clock.monotonicNow() + Math.max(settleMs, longestLagMs)
  const findClaims = () => entries.flatMap(({ change }) => change.elsewhere ?? [])
  for (;;) {
    const open = findClaims()
    if (open.length === 0) return undefined
    if (signal.aborted) return { why: 'interrupted' }
    run.onEvent({ type: 'others', rows: open.length })
    const stop = await sendRows(update, ({ elsewhere }) => elsewhere !== undefined, changeRecord)
    if (stop) return stop
    const left = findClaims()
    if (left.length === 0) return undefined
    if (clock.monotonicNow() >= until) return { why: 'others', failure: othersAtWork(left) }
    await clock.sleep(betweenLooksMs, signal)
  }
}

/** Notes what became of a row, in the journal and then in the plan, and says so. */
async function note(
  { run }: Update,
  entry: ChangingEntry,
  state: ChangeState,
  issues: readonly RowIssue[] = [],
): Promise<void> {
  const { change } = entry
  const from = change.state
  const attempt = state === 'sending' ? change.attempt + 1 : change.attempt
  await run.journal.append(changeLine(entry.name, hashOf(entry), { state, attempt }))
  Object.assign(change, { state, attempt, issues })
  run.onEvent({ type: 'changed', entry, from })
}

/** What is wrong with a record as a whole stands at its key. */
const issueOf = ({ run, key }: Update, message: string): RowIssue =>
  inColumn(run.job.source, { path: key.join(', '), message })

/** For `catch`: a failure is a value, and anything else a bug. */
function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

const changedMeanwhile =
  'somebody changed the record meanwhile, so it was left as it is: look at it, and import the row again'

const changedWhileSent = 'somebody changed the record while it was sent, so the service left it as it is'

const neitherOldNorNew = 'it was sent, and the record is neither as it was nor as the row says'

/** How a shared journal calls the change of a record: its key alone says that it was created. */
const claimKeyOf = ({ name }: Entry) => `change of ${keyOf(name)}`

const isChanging = (entry: Entry): entry is ChangingEntry => entry.change !== undefined

/** The fingerprint of a row as the file has it now. */
const hashOf = ({ hash, edited }: Entry) => edited ?? hash

/** Why it is not known whether a change was applied; `lacking`: the fields that the record does not have as they were sent. */
function doubtOf(
  { change }: ChangingEntry,
  failure: Failure | undefined,
  lacking: readonly string[],
): string {
  const isSecond = change.attempt > 1
  const times = !isSecond
    ? 'once'
    : change.sentAt === undefined
      ? 'twice'
      : 'by an earlier run, and once more'
  const said = messageOf(failure) ?? 'the service answered that it was done'
  const what = lacking.length > 0 ? ` (${lacking.join(', ')})` : ''
  return `it was sent ${times}: ${said}, and the record does not have all that the row says${what}`
}
