import { isDeepStrictEqual } from 'node:util'
import type { WholeRecord } from '../api/whole-record.ts'
import { asFailure, Failure } from '../errors.ts'
import type { RowIssue, SheetRow } from '../files/table/row.ts'
import { inColumn } from '../files/table/row-source.ts'
import { type Difference, differences } from '../model/mapping/compare-stored.ts'
import { keyPath } from '../model/natural-key.ts'
import { headingFor } from '../model/values/find-field.ts'
import { asClause } from '../text/words.ts'
import { findHidden } from '../write/lost-fields.ts'
import type { Change } from '../write/record-write.ts'
import { type ReadyChange, type SentChange, sendChange } from '../write/send.ts'
import { betweenLooksMs, isHeld, othersAtWork } from './claims.ts'
import { type Entry, hashInFile, mostRequests, type Reason } from './entry.ts'
import { passAgain, readForChange } from './plan-changes.ts'
import { changesOf, digestOfRecord } from './row-change.ts'
import { move, type Run, type Stop, type Task } from './running.ts'
import {
  type AfterRow,
  afterFailure,
  type Failed,
  paceAfter,
  readyToSend,
  refuse,
  sendAll,
  tasksOf,
} from './send.ts'
import { longestLagMs, lookingForRows, settling, waitingForOthers } from './settle.ts'
import type { SharedJournal } from './shared-journal/claim.ts'
import type { Throttle } from './throttle.ts'

/** The changing of records by an import: what its steps share. */
interface ChangeRun {
  readonly run: Run
  /** The rows of the file that may change a record. */
  readonly entries: readonly Entry[]
  /** Requests of this run without a clear answer. */
  readonly unclear: Map<Entry, ReadyChange>
}

/**
 * Changes each record of the plan once. A record is claimed (`changeRecord`), read, compared with what the plan saw,
 * announced in the journal, sent (`changeClaimed`), read again and settled. Without a clear answer the record itself
 * decides: it has the new values, or it is as it was. Returns why the import stopped early, if it did.
 */
export async function sendChanges(run: Run): Promise<Stop | undefined> {
  const entries = [...run.plan.entries.values()].filter(({ writes, row }) => writes === 'change' && row > 0)
  if (entries.length === 0) return undefined
  const changing: ChangeRun = { run, entries, unclear: new Map() }
  await releaseArrived(changing)
  const sent = await sendRows(changing, ({ state }) => state === 'ready', changeRecord)
  return sent ?? (await changeReleasedRows(changing)) ?? (await settleUnknown(changing))
}

/** Gives up the claims of an earlier run that was killed after its change was stored: nobody else would for a long time. */
async function releaseArrived({ run, entries }: ChangeRun): Promise<void> {
  const { shared } = run.job
  const { before } = run.plan
  if (!shared || !before?.owners.size) return
  const arrived = entries.filter(({ state }) => state === 'equal' || state === 'done')
  if (arrived.length === 0) return
  for (const claim of (await shared.read(arrived.map(claimKeyOf))).values()) {
    if (isHeld(claim) && !claim.alive && before.owners.has(claim.owner))
      await shared.takeOver(claim, { state: 'refused', attempt: 0 })
  }
}

/** Reads the rows that pass a test from the file again, and runs `sendOne` for each, several at once. */
function sendRows(
  changing: ChangeRun,
  isMeant: (entry: Entry) => boolean,
  sendOne: (changing: ChangeRun, task: Task, onAnswered: () => void) => Promise<AfterRow>,
): Promise<Stop | undefined> {
  const { run, entries } = changing
  return sendAll(run, tasksOf(run, entries, isMeant), (_, task, onAnswered) =>
    sendOne(changing, task, onAnswered),
  )
}

/** Changes the record of one row. Where computers share a journal, the record is claimed for that time. */
async function changeRecord(changing: ChangeRun, task: Task, onAnswered: () => void): Promise<AfterRow> {
  const { job } = changing.run
  // The waiting time counts from before the claim.
  const beforeSending = readyToSend(changing.run)
  if (job.shared && !(await claim(changing, job.shared, task.entry))) return {}
  const after = await changeClaimed(changing, task, beforeSending, onAnswered)
  if (job.shared) await release(job.shared, task.entry)
  return after
}

/** Claims a record, if need be from a dead run. Returns false where a run on another computer is working on it. */
async function claim({ run }: ChangeRun, journal: SharedJournal, entry: Entry): Promise<boolean> {
  const { clock, signal } = run.job
  const wanted = { key: claimKeyOf(entry), attempt: 1, fingerprint: hashInFile(entry) }
  entry.elsewhere = undefined
  const other = await journal.claim(wanted)
  if (!other) return true
  if (other.alive || !(await journal.takeOver(other, { state: 'doubt', attempt: 1 }))) {
    entry.elsewhere = other
    return false
  }
  // The dead run's request may still arrive, so wait before looking.
  await clock.sleep(other.settleMs, signal)
  await release(journal, entry)
  return signal.aborted ? false : (await journal.claim(wanted)) === undefined
}

/** Ends a claim. A record may be changed many times, so its claim ends with each change. */
function release(journal: SharedJournal, entry: Entry): Promise<void> {
  return journal.note(claimKeyOf(entry), { state: 'refused', attempt: 0 })
}

/**
 * Changes a claimed record, from reading it to settling it. `beforeSending` is called right before the
 * request leaves, and may throw to stop it.
 */
async function changeClaimed(
  changing: ChangeRun,
  task: Task,
  beforeSending: () => void,
  onAnswered: () => void,
): Promise<AfterRow> {
  const { run, unclear } = changing
  const { throttle } = run
  const { client, knowledge } = run.job.service
  const { entry, row } = task
  const started = throttle.startRequest()
  const write = await readNow(changing, entry)
  if (write instanceof Failure) return putOff(throttle, write, started)
  if ('why' in write) return leaveRecord(changing, entry, write.why)
  const { target, seen: before } = write
  const { after: body, asked } = changesBy(changing, write, row)
  const wasSent = entry.requests > 0
  if (asked.length === 0) {
    await move(run, entry, wasSent ? 'done' : 'equal')
    return {}
  }
  const why = await passAgain(run.job, write, (now) => isAsExpected(changing, entry, now))
  if (why) return leaveRecord(changing, entry, wasSent ? issueOf(changing, neitherOldNorNew) : why)
  const ready: ReadyChange = {
    target,
    before,
    body,
    asked,
    changes: differences(before.body, body),
    isHidden:
      unclear.get(entry)?.isHidden ?? (await findHidden(knowledge, target.type, target.id, before.record)),
  }
  let failed: Failed | undefined
  const sent = await sendChange(ready, {
    client,
    beforeSending,
    readsAlways: true,
    note: () => move(run, entry, 'sending'),
    onEnd(failure) {
      if (failure) failed = paceAfter(run, started, failure)
      else {
        throttle.noteClear()
        onAnswered()
      }
    },
  })
  await noteOutcome(changing, task, ready, sent, failed)
  return failed ? afterFailure(failed) : {}
}

/** The record of a row as the service has it now, or why it cannot be changed. */
const readNow = ({ run }: ChangeRun, entry: Entry) =>
  readForChange(run.job, entry, entry.id ?? '').catch(asFailure)

const changesBy = ({ run: { job } }: ChangeRun, { target, seen }: Change, row: SheetRow) =>
  changesOf(target.type, job.service.kind.key.request, seen.body, row, job.missingLines)

/** A failed read says nothing about the row, so the row waits. */
function putOff(throttle: Throttle, failure: Failure, started: number): AfterRow {
  if (failure.code !== 'temporary')
    return { stop: { why: failure.code === 'auth' ? 'key' : 'failed', failure } }
  if (failure.details.status === undefined) throttle.noteUnreachable(started)
  else throttle.noteBusy(started, failure.details.retryAfterMs)
  return { again: true }
}

/**
 * Leaves a record as it is. The row is held back, or left to a person if an earlier request may have changed
 * the record.
 */
async function leaveRecord(changing: ChangeRun, entry: Entry, why: Reason): Promise<AfterRow> {
  const state = entry.requests > 0 ? 'unresolved' : 'held'
  await move(changing.run, entry, state, { issues: [why] })
  return {}
}

/** Whether a record is as the plan saw it, or differs only by parts of what this run has sent. */
function isAsExpected({ run, unclear }: ChangeRun, entry: Entry, now: WholeRecord): boolean {
  if (digestOfRecord(run.job.service.type, now.body, run.plan.salt) === entry.change?.seen) return true
  const sent = unclear.get(entry)
  const isOurs = ({ path, after }: Difference) =>
    sent?.asked.some((each) => each.path === path && isDeepStrictEqual(each.after, after))
  return sent !== undefined && differences(sent.before.body, now.body).every(isOurs)
}

/** Settles a row after its request: by the answer where that is clear, else by what the record shows. */
async function noteOutcome(
  changing: ChangeRun,
  task: Task,
  ready: ReadyChange,
  { outcome, stored }: SentChange,
  failed: Failed | undefined,
): Promise<void> {
  const { run, unclear } = changing
  const { entry } = task
  if (failed?.to === 'ready') return move(run, entry, 'ready')
  if (outcome === 'applied') {
    unclear.delete(entry)
    await move(run, entry, 'done')
    const fields = [...(stored?.other ?? []), ...(stored?.unrequested ?? [])].map(({ path }) => path)
    if (fields.length > 0) run.otherwise.push({ reference: entry.reference, fields })
    return
  }
  if (outcome === 'refused' && failed) {
    if (failed.failure.details.status !== 412) return refuse(run, task, failed.failure)
    // 412: somebody changed the record meanwhile, so the row is held back.
    return move(run, entry, 'held', { issues: [issueOf(changing, changedWhileSent)] })
  }
  unclear.set(entry, ready)
  run.unclearSince = run.job.clock.monotonicNow()
  const lacking = [...(stored?.old ?? []), ...(stored?.other ?? [])]
  const headings = lacking.map(({ path }) => headingFor(ready.target.type, path))
  await move(run, entry, 'unclear', {
    issues: [issueOf(changing, doubtOf(entry, failed?.failure, headings))],
  })
  if (failed) run.throttle.noteUnclear()
}

/** Waits until the requests must have arrived, looks again, and sends once more what is still unchanged. */
async function settleUnknown(changing: ChangeRun): Promise<Stop | undefined> {
  const { run, entries } = changing
  const { clock, signal } = run.job
  for (;;) {
    const unknown = entries.filter(({ state }) => state === 'unclear')
    if (unknown.length === 0) return undefined
    run.onDoing(lookingForRows)
    const left = Math.max(...unknown.map((entry) => leftToArrive(changing, entry)))
    if (left > 0) {
      run.onDoing(settling(left))
      await clock.sleep(left, signal)
    }
    const stop = await sendRows(changing, ({ state }) => state === 'unclear', changeAgain)
    if (stop) return stop
  }
}

/** How long a request without a clear answer may still be on its way, in milliseconds. */
function leftToArrive({ run, unclear }: ChangeRun, entry: Entry): number {
  const { settleMs, now } = run.job
  const { sentAt } = entry.change ?? {}
  if (unclear.has(entry) || sentAt === undefined)
    return run.unclearSince + settleMs - run.job.clock.monotonicNow()
  // The clock may have been set back. Nobody waits longer because of that.
  return Math.min(sentAt + settleMs - now(), settleMs)
}

/**
 * Sends a record once more if it is unchanged. A row that was sent often enough is only looked up, and left
 * to a person.
 */
async function changeAgain(changing: ChangeRun, task: Task, onAnswered: () => void): Promise<AfterRow> {
  const { run } = changing
  const { entry, row } = task
  if (entry.requests < mostRequests) return changeRecord(changing, task, onAnswered)
  const started = run.throttle.startRequest()
  const now = await readNow(changing, entry)
  if (now instanceof Failure) return putOff(run.throttle, now, started)
  const isThere = !('why' in now) && changesBy(changing, now, row).asked.length === 0
  await move(run, entry, isThere ? 'done' : 'unresolved', { issues: isThere ? [] : entry.issues })
  return {}
}

/** Waits for records that other runs are working on, then handles them. */
async function changeReleasedRows(changing: ChangeRun): Promise<Stop | undefined> {
  const { run, entries } = changing
  const { clock, settleMs, signal } = run.job
  const until = clock.monotonicNow() + Math.max(settleMs, longestLagMs)
  const findClaims = () => entries.flatMap(({ elsewhere }) => elsewhere ?? [])
  for (;;) {
    if (findClaims().length === 0) return undefined
    run.onDoing(waitingForOthers)
    const stop = await sendRows(changing, ({ elsewhere }) => elsewhere !== undefined, changeRecord)
    if (stop) return stop
    const left = findClaims()
    if (left.length === 0) return undefined
    if (clock.monotonicNow() >= until) return { why: 'others', failure: othersAtWork(left) }
    await clock.sleep(betweenLooksMs, signal)
  }
}

/** An issue about a whole record, placed at its key. */
const issueOf = ({ run: { job } }: ChangeRun, message: string): RowIssue =>
  inColumn(job.source, { path: keyPath(job.service.kind.key), message })

const changedWhileSent = 'somebody changed the record while it was sent, so the service left it as it is'

const neitherOldNorNew = 'it was sent, and the record now has other values than before and than the row'

/** The key of a claim on a change. The record's key alone would claim its creation. */
const claimKeyOf = ({ key }: Entry) => `change of ${key}`

/**
 * Why nobody knows whether a change was applied. `lacking`: the fields that the record does not have as sent.
 */
function doubtOf(
  { requests, change }: Entry,
  failure: Failure | undefined,
  lacking: readonly string[],
): string {
  const times =
    requests < 2 ? 'once' : change?.sentAt === undefined ? 'twice' : 'by an earlier run, and once more'
  const said = failure ? asClause(failure.message) : 'the service answered that it was done'
  const what = lacking.length > 0 ? ` (${lacking.join(', ')})` : ''
  return `it was sent ${times}: ${said}, and the record does not have all that the row says${what}`
}
