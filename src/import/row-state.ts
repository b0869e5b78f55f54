/**
 * The states of a row. The journal stores them; they decide what is sent and how rows are counted.
 *
 *     pending ─ intend ─> intent ─ created ──> created
 *        ^                  ├───── refused ──> refused
 *        ├────── held ──────┤
 *        │                  └───── doubted ──> ambiguous
 *        │                                         ├─ found once, and the same ──> created
 *        │                                         ├─ found once, and not ───────> conflict
 *        │                                         ├─ found more than once ──────> duplicate
 *        ├── found not at all, after one POST ─────┤
 *                                                  └─ not at all after two, or unsure ─> unresolved
 *
 * An unresolved, conflict or duplicate row can be looked up again. It is never sent again, unless it had one POST and
 * only the look-up failed.
 */
export const states = [
  'pending',
  'intent',
  'created',
  'refused',
  'ambiguous',
  'unresolved',
  'conflict',
  'duplicate',
] as const

export type State = (typeof states)[number]

/** Where a row is between the file and the service. */
export interface RowState {
  readonly state: State
  /** The number of the next, current or last POST: 1 or 2. */
  readonly attempt: number
}

/** What happens to a row. */
export type Change =
  /** It will be sent now. */
  | { readonly type: 'intend' }
  | { readonly type: 'created' }
  /** The service refused it for good. */
  | { readonly type: 'refused' }
  /** It was not sent, or the service refused it only for now. */
  | { readonly type: 'held' }
  /** It was sent, and the outcome is unknown. */
  | { readonly type: 'doubted' }
  /** We looked for it in complete lists. `same`: the service's record is the one that we sent. */
  | { readonly type: 'found'; readonly count: number; readonly same: boolean }
  /** We looked for it, but the lists are not reliable. */
  | { readonly type: 'unsure' }
  /** It will be sent again: the file has new values, or an earlier run was refused. */
  | { readonly type: 'renewed' }

/** A POST, and one more when the lists show that the first created nothing: each further one could create a person twice. */
export const mostAttempts = 2

/** Whether the POST is over, but the service may or may not have the record. */
export const isDoubtful = ({ state }: RowState): boolean =>
  state === 'ambiguous' || state === 'unresolved' || state === 'conflict' || state === 'duplicate'

/** The state after a change. Throws a TypeError for a change that cannot happen: a bug. */
export function next({ state, attempt }: RowState, change: Change): RowState {
  const to = (become: State): RowState => ({ state: become, attempt })
  switch (change.type) {
    case 'intend':
      if (state === 'pending') return to('intent')
      break
    case 'created':
    case 'refused':
      if (state === 'intent') return to(change.type)
      break
    case 'held':
      if (state === 'intent') return to('pending')
      break
    case 'doubted':
      if (state === 'intent') return to('ambiguous')
      break
    case 'found':
      if (isDoubtful({ state, attempt })) return found(state, attempt, change)
      // We took the first POST for lost, but it arrived after all.
      if (state === 'pending' && attempt === mostAttempts && change.count > 0) {
        return found(state, attempt, change)
      }
      break
    case 'unsure':
      if (isDoubtful({ state, attempt })) return to('unresolved')
      break
    case 'renewed':
      if (state === 'pending' || state === 'refused') return { state: 'pending', attempt: 1 }
      break
  }
  throw new TypeError(`a row that is ${state} cannot be ${change.type}`)
}

function found(
  state: State,
  attempt: number,
  { count, same }: { readonly count: number; readonly same: boolean },
): RowState {
  if (count > 1) return { state: 'duplicate', attempt }
  if (count === 1) return { state: same ? 'created' : 'conflict', attempt }
  const seenBefore = state === 'conflict' || state === 'duplicate'
  if (attempt < mostAttempts && !seenBefore) return { state: 'pending', attempt: attempt + 1 }
  return { state: 'unresolved', attempt }
}

/** The state of a row that a journal ends with. A row that it was about to send may have been created. */
export function stateAfterReplay({ state, attempt }: RowState): RowState {
  return { state: state === 'intent' ? 'ambiguous' : state, attempt }
}
