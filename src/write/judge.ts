import { isDenial } from '../api/outcome/status-failure.ts'
import type { Failure, Issue, Outcome } from '../errors.ts'
import type { Difference, StoredValues } from '../model/values/compare-stored.ts'

/**
 * What the service answered to a write. `unsent`: it was not asked. `no`: a plain refusal. `conflict`: 409 or
 * 412, which can also come after the write was stored, because the request met its own first attempt or a
 * gateway answered. `denied`: a refusal in a 2xx, which some services give although they stored the write.
 * `unclear`: no answer, or one that says neither.
 */
export type AnswerKind = 'unsent' | 'done' | 'no' | 'conflict' | 'denied' | 'unclear'

/**
 * How much of what was requested the record showed after the write. `none`: it is not there, or has none of
 * it. `unseen`: it could not be read again, or not whole.
 */
export type Shown = 'all' | 'some' | 'none' | 'unseen'

/**
 * The outcome of a write, by the answer and by what the record shows, for every kind of write. A plain
 * refusal stands. An acknowledgement stands unless an old value is still there (`judgeChange`). After a
 * conflict the record decides. A denial stands unless the record has the values. After silence only a record
 * with all values settles it, because the request may still arrive.
 */
const verdicts: Readonly<Record<AnswerKind, Outcome | Readonly<Record<Shown, Outcome>>>> = {
  unsent: 'not-sent',
  no: 'refused',
  done: 'applied',
  conflict: { all: 'applied', some: 'unknown', none: 'refused', unseen: 'unknown' },
  denied: { all: 'applied', some: 'unknown', none: 'refused', unseen: 'refused' },
  unclear: { all: 'applied', some: 'unknown', none: 'unknown', unseen: 'unknown' },
}

/** The outcome of a write, from the answer and the record. `judgeChange` looks for old values first. */
export function outcomeOf(answer: AnswerKind, state: Shown): Outcome {
  const verdict = verdicts[answer]
  return typeof verdict === 'string' ? verdict : verdict[state]
}

/** What the service said, by the failure of the call; `done` where there is none. */
export function classifyAnswer(failure: Failure | undefined): AnswerKind {
  if (!failure) return 'done'
  const { outcome, status } = failure.details
  if (outcome === 'not-sent') return 'unsent'
  if (status === 409 || status === 412) return 'conflict'
  if (isDenial(failure.details)) return 'denied'
  return outcome === 'refused' ? 'no' : 'unclear'
}

/** The answer in words, to start a sentence about what the record shows. */
export function describeAnswer(answer: AnswerKind, { details: { status } }: Failure): string {
  if (answer !== 'unclear') return `the service said no (${status})`
  return status === undefined ? 'the answer was lost' : 'the answer was unclear'
}

/** Whether the record must be read again to know the outcome. */
export const needsLook = (answer: AnswerKind): boolean => typeof verdicts[answer] !== 'string'

export interface WriteOutcome {
  readonly outcome: Outcome
  /** The reason, as the end of a sentence: `it has none of what was asked for`. */
  readonly why: string
}

/** How many of the requested fields have their old value, or another one that is not only in another form. */
export const countLacking = ({ old, other }: StoredValues): number =>
  old.length + other.filter(({ isAlike }) => !isAlike).length

/** How many of the requested changes the record has; `comparison` is undefined where that could not be seen. */
function shownOf(requested: readonly Difference[], comparison: StoredValues | undefined): Shown {
  if (!comparison) return 'unseen'
  const visible = requested.length - comparison.notReturned.length
  const right = visible - countLacking(comparison)
  if (right === requested.length) return 'all'
  if (visible === 0) return 'unseen'
  return right > 0 ? 'some' : 'none'
}

/** The outcome of a change. `comparison`: undefined where the record could not be read again, or not compared. */
export function judgeChange(
  answer: AnswerKind,
  requested: readonly Difference[],
  comparison: StoredValues | undefined,
): WriteOutcome {
  const isOld = answer === 'done' && comparison !== undefined && comparison.old.length > 0
  const outcome = isOld ? 'unknown' : outcomeOf(answer, shownOf(requested, comparison))
  if (!comparison) return { outcome, why: 'it could not be read again' }
  const lacking = countLacking(comparison)
  if (comparison.old.length === requested.length) return { outcome, why: 'it has none of what was asked for' }
  if (lacking > 0)
    return { outcome, why: `${lacking} of ${requested.length} fields do not have what was asked for` }
  return outcome === 'applied'
    ? { outcome, why: 'it has what was asked for' }
    : { outcome, why: 'the service does not show all that was asked for' }
}

/** How a record with the same key compares with the one that was sent. */
interface Lookalike {
  /** True where a field that was sent has another value. */
  readonly differs: boolean
  /** Whether every field that was sent is shown. */
  readonly isWhole: boolean
}

/**
 * The outcome of a create, by the records that have its key now; `lookalikes`: undefined where the list could not
 * be read. A record that has all that was sent counts as created, even if it may have been there before.
 */
export function judgeCreation(
  answer: AnswerKind,
  lookalikes: readonly Lookalike[] | undefined,
  name = 'it',
): WriteOutcome {
  const outcome = outcomeOf(answer, lookForCreated(lookalikes))
  const [only] = lookalikes ?? []
  if (!lookalikes) return { outcome, why: 'the list was not read' }
  if (!only) return { outcome, why: `the list does not show ${name}` }
  if (lookalikes.length > 1) return { outcome, why: `${lookalikes.length} records are ${name}` }
  if (only.differs)
    return { outcome, why: `${name} is there, but with other values, so it may be an older record` }
  return only.isWhole
    ? { outcome, why: `${name} is there, once, with what was sent` }
    : { outcome, why: `${name} is there, but it is not shown whole, so it may be an older record` }
}

function lookForCreated(lookalikes: readonly Lookalike[] | undefined): Shown {
  if (!lookalikes) return 'unseen'
  const alike = lookalikes.filter(({ differs }) => !differs)
  if (alike.length === 0) return 'none'
  return lookalikes.length === 1 && alike[0]?.isWhole ? 'all' : 'some'
}

/**
 * The failure of a write that was not confirmed, with the outcome that was seen. Its code always agrees with
 * the outcome. @param sight a sentence that says what was seen
 */
export function failWithOutcome(
  failure: Failure,
  outcome: Exclude<Outcome, 'applied'>,
  sight: string,
  issues: readonly Issue[] = [],
): Failure {
  const { code, message, details } = failure
  const allIssues = [...(details.issues ?? []), ...issues]
  return failure.with({
    code: outcome === 'unknown' ? outcome : code === 'unknown' ? 'refused' : code,
    message: sight ? `${message} ${sight}` : message,
    outcome,
    issues: allIssues.length > 0 ? allIssues : undefined,
  })
}
