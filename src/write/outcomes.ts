import { Failure, type Outcome } from '../errors.ts'

/**
 * What the service said to one write. `unsent`: it was not asked. `conflict`: a no that is given after a commit too, because
 * the request met its own first attempt or a gateway spoke: 409 and 412. `denied`: a no inside of a 2xx, which some services
 * give to what they have done. `unclear`: no answer, or none that says yes or no.
 */
export type Said = 'unsent' | 'done' | 'no' | 'conflict' | 'denied' | 'unclear'

/** What was seen of the record afterwards. */
export interface Sight {
  /** How many of the fields that were asked for hold what was asked. `none`: the record is not there, or has nothing of it. */
  readonly has: 'all' | 'some' | 'none' | 'unseen'
  /** Whether a field that was to change holds its old value still. */
  readonly isOld: boolean
}

/**
 * What became of a write, by what was said and what was seen: for create, update, undo and every row of an import. A plain
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

/** What became of a write. */
export function outcomeOf(said: Said, { has, isOld }: Sight): Outcome {
  if (said === 'done' && isOld) return 'unknown'
  const verdict = verdicts[said]
  return typeof verdict === 'string' ? verdict : verdict[has]
}

/** What the service said, by how the call ended; undefined: it was acknowledged. Throws what is no Failure. */
export function saidOf(error: unknown): Said {
  if (error === undefined) return 'done'
  if (!(error instanceof Failure)) throw error
  const { outcome, status = 0 } = error.details
  if (outcome === 'not-sent') return 'unsent'
  if (status === 409 || status === 412) return 'conflict'
  if (outcome !== 'refused') return 'unclear'
  return status >= 200 && status <= 299 ? 'denied' : 'no'
}

/** Whether the record decides what became of a write: it is read again. */
export const isSettledBySight = (said: Said): boolean => typeof verdicts[said] !== 'string'
