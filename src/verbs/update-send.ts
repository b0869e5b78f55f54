import {
  compareStored,
  type Difference,
  differences,
  isAsAsked,
  type StoredValues,
} from '../api/contract/mapping/compare-stored.ts'
import { declaredAt, mapRecord, withNulls } from '../api/contract/mapping/map-record.ts'
import type { WholeRecord } from '../api/whole-record.ts'
import { Failure, type Issue, withHint } from '../errors.ts'
import { type Json, type JsonObject, withValueAt } from '../json/path.ts'
import { isSettledBySight, type Said, saidOf } from '../write/outcomes.ts'
import { settleChange, settledFailure } from '../write/settle.ts'
import { expectWrite } from './command-line.ts'
import { differenceLines, formatChange, labelsFor } from './compare-with-response.ts'
import { readRecord, readWhole, type UpdatePlan } from './update-plan.ts'

/**
 * Sends a changed record, once, if it is still as it was seen, and compares what the service has afterwards with what was
 * asked. Returns the record as it is now; undefined when it cannot be shown. Throws a Failure that knows the
 * outcome.
 *
 * @param undoes the write of the history that this one takes back
 */
export async function sendUpdate(
  plan: UpdatePlan,
  seen: WholeRecord,
  wanted: JsonObject,
  requested: readonly Difference[],
  undoes?: string,
): Promise<JsonObject | undefined> {
  const { context, operation, parameters } = plan
  const before = await readUnchanged(plan, seen)
  const { etag, moved } = before
  const newer = moved.filter(({ path }) => !requested.some((change) => change.path === path))
  const body = newer.reduce<Json>(
    (whole, { path, after }) => withValueAt(whole, path.split('.'), after),
    wanted,
  ) as JsonObject
  const client = await context.client()
  let status: number | undefined
  const request = {
    parameters,
    body: withNulls(body, before),
    changes: requested,
    ...(undoes !== undefined && { undoes }),
    ...(etag !== undefined && { ifMatch: etag }),
    onHead: (head: { readonly status: number }) => {
      status = head.status
    },
  }
  const lookup = await expectWrite(context, plan)
  let answer: JsonObject | undefined
  try {
    answer = await client.record(operation, request)
  } catch (error) {
    const said = saidOf(error)
    if (!(error instanceof Failure) || !isSettledBySight(said)) throw error
    return afterFailure(plan, { requested, body, before }, said, error, lookup)
  }
  return verifyUpdate(plan, { requested, body, before, status }, answer)
}

/** Reads the record, and throws the failure again with what was seen and what to type next, unless it was applied. */
async function afterFailure(
  plan: UpdatePlan,
  sent: SentUpdate,
  said: Said,
  failure: Failure,
  lookup: string,
): Promise<JsonObject> {
  const { context, id } = plan
  const { status } = failure.details
  const seen = await lookAgain(plan, sent)
  const { outcome, why } = settleChange(said, sent.requested, seen.stored)
  if (outcome === 'applied' && seen.now && seen.stored) {
    report(plan, seen.stored)
    const says =
      status === undefined
        ? 'the response was lost'
        : said === 'conflict'
          ? `the service answered ${status}`
          : 'the response did not say whether the update was applied'
    context.warn(`${says}; the record was read again and has the change.`)
    context.writes.settled('applied', id)
    return seen.now.record
  }
  if (outcome === 'refused') {
    context.writes.settled('refused', id)
    const refusal = settledFailure(
      failure,
      'refused',
      said === 'denied' ? '' : `${id} was read again: ${why}.`,
    )
    if (seen.now && status !== undefined && [409, 412].includes(status))
      throw await refusedByCondition(plan, sent.before, seen.now, refusal)
    throw refusal
  }
  context.writes.settled('unknown', id)
  const sight = seen.unread ?? `was read again: ${why}`
  const issues = seen.stored ? issuesOf(plan, seen.stored) : []
  const hint = `Do not run it again before you have checked the record: ${lookup}`
  throw withHint(settledFailure(failure, 'unknown', `${id} ${sight}.`, issues), hint)
}

/**
 * Reads the record again just before it is sent: the update sends the whole record, and would undo what another person
 * changed since. Throws a Failure (exit 6) with the difference; nothing is sent. A field that the document does not have, such
 * as the time of the last visit, may change by itself: `moved` tells it, and it is sent as it is now.
 */
async function readUnchanged(
  plan: UpdatePlan,
  seen: WholeRecord,
): Promise<WholeRecord & { readonly moved: readonly Difference[] }> {
  const { context, id, type } = plan
  const now = await readWhole(plan)
  const all = differences(seen.body, now.body)
  const mayMove = ({ path }: Difference) => type.documented && !declaredAt(type.fields, path.split('.'))
  const moved = all.filter((each) => !mayMove(each))
  if (moved.length === 0) return { ...now, moved: all }
  throw new Failure('refused', `Somebody changed ${id} after it was read, and the update would undo that.`, {
    outcome: 'not-sent',
    issues: moved.map((each) => ({
      path: each.path,
      message: formatChange(each, context.options.reveal ?? false),
    })),
    hint: await startAgain(plan),
  })
}

/** A 409 or 412 that changed nothing: where the record did not change either, the service does not know the ETag that it gave. */
async function refusedByCondition(
  plan: UpdatePlan,
  before: WholeRecord,
  now: WholeRecord,
  failure: Failure,
): Promise<Failure> {
  if (differences(before.body, now.body).length > 0) return withHint(failure, await startAgain(plan))
  const { details } = failure
  if (details.status !== 412) return withHint(failure, await startAgain(plan))
  const what =
    before.etag === undefined ? 'asks for a condition' : 'refused the ETag that it gave a moment before'
  return new Failure(
    'refused',
    `The service ${what} (412), and the record ${plan.id} did not change meanwhile.`,
    {
      ...details,
      outcome: 'refused',
      hint: `Run the update again. If it ends so each time, send the record without an ETag: run the update with --dry-run --json, save .body of its answer as body.json, then: payroll api PUT ${details.path} --file body.json`,
    },
  )
}

/** What to do when the record has changed meanwhile. */
async function startAgain({ look }: UpdatePlan): Promise<string> {
  return `Look at the record as it is now, then run the update again: ${await look()}`
}

/** An update that was sent. */
interface SentUpdate {
  /** What it changes. */
  readonly requested: readonly Difference[]
  /** The record as it was sent, and as it was read right before. */
  readonly body: JsonObject
  readonly before: WholeRecord
  /** The status of the answer, where there was one. */
  readonly status?: number | undefined
}

/**
 * Compares the record with what was asked, by the response of the update, or by reading it again when the response does
 * not show all of it. Returns the record to show; undefined when there is none. Throws a Failure (exit 8) when the record
 * still holds an old value.
 */
async function verifyUpdate(
  plan: UpdatePlan,
  sent: SentUpdate,
  answer: JsonObject | undefined,
): Promise<JsonObject | undefined> {
  const { context, type } = plan
  const answered = answer && mapRecord(type, answer)
  const first =
    answered?.misfits.length === 0 ? compareStored(type, sent.requested, sent.body, answered) : undefined
  if (first && isAsAsked(first)) {
    report(plan, first)
    return answer
  }
  const { now, stored: read, unread } = await lookAgain(plan, sent)
  if (now && !read) {
    context.warn(
      'the record was updated, but came back in a form that cannot be compared with what was sent.',
    )
    return now.record
  }
  if (!now) context.warn(`the record was updated, but ${unread}.`)
  const stored = read ?? (first && onlyShown(first))
  if (stored) {
    if (settleChange('done', sent.requested, stored).outcome === 'unknown') {
      context.writes.settled('unknown', plan.id)
      throw await notApplied(plan, sent, stored)
    }
    report(plan, stored)
  }
  return now?.record ?? answer
}

/** The record as it is after it was sent, and beside what was sent; or why that cannot be seen, as the end of a sentence. */
interface SeenAgain {
  readonly now?: WholeRecord
  readonly stored?: StoredValues
  readonly unread?: string
}

async function lookAgain(plan: UpdatePlan, { requested, body }: SentUpdate): Promise<SeenAgain> {
  const now = await readRecord(plan).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    return error
  })
  if (now instanceof Failure)
    return { unread: `could not be read again afterwards (${now.details.status ?? now.code})` }
  return now.misfits.length > 0
    ? { now, unread: 'was read again, but in a form that cannot be compared with what was sent' }
    : { now, stored: compareStored(plan.type, requested, body, now) }
}

/** A response may show only part of the record: a field that it lacks is not a difference. */
function onlyShown(stored: StoredValues): StoredValues {
  const hasValue = ({ after }: Difference) => after !== undefined
  return {
    ...stored,
    old: stored.old.filter(hasValue),
    other: stored.other.filter(hasValue),
    unrequested: stored.unrequested.filter(hasValue),
  }
}

function report({ context, type }: UpdatePlan, { other, unrequested, notReturned }: StoredValues): void {
  const list = (what: string, all: readonly Difference[]) => {
    if (all.length === 0) return
    context.warn(what)
    const { reveal = false } = context.options
    for (const each of all)
      for (const line of differenceLines(each, reveal, labelsFor(context, type))) context.warn(line)
  }
  list('the service stored these fields differently from what was sent:', other)
  list('the service changed these fields although you did not ask for it:', unrequested)
  if (notReturned.length > 0) {
    context.note(
      `The service does not return these fields, so they cannot be compared: ${notReturned.join(', ')}.`,
    )
  }
}

async function notApplied(
  plan: UpdatePlan,
  { requested, status }: SentUpdate,
  stored: StoredValues,
): Promise<Failure> {
  const { old } = stored
  const which =
    old.length === requested.length
      ? 'the record still has the old values'
      : `the record still has the old value of ${old.length} of ${requested.length} fields`
  const said = status === undefined ? 'The update was sent' : `The service answered ${status}`
  return new Failure('unknown', `${said}, but ${which}. The update may take effect later.`, {
    outcome: 'unknown',
    ...(status !== undefined && { status }),
    issues: issuesOf(plan, { ...stored, notReturned: [] }),
    hint: `Check the record before you run this again: ${await plan.look()}`,
  })
}

/** Each field that is not as it was asked for, with what was asked for and what the service has. */
function issuesOf({ context }: UpdatePlan, { old, other, unrequested, notReturned }: StoredValues): Issue[] {
  const reveal = context.options.reveal ?? false
  const listed = (all: readonly Difference[], words: string) =>
    all.map((each) => ({ path: each.path, message: `${words}: ${formatChange(each, reveal)}` }))
  return [
    ...listed(old, 'asked for, and found'),
    ...listed(other, 'stored differently'),
    ...listed(unrequested, 'changed although you did not ask'),
    ...notReturned.map((path) => ({ path, message: 'asked for, and not shown' })),
  ]
}
