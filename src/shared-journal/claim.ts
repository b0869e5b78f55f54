import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { describeOurselves } from '../files/lock.ts'

/**
 * What a run makes of a row. `sending`: it will be sent, or was. `doubt`: it may be on the service. `created`: it is.
 * `refused`: it is not, because the service refused it or it was not sent; it may be claimed again.
 */
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
  /** The number of the request: 1 or 2. */
  readonly attempt: number
  readonly fingerprint: string
}

/** What became of a row. */
export interface Outcome {
  readonly state: Exclude<ClaimState, 'sending'>
  readonly attempt: number
  readonly id?: string | undefined
}

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

/** The time of the database as a person reads it: `2026-04-06 09:30 UTC`. */
export function timeOf(ms: number): string {
  if (!Number.isFinite(ms)) return 'an unknown time'
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
