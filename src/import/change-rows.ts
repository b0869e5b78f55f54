import type { WholeRecord } from '../api/whole-record.ts'
import { asFailure, Failure, isTemporary } from '../errors.ts'
import { type Difference, differences, valueComparer } from '../model/values/compare-stored.ts'
import { headingFor } from '../model/values/find-field.ts'
import { asClause } from '../text/words.ts'
import { findHidden } from '../write/at-risk.ts'
import { type ReadyChange, sendChange } from '../write/send-write.ts'
import { hashInFile, type ImportEntry, mostRequestsOfRow } from './entry.ts'
import { aboutEntry, type RowFinding } from './findings.ts'
import { changesBy, readForChange, recheckChange } from './plan-changes.ts'
import { type AfterRow, recordOutcome, senderOf, slowDown, type Turn, tasksOf, workThrough } from './pump.ts'
import { digestOfRecord, type RecordChange } from './row-change.ts'
import { move, type Run, type Stop } from './running.ts'
import { leftToSettle, lookingForRows, waitForLate, whileOthersWork } from './settle.ts'
import type { SharedJournal } from './shared-journal/shared-journal.ts'

/**
 * Changes each record of the plan once. A record is claimed (`changeRow`), read, compared with what the plan saw,
 * announced in the journal, sent (`changeClaimed`), read again and settled. Without a clear answer the record itself
 * decides: it has the new values, or it is as it was. Returns why the import stopped early, if it did.
 */
export async function changeRows(run: Run): Promise<Stop | undefined> {
  const entries = [...run.plan.entries.values()].filter(({ writes, row }) => writes === 'change' && row > 0)
  if (entries.length === 0) return undefined
  const changeThose = async (isMeant: (entry: ImportEntry) => boolean) =>
    (await workThrough(run, tasksOf(run, entries, isMeant), changeRow)) ?? (await settleUnknown(run, entries))
  // What is unknown is settled first: it stays claimed, and others wait for it as this run waits for them.
  return (
    (await changeThose(({ state }) => state === 'ready')) ??
    (await whileOthersWork(run, entries, () => changeThose(({ elsewhere }) => elsewhere !== undefined)))
  )
}

/** Changes the record of one row. Where computers share a journal, the record is claimed for that time. */
async function changeRow(run: Run, turn: Turn): Promise<AfterRow> {
  const { shared } = run.job.sending
  if (shared && !(await claim(run, shared, turn.entry))) return {}
  const after = await changeClaimed(run, turn)
  // A request without a clear answer may still arrive, and no other run may change the record before that.
  if (shared && turn.entry.state !== 'unclear') await release(shared, turn.entry)
  return after
}

/** Claims a record, if need be from a dead run. Returns false where a run on another computer is working on it. */
async function claim({ job, plan }: Run, shared: SharedJournal, entry: ImportEntry): Promise<boolean> {
  const { clock, signal } = job.sending
  entry.elsewhere = undefined
  const key = claimKeyOf(entry)
  const other = await shared.claim({ key, attempt: 1, fingerprint: hashInFile(entry) })
  if (!other || (other.alive && other.owner === shared.owner)) return true
  if (other.alive || !(await shared.takeOver(other, { state: 'doubt', attempt: 1 }))) {
    entry.elsewhere = other
    return false
  }
  // The dead run's request may still arrive, so wait before looking. Those of this import were waited for.
  if (!plan.before?.owners.has(other.owner)) await clock.sleep(other.settleMs, signal)
  return !signal.aborted
}

/** Ends a claim. A record may be changed many times, so its claim ends with each change. */
function release(shared: SharedJournal, entry: ImportEntry): Promise<void> {
  return shared.writeOutcome(claimKeyOf(entry), { state: 'refused', attempt: 0 })
}

/** Changes a claimed record, from reading it to settling it. */
async function changeClaimed(run: Run, turn: Turn): Promise<AfterRow> {
  const { job, openChanges } = run
  const { knowledge } = job.service
  const { entry, row, started } = turn
  const write = await readForChange(job, row, entry, entry.id ?? '').catch(asFailure)
  if (write instanceof Failure) return putOff(run, write, started)
  if ('why' in write) return leaveRecord(run, entry, write.why)
  const { target, seen } = write
  const change = await changesBy(job, write, row)
  const { after: wanted, requested } = change
  const wasSent = entry.requests > 0
  if (hasArrived(run, entry, change)) {
    await move(run, entry, wasSent ? 'done' : 'equal')
    return {}
  }
  // It is sent no third time: a person decides.
  if (entry.requests >= mostRequestsOfRow) {
    await move(run, entry, 'unresolved', { issues: entry.issues })
    return {}
  }
  const why = await recheckChange(job, row, write, (now) => isAsExpected(run, entry, now))
  if (why) return leaveRecord(run, entry, wasSent ? aboutEntry(job, entry, 'held', neitherOldNorNew) : why)
  const { type, id } = target
  const isHidden =
    openChanges.get(entry)?.isHidden ??
    (await findHidden(knowledge, type, id, seen.record, await job.service.change?.emptyFields()))
  const changed = { wanted, changes: requested, differences: differences(seen.body, wanted) }
  const ready: ReadyChange = { ...write, ...changed, isHidden }
  const noteSeen = job.service.change?.noteSeen ?? (() => {})
  const sender = { ...senderOf(run, turn), sleep: undefined, knowledge, noteSeen }
  const { outcome, failure, stored } = await sendChange(ready, sender)
  const { old = [], other = [], unrequested = [] } = stored ?? {}
  const fieldsLacking = [...old, ...other].map(({ path }) => headingFor(type, path))
  const doubts =
    outcome === 'unknown' ? [aboutEntry(job, entry, 'held', doubtOf(entry, failure, fieldsLacking))] : []
  const after = await recordOutcome(run, turn, { outcome, failure }, { doubts })
  if (entry.state === 'unclear') openChanges.set(entry, ready)
  if (entry.state === 'done') {
    openChanges.delete(entry)
    entry.storedOtherwise = [...other, ...unrequested].map(({ path }) => path)
  }
  return after
}

/**
 * Whether a record has all that its row says. A value in the service's own way has arrived only where it is not what the
 * record had before: a row may be meant to put just that right.
 */
function hasArrived(
  { job, openChanges }: Run,
  entry: ImportEntry,
  { requested, lacking }: RecordChange,
): boolean {
  const sent = openChanges.get(entry)
  if (!sent) return requested.length === 0
  const isSame = valueComparer(job.service.type)
  const isOld = ({ path, before }: Difference) =>
    sent.changes.some((each) => each.path === path && isSame(path, each.before, before))
  return lacking.length === 0 && !requested.some(isOld)
}

/** A failed read says nothing about the row, so the row waits. */
function putOff(run: Run, failure: Failure, started: number): AfterRow {
  if (!isTemporary(failure.code))
    return { stop: { why: failure.code === 'auth' ? 'key' : 'failed', failure } }
  slowDown(run, failure, started, failure.details.status === undefined ? 'unreachable' : 'busy')
  return { again: true }
}

/**
 * Leaves a record as it is. The row is held back, or left to a person
 * if an earlier request may have changed the record.
 */
async function leaveRecord(run: Run, entry: ImportEntry, why: RowFinding): Promise<AfterRow> {
  await move(run, entry, entry.requests > 0 ? 'unresolved' : 'held', { issues: [why] })
  return {}
}

/** Whether a record is as the plan saw it, or differs only by parts of what this run has sent. */
function isAsExpected({ job, plan, openChanges }: Run, entry: ImportEntry, now: WholeRecord): boolean {
  if (digestOfRecord(job.service.type, now.body, plan.salt) === entry.change?.recordDigest) return true
  const sent = openChanges.get(entry)
  const isSame = valueComparer(job.service.type)
  const isOurs = ({ path, after }: Difference) =>
    sent?.changes.some((each) => each.path === path && isSame(path, each.after, after))
  return sent !== undefined && differences(sent.seen.body, now.body).every(isOurs)
}

/** Waits until the requests must have arrived, looks again, and sends once more what is still unchanged. */
async function settleUnknown(run: Run, entries: readonly ImportEntry[]): Promise<Stop | undefined> {
  for (;;) {
    const unknown = entries.filter(({ state, elsewhere }) => state === 'unclear' && !elsewhere)
    if (unknown.length === 0) return undefined
    run.onDoing(lookingForRows)
    await waitForLate(run, Math.max(...unknown.map((entry) => leftToArrive(run, entry))))
    const stop = await workThrough(
      run,
      tasksOf(run, unknown, ({ state }) => state === 'unclear'),
      changeRow,
    )
    if (stop) return stop
  }
}

/** How long a request without a clear answer may still be on its way, in milliseconds. */
function leftToArrive(run: Run, entry: ImportEntry): number {
  const { settleMs, clock } = run.job.sending
  const { sentAt } = entry.change ?? {}
  if (run.openChanges.has(entry) || sentAt === undefined) return leftToSettle(run)
  // The clock may have been set back. Nobody waits longer because of that.
  return Math.min(sentAt + settleMs - clock.now(), settleMs)
}

const neitherOldNorNew = 'it was sent, and the record now has other values than before and than the row'

/** The key of a claim on a change. The record's key alone would claim its creation. */
const claimKeyOf = ({ key }: ImportEntry) => `change of ${key}`

/** Why nobody knows whether a change was applied. `lacking`: the fields that the record does not have as sent. */
function doubtOf(
  { requests, change }: ImportEntry,
  failure: Failure | undefined,
  lacking: readonly string[],
): string {
  const times =
    requests < 2 ? 'once' : change?.sentAt === undefined ? 'twice' : 'by an earlier run, and once more'
  const said = failure ? asClause(failure.message) : 'the service answered that it was done'
  const what = lacking.length > 0 ? ` (${lacking.join(', ')})` : ''
  return `it was sent ${times}: ${said}, and the record does not have all that the row says${what}`
}
