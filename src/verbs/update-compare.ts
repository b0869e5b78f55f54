import { isDeepStrictEqual } from 'node:util'
import { type Difference, differences } from '../api/contract/mapping/differences.ts'
import { mappingOf, unreturnedFields } from '../api/contract/mapping/field-mapping.ts'
import { type MappedRecord, mapRecord, responseFieldAt } from '../api/contract/mapping/map-record.ts'
import { isNothing } from '../api/contract/mapping/value-place.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { Failure } from '../errors.ts'
import { isSameNumber } from '../json/numbers.ts'
import { type Json, type JsonObject, valueAt } from '../json/path.ts'
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

/** What a record holds after an update, beside what it should hold. */
interface HeldValues {
  /** Asked for, and the record still has the old value: from what was asked to what is there. */
  readonly old: readonly Difference[]
  /** Asked for, and the record has a third value: from what was asked to what is there. */
  readonly other: readonly Difference[]
  /** Changed without being asked for. */
  readonly unasked: readonly Difference[]
  /** Asked for, and the service does not return it: not known. */
  readonly unseen: readonly string[]
}

/** Compares what was asked of a record, and all else that was sent, with what the service returns of it now. */
function compareHeld(
  type: RecordType,
  asked: readonly Difference[],
  sent: JsonObject,
  now: MappedRecord,
): HeldValues {
  const correspondence = mappingOf(type)
  const hidden = [...(correspondence ? unreturnedFields(correspondence) : []), ...now.absent]
  const isHidden = (path: string) => hidden.some((each) => isWithin(path, each))
  const unseen = asked.filter((change) => {
    const value = at(now.body, change.path)
    return (value === undefined && isHidden(change.path)) || isLossy(change)
  })
  const compared = asked
    .filter((change) => !unseen.includes(change))
    .map((change) => ({ ...change, now: at(now.body, change.path) }))
    .filter((change) => !isSame(change.path, change.after, change.now))
  const toNow = ({ path, after, now: there }: (typeof compared)[number]) => ({
    path,
    before: after,
    after: there,
  })
  const isOld = (change: (typeof compared)[number]) => isSame(change.path, change.before, change.now)
  return {
    old: compared.filter(isOld).map(toNow),
    other: compared.filter((change) => !isOld(change)).map(toNow),
    unasked: differences(sent, now.body).filter(
      ({ path, before, after }) =>
        !asked.some((change) => isWithin(path, change.path) || isWithin(change.path, path)) &&
        !(after === undefined && isHidden(path)) &&
        !isSame(path, before, after),
    ),
    unseen: unseen.map(({ path }) => path),
  }

  /** "payrollApproveNeeded is returned as a boolean", and sent as text: other text cannot be compared. */
  function isLossy({ path, after }: Difference): boolean {
    return answered(path) === 'boolean' && typeof after === 'string' && !/^(true|false)$/.test(after)
  }

  function isSame(path: string, one: Json, other: Json): boolean {
    if (isEmpty(one) && isEmpty(other)) return true
    if (isDeepStrictEqual(one, other)) return true
    if (typeof one !== 'string' || typeof other !== 'string') return false
    // A timestamp that is answered as a date has lost its time.
    if (answered(path) === 'date') return one.slice(0, 10) === other.slice(0, 10)
    return isDecimal(one) && isDecimal(other) && isSameNumber(one, other)
  }

  function answered(path: string) {
    return correspondence && responseFieldAt(correspondence, path.split('.'))?.type
  }
}

/** Whether everything that was asked for is there for certain. */
function holdsAll({ old, other, unseen }: HeldValues): boolean {
  return old.length + other.length + unseen.length === 0
}

/** Whether nothing is to be said of it. */
function isAsAsked(held: HeldValues): boolean {
  return held.old.length + held.other.length + held.unasked.length === 0
}

const at = (value: Json, path: string) => valueAt(value, path.split('.'))

const isWithin = (path: string, section: string) => path === section || path.startsWith(`${section}.`)

const isEmpty = (value: Json) => value === undefined || value === '' || isNothing(value)

/** 37.50 and 37.5, and no account number: 012345 and 12345 are two. */
const isDecimal = (text: string) => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)
