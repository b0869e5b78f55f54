import type { Failure, Issue, Outcome } from '../errors.ts'
import type { Difference, StoredValues } from '../model/mapping/compare-stored.ts'
import { type AnswerKind, type LookResult, outcomeOf } from './outcomes.ts'

/** The outcome of a write, and what its record showed. */
export interface WriteOutcome {
  readonly outcome: Outcome
  /** The reason, as the end of a sentence: `it has none of what was asked for`. */
  readonly why: string
}

/** Stands for a record that could not be read again, or not whole. */
const notSeen: LookResult = { has: 'unseen', isOld: false }

/** How many fields have another value than was requested, and not only in another form. */
const wrongIn = ({ other }: StoredValues) => other.filter(({ isAlike }) => !isAlike).length

/** Compares the requested changes with what the record has; `stored` is undefined where that could not be seen. */
function lookResult(requested: readonly Difference[], stored: StoredValues | undefined): LookResult {
  if (!stored) return notSeen
  const { old, notReturned } = stored
  const shown = requested.length - notReturned.length
  const held = shown - old.length - wrongIn(stored)
  const isOld = old.length > 0
  if (held === requested.length) return { has: 'all', isOld }
  if (shown === 0) return { has: 'unseen', isOld }
  return { has: held > 0 ? 'some' : 'none', isOld }
}

/**
 * Decides the outcome of a change from the answer and from what the record has now.
 *
 * @param stored undefined where the record could not be read again, or not compared
 */
export function judgeChange(
  answer: AnswerKind,
  requested: readonly Difference[],
  stored: StoredValues | undefined,
): WriteOutcome {
  const outcome = outcomeOf(answer, lookResult(requested, stored))
  if (!stored) return { outcome, why: 'it could not be read again' }
  const { old } = stored
  const lacking = old.length + wrongIn(stored)
  if (old.length === requested.length) return { outcome, why: 'it has none of what was asked for' }
  if (lacking > 0)
    return { outcome, why: `${lacking} of ${requested.length} fields do not have what was asked for` }
  return outcome === 'applied'
    ? { outcome, why: 'it has what was asked for' }
    : { outcome, why: 'the service does not show all that was asked for' }
}

/** How a record with the same key compares with the one that was sent. */
export interface Lookalike {
  /** True where a field that was sent has another value. */
  readonly differs: boolean
  /** Whether every field that was sent is shown. */
  readonly isWhole: boolean
}

/**
 * Decides the outcome of a create from the records that have its key now. A record that has all that was sent
 * counts as created, even if it may have been there before.
 *
 * @param found undefined where the list could not be read
 */
export function judgeCreation(
  answer: AnswerKind,
  found: readonly Lookalike[] | undefined,
  name = 'it',
): WriteOutcome {
  const outcome = outcomeOf(answer, { has: lookForCreated(found), isOld: false })
  const [only] = found ?? []
  if (!found) return { outcome, why: 'the list was not read' }
  if (!only) return { outcome, why: `the list does not show ${name}` }
  if (found.length > 1) return { outcome, why: `${found.length} records are ${name}` }
  if (only.differs)
    return { outcome, why: `${name} is there, but with other values, so it may be an older record` }
  return only.isWhole
    ? { outcome, why: `${name} is there, once, with what was sent` }
    : { outcome, why: `${name} is there, but it is not shown whole, so it may be an older record` }
}

function lookForCreated(found: readonly Lookalike[] | undefined): LookResult['has'] {
  if (!found) return 'unseen'
  const alike = found.filter(({ differs }) => !differs)
  if (alike.length === 0) return 'none'
  return found.length === 1 && alike[0]?.isWhole ? 'all' : 'some'
}

/**
 * The failure of a write that was not confirmed, with the outcome that was seen. Its code always agrees with the
 * outcome.
 *
 * @param sight a sentence that says what was seen
 */
export function failWithOutcome(
  failure: Failure,
  outcome: Exclude<Outcome, 'applied'>,
  sight: string,
  issues: readonly Issue[] = [],
): Failure {
  const { code, message, details } = failure
  const all = [...(details.issues ?? []), ...issues]
  return failure.with({
    code: outcome === 'unknown' ? outcome : code === 'unknown' ? 'refused' : code,
    message: sight ? `${message} ${sight}` : message,
    outcome,
    issues: all.length > 0 ? all : undefined,
  })
}
