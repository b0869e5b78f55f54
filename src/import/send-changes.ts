import { isDeepStrictEqual } from 'node:util'
import {
  compareStored,
  type Difference,
  differences,
  holdsAll,
} from '../api/contract/mapping/compare-stored.ts'
import { withNulls } from '../api/contract/mapping/map-record.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { readWholeRecord, type WholeRecord } from '../api/whole-record.ts'
import { Failure } from '../errors.ts'
import type { JsonObject } from '../json/path.ts'
import type { SharedJournal } from '../shared-journal/claim.ts'
import type { Row, RowIssue } from '../table/row.ts'
import { headingFor } from '../values/read-heading.ts'
import { othersAtWork } from './claims.ts'
import type { Entry, Stop } from './ledger.ts'
import { keyOf, nameIn } from './natural-key.ts'
import { readForChange } from './plan-changes.ts'
import { type ChangeState, changeLine, changesOf, digestOfRecord, type RowChange } from './row-change.ts'
import type { RunningImport } from './running-import.ts'
import { fileChanged } from './send-file.ts'
import {
  classifyFailure,
  messageOf,
  readyToSend,
  retryAfterOf,
  type Sender,
  sendAll,
  type Task,
} from './send-rows.ts'
import type { ChangeService } from './service.ts'
import { longestLagMs } from './verify-rows.ts'

/** A record is sent as often as this, if it is still as it was: a third time a person looks first. */
const mostAttempts = 2
const betweenLooksMs = 250

/** What is known of a request without a clear answer, to tell whether it was applied in part. */
interface Sent {
  readonly before: WholeRecord
  readonly body: JsonObject
  readonly asked: readonly Difference[]
}

/**
 * Changes the records that the plan says, each once: it is read, compared with what the plan saw, sent, and read again. What
 * has no clear answer is settled by the record itself: it has the new values, or it is as it was. Returns why it stopped
 * before the end.
 */
export async function sendChanges(run: RunningImport): Promise<Stop | undefined> {
  const { job, plan, sender, journal } = run
  const { throttle } = sender
  const { service, shared, clock, signal, settleMs } = job
  const { change, kind } = service
  const type = change?.update.requestRecord
  const changing = [...plan.file.entries.values()].filter(
    ({ change: each, row }) => each !== undefined && row > 0,
  )
  if (!change || !type || changing.length === 0) return undefined
  const key = kind.key.request
  /** Requests of this run without a clear answer. */
  const sent = new Map<Entry, Sent>()
  /** The records that were read after such a request, and were as before. */
  const untouched = new Set<Entry>()
  /** Rows that only a person can settle. */
  const leftToPerson = new Set<Entry>()
  await noteSettled(changing)
  if (shared) await releaseSettled(shared)
  let stop = await sendAll(
    sender,
    tasksFor(({ state }) => state === 'planned'),
    changeOne,
  )
  stop ??= await finishOthers()
  stop ??= await settleUnknown()
  return stop

  /** What the plan found is in the journal before anything else is. */
  async function noteSettled(entries: readonly Entry[]): Promise<void> {
    const lines = entries.flatMap((entry) => {
      const { state, issues } = changeOf(entry)
      const known = plan.before?.changes.get(keyOf(entry.name))
      const isSaid = known?.state === state && known.hash === hashOf(entry)
      const says = state === 'applied' || state === 'held'
      return says && !isSaid ? [note(entry, state, issues)] : []
    })
    await Promise.all(lines)
  }

  /** Gives up what a run of this import claimed that was killed once its change was stored: nobody else would before long. */
  async function releaseSettled(journal: SharedJournal): Promise<void> {
    const settled = changing.filter((entry) => ['equal', 'applied'].includes(changeOf(entry).state))
    if (settled.length === 0 || !plan.before?.owners.size) return
    for (const claim of (await journal.read(settled.map(claimKeyOf))).values()) {
      const isOpen = claim.state === 'sending' || claim.state === 'doubt'
      if (isOpen && !claim.alive && plan.before.owners.has(claim.owner))
        await journal.takeOver(claim, { state: 'refused', attempt: 0 })
    }
  }

  async function* tasksFor(is: (change: RowChange) => boolean): AsyncGenerator<Task> {
    if (!changing.some((entry) => entry.change && is(entry.change))) return
    const { digests, entries } = plan.file
    for await (const row of job.source.rows(digests)) {
      const entry = entries.get(keyOf(nameIn(row.record, key) ?? ''))
      if (!entry?.change || entry.row !== row.row || !is(entry.change)) continue
      if (row.digest !== digests.get(row.row)) throw fileChanged()
      yield { entry, row }
    }
  }

  async function note(entry: Entry, state: ChangeState, issues: readonly RowIssue[] = []): Promise<void> {
    const now = changeOf(entry)
    const from = now.state
    const attempt = state === 'sending' ? now.attempt + 1 : now.attempt
    await journal.append(changeLine(entry.name, hashOf(entry), { state, attempt }))
    Object.assign(now, { state, attempt, issues })
    run.onEvent({ type: 'changed', entry, from })
  }

  function hold(entry: Entry, message: string, path = key.join(', ')): Promise<void> {
    return note(entry, 'held', [inColumn(path, message)])
  }

  function inColumn(path: string, message: string): RowIssue {
    const place = job.source.columnFor?.(path)
    return place ? { path, message: `${place.place}: ${message}`, column: place.column } : { path, message }
  }

  /** Reads the record, sends it if it is as the plan saw it, and reads it again. */
  async function changeOne(
    _: Sender,
    { entry, row }: Task,
    onAnswered: () => void,
  ): Promise<{ again?: boolean; stop?: Stop }> {
    const beforeSending = readyToSend(sender)
    if (shared && !(await claim(shared, entry))) return {}
    const ended = await changeClaimed(entry, row, beforeSending, onAnswered)
    if (shared) await release(shared, entry)
    return ended
  }

  async function changeClaimed(
    entry: Entry,
    row: Row,
    beforeSending: () => void,
    onAnswered: () => void,
  ): Promise<{ again?: boolean; stop?: Stop }> {
    const planned = changeOf(entry)
    const started = throttle.start()
    let before: Awaited<ReturnType<typeof readForChange>>
    try {
      before = await readForChange(job, type as RecordType, entry, planned.id)
    } catch (error) {
      return afterUnread(error, started)
    }
    if ('why' in before) {
      if (planned.attempt > 0) leftToPerson.add(entry)
      const { path, message } = before.why
      await note(entry, planned.attempt > 0 ? 'unknown' : 'held', [inColumn(path, message)])
      return {}
    }
    const { after, asked } = changesOf(type as RecordType, key, before.body, row)
    if (asked.length === 0) {
      await note(entry, planned.attempt > 0 ? 'applied' : 'equal')
      return {}
    }
    const isAsPlanned = digestOfRecord(type as RecordType, before.body, plan.salt) === planned.seen
    const isInPart = isOurHalf(sent.get(entry), before)
    if (!isAsPlanned && !isInPart) {
      if (planned.attempt === 0) await hold(entry, changedMeanwhile)
      else {
        leftToPerson.add(entry)
        await note(entry, 'unknown', [inColumn(key.join(', '), neitherOldNorNew)])
      }
      return {}
    }
    await note(entry, 'sending')
    const failure = await send(change as ChangeService, entry, before, after, beforeSending)
    if (failure === undefined) {
      throttle.clean()
      onAnswered()
      return settleByRecord(entry, { before, body: after, asked })
    }
    return afterFailure(entry, { before, body: after, asked }, failure, started, row)
  }

  async function send(
    { update }: ChangeService,
    entry: Entry,
    before: WholeRecord,
    after: JsonObject,
    beforeSending: () => void,
  ): Promise<unknown> {
    const request = {
      parameters: { id: changeOf(entry).id },
      body: withNulls(after, before),
      changes: differences(before.body, after),
      ...(before.etag !== undefined && { ifMatch: before.etag }),
      beforeSending,
    }
    try {
      if (update.response.kind === 'one') await service.client.record(update, request)
      else await service.client.call(update, request)
      return undefined
    } catch (error) {
      return error
    }
  }

  /** A read that failed says nothing of this row: it waits. */
  function afterUnread(error: unknown, started: number): { again?: boolean; stop?: Stop } {
    const failure = error instanceof Failure ? error : undefined
    if (!failure) throw error
    if (failure.code !== 'temporary')
      return { stop: { why: failure.code === 'auth' ? 'key' : 'failed', failure } }
    if (failure.details.status === undefined) throttle.unreachable(started)
    else throttle.busy(started, retryAfterOf(failure))
    return { again: true }
  }

  async function afterFailure(
    entry: Entry,
    request: Sent,
    error: unknown,
    started: number,
    row: Row,
  ): Promise<{ again?: boolean; stop?: Stop }> {
    const failure = error instanceof Failure ? error : undefined
    const { status } = failure?.details ?? {}
    const { change: outcome, stop: why, pace } = classifyFailure(error)
    if (pace === 'busy') throttle.busy(started, retryAfterOf(error))
    if (pace === 'unreachable') throttle.unreachable(started)
    const stopped = why && { stop: { why, ...(failure && { failure }) } }
    if (status === 412) {
      await hold(entry, 'somebody changed the record while it was sent, so the service left it as it is')
      return {}
    }
    if (outcome.type === 'held') {
      changeOf(entry).attempt -= 1
      await note(entry, 'planned')
      return { again: why === undefined, ...stopped }
    }
    if (outcome.type === 'refused' && failure) {
      throttle.clean()
      await refuse(entry, row, failure)
      return {}
    }
    const ended = await settleByRecord(entry, request, failure)
    if (changeOf(entry).state === 'unknown') throttle.doubt()
    // A conflict that changed nothing was a refusal.
    if (status === 409 && failure && untouched.has(entry)) await refuse(entry, row, failure)
    return { ...ended, ...stopped }
  }

  async function refuse(entry: Entry, row: Row, failure: Failure): Promise<void> {
    const { issues = [], status } = failure.details
    const why = issues.length > 0 ? issues : [{ path: '', message: failure.message }]
    await note(entry, 'refused', why)
    sender.onRefused({ entry, row }, why)
    await sender.rejects.add(row, why, `refused (${status})`)
  }

  /** Reads the record after a request: it has everything that was asked for, or nothing is known yet. */
  async function settleByRecord(entry: Entry, request: Sent, failure?: Failure): Promise<object> {
    const { id } = changeOf(entry)
    const { reads } = change as ChangeService
    const now = await readWholeRecord(service.client, reads, type as RecordType, {
      parameters: { id },
    }).catch((error: unknown) => {
      if (error instanceof Failure) return undefined
      throw error
    })
    const stored =
      now?.misfits.length === 0
        ? compareStored(type as RecordType, request.asked, request.body, now)
        : undefined
    const isAcknowledged = failure === undefined
    // What the service does not return cannot be seen: then its answer counts.
    const isApplied = stored ? (isAcknowledged ? stored.old.length === 0 : holdsAll(stored)) : isAcknowledged
    if (isApplied) {
      sent.delete(entry)
      untouched.delete(entry)
      await note(entry, 'applied')
      if (stored && stored.other.length + stored.unrequested.length > 0) {
        run.otherwise.push({
          reference: entry.name,
          fields: [...stored.other, ...stored.unrequested].map(({ path }) => path),
        })
      }
      return {}
    }
    sent.set(entry, request)
    if (stored && stored.old.length === request.asked.length) untouched.add(entry)
    else untouched.delete(entry)
    run.doubtSince = clock.monotonicNow()
    const lacking = [...(stored?.old ?? []), ...(stored?.other ?? [])]
    const names = lacking.map(({ path }) => headingFor(type as RecordType, path))
    await note(entry, 'unknown', [inColumn(key.join(', '), doubtOf(entry, failure, names))])
    return {}
  }

  /** Waits until what was sent has arrived, looks again, and sends once more what is still as it was. */
  async function settleUnknown(): Promise<Stop | undefined> {
    for (;;) {
      const unknown = changing.filter(
        (entry) => entry.change?.state === 'unknown' && !leftToPerson.has(entry),
      )
      if (unknown.length === 0) return undefined
      if (signal.aborted) return { why: 'interrupted' }
      run.onEvent({ type: 'checking', rows: unknown.length })
      const left = Math.max(...unknown.map(leftToArrive))
      if (left > 0) {
        run.onEvent({ type: 'settling', ms: left })
        await clock.sleep(left, signal)
        if (signal.aborted) return { why: 'interrupted' }
      }
      const stop = await sendAll(
        sender,
        tasksFor((each) => each.state === 'unknown'),
        (_, task, onAnswered) =>
          changeOf(task.entry).attempt < mostAttempts ? changeOne(sender, task, onAnswered) : lookOnce(task),
      )
      if (stop) return stop
    }
  }

  /** How long a request without a clear answer may still be on its way, in milliseconds. */
  function leftToArrive(entry: Entry): number {
    const { sentAt } = changeOf(entry)
    if (sent.has(entry) || sentAt === undefined) return run.doubtSince + settleMs - clock.monotonicNow()
    // A clock that was set back makes nobody wait for longer.
    return Math.min(sentAt + settleMs - job.now(), settleMs)
  }

  /** Whether a record that was sent twice has what was asked for. It is not sent again. */
  async function lookOnce({ entry, row }: Task): Promise<{ again?: boolean; stop?: Stop }> {
    const now = await readForChange(job, type as RecordType, entry, changeOf(entry).id).catch(
      (error: unknown) => {
        if (error instanceof Failure) return undefined
        throw error
      },
    )
    leftToPerson.add(entry)
    if (!now || 'why' in now) return {}
    if (changesOf(type as RecordType, key, now.body, row).asked.length === 0) await note(entry, 'applied')
    return {}
  }

  /** Whether a run on another computer is at this record. Takes it from one that is gone. */
  async function claim(journal: SharedJournal, entry: Entry): Promise<boolean> {
    const now = changeOf(entry)
    const claimKey = claimKeyOf(entry)
    delete now.elsewhere
    const other = await journal.claim({ key: claimKey, attempt: 1, fingerprint: hashOf(entry) })
    if (!other) return true
    if (other.alive) {
      now.elsewhere = other
      return false
    }
    if (!(await journal.takeOver(other, { state: 'doubt', attempt: 1 }))) {
      now.elsewhere = other
      return false
    }
    // Its request may still be on its way: this one waits, and looks.
    run.settleMs = Math.max(run.settleMs, other.settleMs)
    await clock.sleep(other.settleMs, signal)
    await release(journal, entry)
    return signal.aborted
      ? false
      : (await journal.claim({ key: claimKey, attempt: 1, fingerprint: hashOf(entry) })) === undefined
  }

  /** A record may be changed again and again, so a claim of it ends with the change. */
  function release(journal: SharedJournal, entry: Entry): Promise<void> {
    return journal.note(claimKeyOf(entry), { state: 'refused', attempt: 0 })
  }

  /** Waits for the records that others are at, and looks at them then. */
  async function finishOthers(): Promise<Stop | undefined> {
    const until = clock.monotonicNow() + Math.max(settleMs, longestLagMs)
    for (;;) {
      const open = changing.filter(({ change: each }) => each?.elsewhere !== undefined)
      if (!shared || open.length === 0) return undefined
      if (signal.aborted) return { why: 'interrupted' }
      run.onEvent({ type: 'others', rows: open.length })
      const stop = await sendAll(
        sender,
        tasksFor(({ elsewhere }) => elsewhere !== undefined),
        changeOne,
      )
      if (stop) return stop
      const left = changing.filter(({ change: each }) => each?.elsewhere !== undefined)
      if (left.length === 0) return undefined
      if (clock.monotonicNow() >= until) {
        return {
          why: 'others',
          failure: othersAtWork(left.flatMap(({ change: each }) => each?.elsewhere ?? [])),
        }
      }
      await clock.sleep(betweenLooksMs, signal)
    }
  }
}

const changedMeanwhile =
  'somebody changed the record meanwhile, so it was left as it is: look at it, and import the row again'

const neitherOldNorNew = 'it was sent, and the record is neither as it was nor as the row says'

/** How a shared journal calls the change of a record: its key alone says that it was created. */
const claimKeyOf = ({ name }: Entry) => `change of ${keyOf(name)}`

/** The fingerprint of a row as the file has it now. */
const hashOf = ({ hash, edited }: Entry) => edited ?? hash

function changeOf({ change, name }: Entry): RowChange {
  if (!change) throw new TypeError(`the row of ${name} changes nothing`)
  return change
}

/** Why it is not known whether a change was applied; `lacking`: the fields that the record does not have as they were sent. */
function doubtOf({ change }: Entry, failure: Failure | undefined, lacking: readonly string[]): string {
  const isSecond = (change?.attempt ?? 0) > 1
  const times = !isSecond
    ? 'once'
    : change?.sentAt === undefined
      ? 'twice'
      : 'by an earlier run, and once more'
  const said = messageOf(failure) ?? 'the service answered that it was done'
  const what = lacking.length > 0 ? ` (${lacking.join(', ')})` : ''
  return `it was sent ${times}: ${said}, and the record does not have all that the row says${what}`
}

/** Whether a record differs from what it was before it was sent by nothing but a part of what was sent. */
function isOurHalf(sent: Sent | undefined, now: WholeRecord): boolean {
  if (!sent) return false
  return differences(sent.before.body, now.body).every((moved) =>
    sent.asked.some(({ path, after }) => path === moved.path && isDeepStrictEqual(after, moved.after)),
  )
}
