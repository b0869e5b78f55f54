import type { Failure, Outcome } from '../errors.ts'

/**
 * The answer of the service to one write. `unsent`: it was not asked. `conflict`: a no that is given after a commit too, because
 * the request met its own first attempt or a gateway spoke: 409 and 412. `denied`: a no inside of a 2xx, which some services
 * give to what they have done. `unclear`: no answer, or none that says yes or no.
 */
export type Said = 'unsent' | 'done' | 'no' | 'conflict' | 'denied' | 'unclear'

/** The record as it was seen afterwards. */
export interface Sight {
  /** How many of the fields that were asked for hold what was asked. `none`: the record is not there, or has nothing of it. */
  readonly has: 'all' | 'some' | 'none' | 'unseen'
  /** True where a field that was to change still has its old value. */
  readonly isOld: boolean
}

/**
 * The outcome of a write, by what the service said and what its record shows: for create, update, undo and every row of an import. A plain
 * no is not looked after; an acknowledgement counts unless an old value stands; after a conflict the record decides, and a
 * denial counts unless the record has it; after silence only a record that holds everything settles it, for the request
 * may still be on its way.
 */
const verdicts: Readonly<Record<Said, Outcome | Readonly<Record<Sight['has'], Outcome>>>> = {
  unsent: 'not-sent',
  no: 'refused',
  done: 'applied',
  conflict: { all: 'applied', some: 'unknown', none: 'refused', unseen: 'unknown' },
  denied: { all: 'applied', some: 'unknown', none: 'refused', unseen: 'refused' },
  unclear: { all: 'applied', some: 'unknown', none: 'unknown', unseen: 'unknown' },
}

/** The outcome of a write. */
export function outcomeOf(said: Said, { has, isOld }: Sight): Outcome {
  if (said === 'done' && isOld) return 'unknown'
  const verdict = verdicts[said]
  return typeof verdict === 'string' ? verdict : verdict[has]
}

/** Tells what the service said from how the call ended; undefined where it acknowledged the write. */
export function saidOf(failure: Failure | undefined): Said {
  if (!failure) return 'done'
  const { outcome, status = 0 } = failure.details
  if (outcome === 'not-sent') return 'unsent'
  if (status === 409 || status === 412) return 'conflict'
  if (outcome !== 'refused') return 'unclear'
  return status >= 200 && status <= 299 ? 'denied' : 'no'
}

/** What was answered, to begin a sentence about what was seen then. */
export function describeSaid(said: Said, { details: { status } }: Failure): string {
  if (said !== 'unclear') return `the service said no (${status})`
  return status === undefined ? 'the answer was lost' : 'the answer was unclear'
}

/** Tells whether the record has to be read again to know the outcome. */
export const isSettledBySight = (said: Said): boolean => typeof verdicts[said] !== 'string'
