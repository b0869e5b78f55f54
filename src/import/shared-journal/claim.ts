import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { Failure } from '../../errors.ts'
import { userName } from '../../files/local/private-directory.ts'
import { utcMinute } from '../../text/duration.ts'

/** The state of a row, as a run says it. `refused`: it is not on the service, and may be claimed again. */
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
  /** Milliseconds since 1970, by the clock of the database. */
  readonly at: number
}

/** A row that will be sent. */
export interface Intent {
  readonly key: string
  readonly attempt: number
  readonly fingerprint: string
}

/** What became of a claimed row: after how many requests, and under which id of the service. */
export interface ClaimOutcome {
  readonly state: Exclude<ClaimState, 'sending'>
  readonly attempt: number
  readonly id?: string | undefined
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

/** The shared journal cannot be used right now, so nothing may be sent. Exit 7. */
export class ClaimImpossible extends Failure {}

/** A new name for this run, which no other run ever has. */
export function newOwner(): string {
  return `${userName()}@${hostname().replaceAll(/[^\w.-]/g, '')} ${process.pid} ${randomBytes(12).toString('hex')}`
}

/** `ann@office (process 4711)`. Others wrote the text in the database, so only plain words of it are shown. */
export function ownerName(owner: string): string {
  const [, who, pid] = /^([\w@\\][\w.@\\ +-]{0,127}) (\d{1,10}) [0-9a-f]{24}$/.exec(owner) ?? []
  return who === undefined ? 'another run' : `${who} (process ${pid})`
}

/** Says in a sentence, without its end, what another run did with a row. */
export function describeClaim({ by, at, alive, state }: Claim, name: string): string {
  const time = utcMinute(at)
  if (state === 'created') return `${by} created ${name} at ${time}`
  if (alive) return `${by} has been working on ${name} since ${time}`
  return `${by} claimed ${name} at ${time} and ended without saying what became of it`
}

/** A row may wait this long even where `settleMs` is smaller. */
const shortestMs = 1000

/**
 * Call it before a row is claimed, and what it returns right before the request leaves: that throws where the
 * row waited longer than half of `settleMs`, because other runs take the run of a sleeping computer for dead.
 * The longer of several clocks counts: some stop while a computer sleeps, others jump.
 */
export function startClaim(settleMs: number, clocks: readonly (() => number)[]): () => void {
  const mostMs = Math.max(settleMs / 2, shortestMs)
  const started = clocks.map((clock) => clock())
  return () => {
    const passed = clocks.map((clock, at) => clock() - (started[at] ?? 0))
    if (Math.max(...passed) <= mostMs) return
    const message = 'The row was reserved for too long before its turn came, so it was not sent.'
    throw new Failure('locked', message, { outcome: 'not-sent', retryable: true })
  }
}
