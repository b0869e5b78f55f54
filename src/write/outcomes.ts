import { isDenial } from '../api/outcome/status-failure.ts'
import type { Failure, Outcome } from '../errors.ts'

/**
 * What the service answered to a write. `unsent`: it was not asked. `no`: a plain refusal. `conflict`: 409 or
 * 412, which can also come after the write was stored, because the request met its own first attempt or a
 * gateway answered. `denied`: a refusal in a 2xx, which some services give although they stored the write.
 * `unclear`: no answer, or one that says neither.
 */
export type AnswerKind = 'unsent' | 'done' | 'no' | 'conflict' | 'denied' | 'unclear'

/** What the record showed after the write. */
export interface LookResult {
  /** How many of the requested fields have their new value. `none`: the record is not there, or has none of them. */
  readonly has: 'all' | 'some' | 'none' | 'unseen'
  /** True where a field that was to change still has its old value. */
  readonly isOld: boolean
}

/**
 * The outcome of a write, by the answer and by what the record shows, for every kind of write. A plain
 * refusal stands. An acknowledgement stands unless an old value is still there. After a conflict the record
 * decides. A denial stands unless the record has the values. After silence only a record with all values
 * settles it, because the request may still arrive.
 */
const verdicts: Readonly<Record<AnswerKind, Outcome | Readonly<Record<LookResult['has'], Outcome>>>> = {
  unsent: 'not-sent',
  no: 'refused',
  done: 'applied',
  conflict: { all: 'applied', some: 'unknown', none: 'refused', unseen: 'unknown' },
  denied: { all: 'applied', some: 'unknown', none: 'refused', unseen: 'refused' },
  unclear: { all: 'applied', some: 'unknown', none: 'unknown', unseen: 'unknown' },
}

/** The outcome of a write, from the answer and the record. */
export function outcomeOf(answer: AnswerKind, { has, isOld }: LookResult): Outcome {
  if (answer === 'done' && isOld) return 'unknown'
  const verdict = verdicts[answer]
  return typeof verdict === 'string' ? verdict : verdict[has]
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
