import type { Difference } from '../api/contract/mapping/differences.ts'
import { mapRecord } from '../api/contract/mapping/map-record.ts'
import { Failure } from '../errors.ts'
import type { JsonObject } from '../json/path.ts'
import { compareStored, holdsAll, isAsAsked, type StoredValues } from './compare-held.ts'
import { formatChange, formatDifference } from './compare-with-response.ts'
import { readRecord, type UpdatePlan } from './update-plan.ts'

/** An update that was sent. */
export interface SentUpdate {
  /** What it changes. */
  readonly requested: readonly Difference[]
  /** The record as it was sent. */
  readonly body: JsonObject
  /** The status of the answer, where there was one. */
  readonly status?: number | undefined
}

/**
 * Compares the record with what was asked, by the response of the update, or by reading it again when the response does
 * not show all of it. Returns the record to show; undefined when there is none. Throws a Failure (exit 8) when the record
 * still holds an old value.
 */
export async function verifyUpdate(
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
  const again = await readRecord(plan).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    context.warn(
      `the record was updated, but could not be read again afterwards (${error.details.status ?? error.code}).`,
    )
  })
  if (again && again.misfits.length > 0) {
    context.warn(
      'the record was updated, but came back in a form that cannot be compared with what was sent.',
    )
    return again.record
  }
  const stored = again ? compareStored(type, sent.requested, sent.body, again) : first && onlyShown(first)
  if (stored) {
    if (stored.old.length > 0) throw await notApplied(plan, sent, stored)
    report(plan, stored)
  }
  return again?.record ?? answer
}

/**
 * After an update with an unknown outcome: the record, when it has everything that was asked. Undefined when it
 * does not, or when not all of it can be seen.
 */
export async function findIfApplied(plan: UpdatePlan, sent: SentUpdate): Promise<JsonObject | undefined> {
  const again = await readRecord(plan).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
  })
  if (!again || again.misfits.length > 0) return undefined
  const stored = compareStored(plan.type, sent.requested, sent.body, again)
  if (!holdsAll(stored)) return undefined
  report(plan, stored)
  return again.record
}

/** A response may show only part of the record: a field that it lacks is not a difference. */
function onlyShown(stored: StoredValues): StoredValues {
  const shown = ({ after }: Difference) => after !== undefined
  return {
    ...stored,
    old: stored.old.filter(shown),
    other: stored.other.filter(shown),
    unrequested: stored.unrequested.filter(shown),
  }
}

function report({ context }: UpdatePlan, { other, unrequested, notReturned }: StoredValues): void {
  const list = (what: string, all: readonly Difference[]) => {
    if (all.length === 0) return
    context.warn(what)
    for (const each of all) context.warn(formatDifference(each, context.options.reveal ?? false))
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
  { context, look }: UpdatePlan,
  { requested, status }: SentUpdate,
  { old, other, unrequested }: StoredValues,
): Promise<Failure> {
  const reveal = context.options.reveal ?? false
  const which =
    old.length === requested.length
      ? 'the record still has the old values'
      : `the record still has the old value of ${old.length} of ${requested.length} fields`
  const said = status === undefined ? 'The update was sent' : `The service answered ${status}`
  const listed = (all: readonly Difference[], words: string) =>
    all.map((each) => ({ path: each.path, message: `${words}: ${formatChange(each, reveal)}` }))
  return new Failure('unknown', `${said}, but ${which}. The update may take effect later.`, {
    outcome: 'unknown',
    ...(status !== undefined && { status }),
    issues: [
      ...listed(old, 'asked for, and found'),
      ...listed(other, 'stored differently'),
      ...listed(unrequested, 'changed although you did not ask'),
    ],
    hint: `Check the record before you run this again: ${await look()}`,
  })
}
