import type { Failure } from '../../errors.ts'
import type { Journal } from '../journal/journal.ts'
import { type Attempt, attemptsAfter } from './attempts.ts'
import { type Change, next, type State } from './row-state.ts'

/** All that is kept of a row while the file is imported: never the row itself. */
export interface Entry {
  /** The key as a person reads it. */
  readonly name: string
  /** Where it stands in the file; 0 when it is not there any more, and the journal knows it. */
  readonly row: number
  state: State
  attempt: number
  /** The fingerprint of what was last sent, or will be. */
  hash: string
  /** The fingerprint of what the file says, where that is something else. */
  edited: string | undefined
  id: string | undefined
  /** How many records of the service had the key before this run: they are left as they are. */
  existingCount: number
  /** The results of the requests that were sent for it, as far as they are known. */
  tries: readonly Attempt[]
  /** Why it could not be settled. */
  why?: string
}

/** Every row by its key, and the only hand that changes one. */
export interface Ledger {
  readonly entries: ReadonlyMap<string, Entry>
  /**
   * Resolves when the change is on the disk. Throws the journal's Failure when it is not; the entry then stands as
   * it stood.
   */
  move(entry: Entry, change: Change, facts?: Facts): Promise<void>
}

/** What is known of the answer. */
export interface Facts {
  readonly http?: number | undefined
  readonly id?: string | undefined
  readonly via?: 'answer' | 'list'
  /** What the service said. Not for the journal: it may name a person. */
  readonly said?: string | undefined
}

export function createLedger(
  entries: ReadonlyMap<string, Entry>,
  journal: Journal,
  onMove: (entry: Entry, from: State) => void,
): Ledger {
  return {
    entries,
    async move(entry, change, { http, id = entry.id, via, said } = {}) {
      const { state, attempt } = next(entry, change)
      const hash = change.type === 'renewed' ? (entry.edited ?? entry.hash) : entry.hash
      await journal.append({
        key: entry.name,
        hash,
        state,
        attempt,
        ...(http !== undefined && { http }),
        ...(id !== undefined && { id }),
        ...(via && { via }),
      })
      const from = entry.state
      const tries = attemptsAfter(entry.tries, { state, http, via, said })
      Object.assign(entry, { state, attempt, hash, id, tries })
      if (change.type === 'renewed') entry.edited = undefined
      onMove(entry, from)
    },
  }
}

/** Why no further row is sent. */
export interface Stop {
  readonly why:
    | 'key'
    | 'route'
    | 'busy'
    | 'unreachable'
    | 'doubts'
    | 'disk'
    | 'failed'
    | 'asked'
    | 'hidden'
    | 'bug'
  /** What brought it about, where that is an error. */
  readonly failure?: Failure
  /** The row that the list does not show. */
  readonly entry?: Entry
  /** How long the service asks clients to wait, in milliseconds. */
  readonly retryAfterMs?: number
}
