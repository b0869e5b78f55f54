import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { Failure } from '../../errors.ts'
import { describeOurselves } from '../../files/local/lock.ts'
import { utcMinute } from '../../text/duration.ts'

/** The state that a run gives to a row. `refused`: it is not on the service, and may be claimed again. */
export type ClaimState = 'sending' | 'doubt' | 'created' | 'refused'

/** A row of the shared journal. */
export interface Claim {
  readonly key: string
  readonly owner: string
  /** The owner as a person reads it: `ann@office (process 4711)`. */
  readonly by: string
  /** Whether the owner is still running. */
  readonly alive: boolean
  readonly state: ClaimState
  /** How many requests for it may have reached the service. */
  readonly attempt: number
  readonly settleMs: number
  readonly id: string | undefined
  /** Milliseconds since 1970, by the clock of the database. */
  readonly at: number
}

/** A row that will be sent. */
export interface Intent {
  readonly key: string
  readonly attempt: number
  readonly fingerprint: string
}

/** The outcome of a row. */
export interface ClaimOutcome {
  readonly state: Exclude<ClaimState, 'sending'>
  readonly attempt: number
  readonly id?: string | undefined
}

/** Looks at the shared journal, and changes nothing in it. */
export interface ClaimReader {
  read(keys: readonly string[]): Promise<Map<string, Claim>>
  /** `ann@office (process 4711) has been at work since …`: another run that created or claimed rows a short while ago. */
  atWork(): Promise<string | undefined>
  close(): Promise<void>
}

/**
 * The journal that several computers share. A claim is on the disk of the database before a byte leaves, and
 * no two runs ever hold the same one. A run without the database cannot claim.
 */
export interface SharedJournal extends ClaimReader {
  /** This run. */
  readonly owner: string
  /** Undefined if the row is ours to send, else another's claim. Throws `ClaimImpossible`. */
  claim(row: Intent): Promise<Claim | undefined>
  /** Writes what became of a row that this run holds. Never throws: the outcome is kept elsewhere as well. */
  note(key: string, outcome: ClaimOutcome): Promise<void>
  /** Writes how long after it was created the list showed a row. */
  noteShown(key: string, afterMs: number): Promise<void>
  /** Takes a row from a run that is no longer alive. Returns false if it is alive, or the row was taken meanwhile. */
  takeOver(claim: Claim, outcome: ClaimOutcome): Promise<boolean>
  /** How long a list last took to show a new row, in milliseconds. */
  lastShownMs(): Promise<number | undefined>
  /** The keys of all rows that the service has. */
  createdKeys(): AsyncGenerator<string>
  /** Why the database is not to be relied on any more; undefined while it is. */
  readonly failure: () => Failure | undefined
}

/** How a run opens the shared journal. */
export interface ClaimOptions {
  /** The service and the operation: a reference is claimed once in each. */
  readonly scope: string
  /** How long a request may take to be applied, in milliseconds. */
  readonly settleMs: number
  readonly file: string
  /** How many statements may run at the same time. */
  readonly connections: number
}

/** The shared journal cannot be used just now: nothing may be claimed, so nothing may be sent. Exit 7. */
export class ClaimImpossible extends Failure {}

/** A new owner of claims: this run, by a text that no other run ever has. */
export function newOwner(): string {
  const { user, pid } = describeOurselves()
  return `${user}@${hostname().replaceAll(/[^\w.-]/g, '')} ${pid} ${randomBytes(12).toString('hex')}`
}

/** `ann@office (process 4711)`. What stands in the database was written by others: only plain words are shown. */
export function ownerName(owner: string): string {
  const [, who, pid] = /^([\w@\\][\w.@\\ +-]{0,127}) (\d{1,10}) [0-9a-f]{24}$/.exec(owner) ?? []
  return who === undefined ? 'another run' : `${who} (process ${pid})`
}

/** The time of the database as a person reads it. */
export const timeInUtc = utcMinute
