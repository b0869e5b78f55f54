import { readWholeRecord } from '../../../api/whole-record.ts'
import { Failure, type Issue } from '../../../errors.ts'
import { type Json, type JsonObject, withValueAt } from '../../../files/json/path.ts'
import { differences, type StoredValues } from '../../../model/values/compare-stored.ts'
import { formatChange } from '../../../render/text/format-change.ts'
import { findHidden } from '../../../write/at-risk.ts'
import { changesByItself, startAgainHint } from '../../../write/guards.ts'
import { describeAnswer, failWithOutcome, needsLook } from '../../../write/judge.ts'
import type { Change, RecordTarget } from '../../../write/record-write.ts'
import { type JudgedChange, sendChange } from '../../../write/send-write.ts'
import { withRecordLock } from '../record-lock.ts'
import { notCompared, storedOtherwise } from '../show-changes.ts'
import { emptyFieldsOf } from './ask-at-risk.ts'
import { passGuards } from './pass-guards.ts'
import type { WriteSession } from './write-session.ts'

/**
 * Changes a record with one request, and reports what the service made of it. Returns the record as it is now, if it can
 * be shown. Throws a Failure: refused, or unknown. `name`: set where it is one of many.
 */
export async function changeAndReport(
  session: WriteSession,
  change: Change,
  name?: string,
): Promise<JsonObject | undefined> {
  const { context, said } = session
  const { target } = change
  context.writes.expect(await target.lookUpCommand())
  // Two runs of this computer that both read before either sends would lose the change of one of them.
  const result = await withRecordLock(context, target.id, () => sendIfUnchanged(session, change))
  const { outcome, answerKind, failure, answer, now, stored, unread } = result
  if (failure && !needsLook(answerKind)) throw failure
  if (outcome !== 'applied') throw await notApplied(target, result, context.reveal)
  if (failure)
    context.remark(`${describeAnswer(answerKind, failure)}; the record was read again and has the change.`)
  else if (unread !== undefined) context.remark(`the record was updated, but ${unread}.`)
  if (stored) {
    for (const [heading, ...lines] of storedOtherwise(context, target.type, stored))
      for (const line of [name === undefined ? heading : `${name}: ${heading}`, ...lines]) context.warn(line)
    // Where the record could not be read, that was said instead.
    const hidden = unread === undefined ? notCompared(stored) : undefined
    if (hidden !== undefined && !said.has(hidden)) context.note(hidden)
    if (hidden !== undefined) said.add(hidden)
  }
  return now?.record ?? answer
}

/** Reads the record again, and sends the change if the guards let it: somebody else may have changed it meanwhile. */
async function sendIfUnchanged(session: WriteSession, change: Change): Promise<JudgedChange> {
  const { context } = session
  const { target, seen, wanted, changes } = change
  const { noteOutcome, noteSeen } = context.writes
  const [client, knowledge] = [await context.client(), await context.knowledge()]
  const before = await readWholeRecord(client, target)
  await passGuards(session, change, 'read again', { now: before })
  // A field that the service changes by itself keeps its current value.
  const changesMeanwhile = differences(seen.body, before.body).filter(
    (each) => changesByItself(target.type, each) && !changes.some(({ path }) => path === each.path),
  )
  const body = changesMeanwhile.reduce<Json>(
    (whole, { path, after }) => withValueAt(whole, path.split('.'), after),
    wanted,
  ) as JsonObject
  const emptyFields = await emptyFieldsOf(context)
  const isHidden = await findHidden(knowledge, target.type, target.id, before.record, emptyFields)
  let hasWaited = false
  const sleep = async (ms: number) => {
    hasWaited = true
    noteOutcome('unknown', target.id)
    await context.host.sleep(ms)
  }
  const ready = { ...change, seen: before, wanted: body, isHidden }
  const result = await sendChange(ready, { client, knowledge, noteSeen, sleep })
  const { outcome, answerKind, failure } = result
  const isClear = failure ? !needsLook(answerKind) : outcome === 'applied' && !hasWaited
  if (!isClear) noteOutcome(outcome, target.id)
  return result
}

/** The failure of a change that the record does not have, whether it was acknowledged or not. */
async function notApplied(
  target: RecordTarget,
  { outcome, why, answerKind, failure, status, stored, unread }: JudgedChange,
  reveal: boolean,
): Promise<Failure> {
  const { id } = target
  const reason =
    failure ?? new Failure('unknown', `The service answered ${status}.`, { status, isOpen: true })
  if (outcome !== 'refused') {
    const issues = stored ? storedIssues(stored, reveal) : []
    const asAnswered = stored ? `; as it was answered, ${why}` : ''
    const sight = `${id} ${unread === undefined ? `was read again: ${why}` : `${unread}${asAnswered}`}.`
    const hint = `Do not run it again before you have checked the record: ${await target.lookUpCommand()}`
    return failWithOutcome(reason, 'unknown', sight, issues).with({ hint })
  }
  if (answerKind === 'denied') return reason
  const refusal = failWithOutcome(reason, 'refused', `${id} was read again: ${why}.`)
  return refusal.with({ hint: await startAgainHint(target) })
}

/** An issue for each field that is not as requested, with both values. */
function storedIssues({ old, other, unrequested, notReturned }: StoredValues, reveal: boolean): Issue[] {
  const issuesFor = (list: StoredValues['old'], words: string) =>
    list.map((each) => ({ path: each.path, message: `${words}: ${formatChange(each, reveal)}` }))
  return [
    ...issuesFor(old, 'not stored (asked for → still there)'),
    ...issuesFor(other, 'stored differently'),
    ...issuesFor(unrequested, 'changed although you did not ask'),
    ...notReturned.map((path) => ({ path, message: 'asked for, and not shown' })),
  ]
}
