import type { Difference } from '../api/contract/mapping/differences.ts'
import { mapRecord } from '../api/contract/mapping/map-record.ts'
import { Failure } from '../errors.ts'
import type { JsonObject } from '../json/path.ts'
import { compareHeld, type HeldValues, holdsAll, isAsAsked } from './compare-held.ts'
import { arrow, formatDifference } from './compare-with-response.ts'
import { readRecord, type UpdatePlan } from './update-plan.ts'

/** An update that was sent. */
export interface SentUpdate {
  /** What it changes. */
  readonly asked: readonly Difference[]
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
    answered?.misfits.length === 0 ? compareHeld(type, sent.asked, sent.body, answered) : undefined
  if (first && isAsAsked(first)) {
    tell(plan, first)
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
  const held = again ? compareHeld(type, sent.asked, sent.body, again) : first && shownBy(first)
  if (held) {
    if (held.old.length > 0) throw await notApplied(plan, sent, held)
    tell(plan, held)
  }
  return again?.record ?? answer
}

/**
 * After an update with an unknown outcome: the record, when it has everything that was asked. Undefined when it
 * does not, or when not all of it can be seen.
 */
export async function foundApplied(plan: UpdatePlan, sent: SentUpdate): Promise<JsonObject | undefined> {
  const again = await readRecord(plan).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
  })
  if (!again || again.misfits.length > 0) return undefined
  const held = compareHeld(plan.type, sent.asked, sent.body, again)
  if (!holdsAll(held)) return undefined
  tell(plan, held)
  return again.record
}

/** A response may show only part of the record: a field that it lacks is not a difference. */
function shownBy(held: HeldValues): HeldValues {
  const shown = ({ after }: Difference) => after !== undefined
  return {
    ...held,
    old: held.old.filter(shown),
    other: held.other.filter(shown),
    unasked: held.unasked.filter(shown),
  }
}

function tell({ context }: UpdatePlan, { other, unasked, unseen }: HeldValues): void {
  const list = (what: string, all: readonly Difference[]) => {
    if (all.length === 0) return
    context.warn(what)
    for (const each of all) context.warn(formatDifference(each, context.options.reveal ?? false))
  }
  list('the service stored these fields differently from what was sent:', other)
  list('the service changed these fields although you did not ask for it:', unasked)
  if (unseen.length > 0) {
    context.note(
      `The service does not return these fields, so they cannot be compared: ${unseen.join(', ')}.`,
    )
  }
}

async function notApplied(
  { context, look }: UpdatePlan,
  { asked, status }: SentUpdate,
  { old, other, unasked }: HeldValues,
): Promise<Failure> {
  const reveal = context.options.reveal ?? false
  const which =
    old.length === asked.length
      ? 'the record still has the old values'
      : `the record still has the old value of ${old.length} of ${asked.length} fields`
  const said = status === undefined ? 'The update was sent' : `The service answered ${status}`
  const listed = (all: readonly Difference[], words: string) =>
    all.map((each) => ({ path: each.path, message: `${words}: ${arrow(each, reveal)}` }))
  return new Failure('unknown', `${said}, but ${which}. The update may take effect later.`, {
    outcome: 'unknown',
    ...(status !== undefined && { status }),
    issues: [
      ...listed(old, 'asked for, and found'),
      ...listed(other, 'stored differently'),
      ...listed(unasked, 'changed although you did not ask'),
    ],
    hint: `Check the record before you run this again: ${await look()}`,
  })
}
