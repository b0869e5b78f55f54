import {
  compareStored,
  type Difference,
  holdsAll,
  isAsAsked,
  type StoredValues,
} from '../api/contract/mapping/compare-stored.ts'
import { mapRecord } from '../api/contract/mapping/map-record.ts'
import { Failure, type Issue } from '../errors.ts'
import type { JsonObject } from '../json/path.ts'
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

/** The record if it has everything that was asked for; otherwise a sentence that says what was seen, and the fields. */
type SeenAfterDoubt =
  | { readonly record: JsonObject }
  | { readonly record?: never; readonly says: string; readonly issues: readonly Issue[] }

/** Reads the record after an update with an unknown outcome. Only one that has everything that was asked for settles it. */
export async function lookAfterDoubt(plan: UpdatePlan, sent: SentUpdate): Promise<SeenAfterDoubt> {
  const again = await readRecord(plan).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    return error
  })
  if (again instanceof Failure) {
    const why = again.details.status ?? again.code
    return { says: `${plan.id} could not be read again afterwards (${why}).`, issues: [] }
  }
  if (again.misfits.length > 0) {
    const says = `${plan.id} was read again, but in a form that cannot be compared with what was sent.`
    return { says, issues: [] }
  }
  const stored = compareStored(plan.type, sent.requested, sent.body, again)
  if (holdsAll(stored)) {
    report(plan, stored)
    return { record: again.record }
  }
  const { requested } = sent
  const missing = stored.old.length + stored.other.length
  const says =
    stored.old.length === requested.length
      ? 'it still has the old values'
      : missing > 0
        ? `${missing} of ${requested.length} fields do not have what was asked for`
        : 'the service does not show all that was asked for'
  return { says: `${plan.id} was read again: ${says}.`, issues: issuesOf(plan, stored) }
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
