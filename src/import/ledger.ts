import { Failure, isNoRoom, noRoom, systemCode, usage } from '../errors.ts'
import type { Claim } from '../shared-journal/claim.ts'
import { type Attempt, attemptsAfter } from './attempts.ts'
import type { Journal } from './journal.ts'
import type { LeftRow } from './journal-file.ts'
import type { RowChange } from './row-change.ts'
import { type Change, next, type State } from './row-state.ts'

/** What the import keeps in memory about a row; never the row itself. */
export interface Entry {
  /** The key as a person reads it. */
  readonly name: string
  /** Row number in the file; 0 if only the journal still has it. */
  readonly row: number
  /** How many rows of the file make the record, where several do: its own is the first. */
  readonly rowCount?: number
  state: State
  attempt: number
  /** The fingerprint of what we sent last or will send. */
  hash: string
  /** The fingerprint of the row in the file, if that is different. */
  edited: string | undefined
  id: string | undefined
  /** How many records the service had with this key before the run. The import does not touch them. */
  existingCount: number
  /** The results of its requests, as far as we know them. */
  tries: readonly Attempt[]
  /** Set where a person decided to leave it as it is: it is not looked for, and not sent. */
  left?: LeftRow
  /** Why it is still in doubt. */
  why?: string
  /** The run on another computer that is working on it: it is not ours to send. */
  elsewhere?: Claim
  /** What the row changes of the record that the service has. */
  change?: RowChange
  /** Who created it, if another run did while this one was at work: `ann@office (process 4711) created it at …`. */
  createdBy?: string
}

/** All rows by key, and the only way to change one. */
export interface Ledger {
  readonly entries: ReadonlyMap<string, Entry>
  /**
   * Resolves when the change is on the disk. Otherwise throws the journal's Failure and leaves the entry unchanged.
   */
  move(entry: Entry, change: Change, facts?: Facts): Promise<void>
}

/** What the answer, or the list, tells about the row. */
export interface Facts {
  readonly http?: number | undefined
  readonly id?: string | undefined
  readonly via?: 'answer' | 'list'
  /** The service's own message. Not for the journal: it may name a person. */
  readonly serviceMessage?: string | undefined
}

/** Keeps the rows and their journal in step: a row changes only once the line about it is on the disk. */
export function createLedger(
  entries: ReadonlyMap<string, Entry>,
  journal: Journal,
  onMove: (entry: Entry, from: State) => void,
): Ledger {
  return {
    entries,
    async move(entry, change, { http, id = entry.id, via, serviceMessage } = {}) {
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
      const tries = attemptsAfter(entry.tries, { state, http, via, serviceMessage })
      Object.assign(entry, { state, attempt, hash, id, tries })
      if (change.type === 'renewed') entry.edited = undefined
      onMove(entry, from)
    },
  }
}

/** Why the import sends no more rows. */
export interface Stop {
  readonly why:
    | 'key'
    | 'route'
    | 'busy'
    | 'unreachable'
    | 'doubts'
    | 'disk'
    | 'failed'
    | 'interrupted'
    | 'hidden'
    | 'bug'
    /** The shared journal was lost, so nothing more can be claimed. */
    | 'shared-journal'
    /** Others are at the rows that are left. */
    | 'others'
  /** The error that caused it, if any. */
  readonly failure?: Failure
  /** The row that the list does not show. */
  readonly entry?: Entry
  /** How long the service asks clients to wait, in milliseconds. */
  readonly retryAfterMs?: number
}

/** The folder takes no file, or is not there. */
const cannotBePlaced: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'])

/** The stop after a file of the import could not be written. Anything but an error of the system is a bug. */
export function stopOfDisk(error: unknown): Stop {
  if (error instanceof Failure) return { why: 'disk', failure: error }
  const code = systemCode(error)
  if (code === undefined) return { why: 'bug' }
  const message = `The rejects cannot be written (${code}), so nothing more was sent.`
  if (isNoRoom(code)) return { why: 'disk', failure: noRoom(message) }
  return cannotBePlaced.has(code)
    ? { why: 'disk', failure: usage(message, 'Name another place for them: --rejects <file>.') }
    : { why: 'disk' }
}
