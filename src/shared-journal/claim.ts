/**
 * What a run makes of a row. `sending`: it will be sent, or was. `doubt`: it may be on the service. `created`: it is.
 * `refused`: it is not, because the service refused it or it was not sent; it may be claimed again.
 */
export type ClaimState = 'sending' | 'doubt' | 'created' | 'refused'

/** A row of the shared journal. */
export interface Claim {
  readonly key: string
  readonly owner: string
  /** The owner as a person reads it: "ann@office (process 4711)". */
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
