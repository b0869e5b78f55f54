import { type Claim, timeOf } from '../shared-journal/claim.ts'
import type { Entry } from './ledger.ts'

/** Another run claimed the row: it is not sent, and stays as it was. */
export class ClaimedElsewhere extends Error {
  override readonly name = 'ClaimedElsewhere'
  readonly claim: Claim

  constructor(claim: Claim) {
    super('another run has it')
    this.claim = claim
  }
}

/** The claim of the other run; throws anything else again. */
export function otherClaim(error: unknown): Claim {
  if (error instanceof ClaimedElsewhere) return error.claim
  throw error
}

/** Leaves a row to the run that has it. Returns whether it can be sent now: it was refused there, or not sent. */
export function leaveToOtherRun(claim: Claim, entry: Entry): boolean {
  delete entry.elsewhere
  switch (claim.state) {
    case 'created':
      // The list must show it once, like any record that was there before.
      entry.existingCount = 1
      entry.createdBy = `${claim.by} created it at ${timeOf(claim.at)}`
      return false
    case 'refused':
      entry.attempt = Math.max(entry.attempt, claim.attempt + 1)
      return true
    default:
      entry.elsewhere = claim
      return false
  }
}
