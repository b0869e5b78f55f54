/**
 * What may become of a row. Pure: the journal keeps the states, and everything that is sent or counted follows
 * from them.
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
 * What is unresolved, a conflict or a duplicate can be looked for again; it is never sent again, but for a row of
 * one POST that only the look-up failed.
 */
export type State =
  | 'pending'
  | 'intent'
  | 'created'
  | 'refused'
  | 'ambiguous'
  | 'unresolved'
  | 'conflict'
  | 'duplicate'

export const states: readonly State[] = [
  'pending',
  'intent',
  'created',
  'refused',
  'ambiguous',
  'unresolved',
  'conflict',
  'duplicate',
]

export interface RowState {
  readonly state: State
  /** The POST that is meant, is under way, or was the last: 1 or 2. */
  readonly attempt: number
}

export type Change =
  /** It is about to be sent. */
  | { readonly type: 'intend' }
  | { readonly type: 'created' }
  /** The service answered no, for good. */
  | { readonly type: 'refused' }
  /** It was not sent, or answered no for the time being. */
  | { readonly type: 'held' }
  /** It was sent, and the outcome is unknown. */
  | { readonly type: 'doubted' }
  /** It was looked for in complete lists. `same`: what the service has is what was sent. */
  | { readonly type: 'found'; readonly count: number; readonly same: boolean }
  /** It was looked for, and the lists cannot be relied on. */
  | { readonly type: 'unsure' }
  /** It is sent again: the file has new values, or an earlier run was refused. */
  | { readonly type: 'renewed' }

/** "At most one automatic second POST". */
const mostAttempts = 2

/** The POST is over, and the service may have the record. */
export const isDoubtful = ({ state }: RowState): boolean =>
  state === 'ambiguous' || state === 'unresolved' || state === 'conflict' || state === 'duplicate'

/** Throws a TypeError for a change that cannot happen: a bug. */
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
      // The first POST was given up for lost, and arrived after all.
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

/** What a journal's last word on a row means to the run that reads it: an intent may have been carried out. */
export function stateAfterReplay({ state, attempt }: RowState): RowState {
  return { state: state === 'intent' ? 'ambiguous' : state, attempt }
}
