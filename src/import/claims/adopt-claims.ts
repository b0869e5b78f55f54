import { setTimeout as pause } from 'node:timers/promises'
import type { Claim } from '../../shared-journal/claim.ts'
import type { SharedJournal } from '../../shared-journal/open-shared-journal.ts'
import type { JournalRow, Replay } from '../journal/replay.ts'
import type { Entry } from '../rows/ledger.ts'
import type { FilePlan } from '../rows/plan.ts'
import { isDoubtful, mostAttempts } from '../rows/row-state.ts'
import { outcomeOf } from './claim-lines.ts'
import { leaveTo } from './taken.ts'

/** What the shared journal changed in the plan. */
export interface Adopted {
  /** Rows whose run ended without saying what became of them: this run looks for them now. */
  readonly doubtful: ReadonlySet<string>
  /** How long to wait before it looks, in milliseconds. */
  readonly settleMs: number
}

const lost = [{ type: 'lost' }, { type: 'lost' }] as const

/** How long the database may take to notice that an earlier run of ours was killed. */
const patienceMs = 5000

/**
 * Compares the plan with the shared journal before anything is sent. Writes there what earlier runs of this import could not,
 * because the database was away; leaves rows to runs that are alive; takes the rows of those that are not.
 */
export async function adoptClaims(
  shared: SharedJournal,
  { entries }: Pick<FilePlan, 'entries'>,
  before: Replay | undefined,
): Promise<Adopted> {
  const known = before?.rows ?? new Map<string, JournalRow>()
  const owners = before?.owners ?? new Set<string>()
  const keys = [...new Set([...entries.keys(), ...known.keys()])]
  const claims = await readSettled(shared, keys, owners)
  const doubtful = new Set<string>()
  let settleMs = 0
  for (const [key, claim] of claims) {
    const [entry, row] = [entries.get(key), known.get(key)]
    const isOpen = claim.state === 'sending' || claim.state === 'doubt'
    if (!isOpen || claim.alive) {
      if (entry?.state !== 'pending' || entry.existingCount > 0) continue
      leaveTo(claim, entry)
      continue
    }
    // What an earlier run of this import wrote on this computer counts; and whatever was created, was.
    const settled = owners.has(claim.owner) || row?.state === 'created' ? settledBy(row, claim) : undefined
    if (settled) {
      if (await shared.takeOver(claim, settled)) continue
    } else if (await shared.takeOver(claim, { state: 'doubt', attempt: claim.attempt })) {
      if (entry) doubt(entry, claim)
      if (entry) doubtful.add(key)
      // An earlier run of this import has ended, and its requests with it. Another computer may only be asleep.
      if (!owners.has(claim.owner)) settleMs = Math.max(settleMs, claim.settleMs)
      continue
    }
    // Another run was faster.
    const now = (await shared.read([key])).get(key)
    if (now && entry?.state === 'pending') leaveTo(now, entry)
  }
  return { doubtful, settleMs }
}

/** Marks a row that was taken from a run that is gone. */
export function doubt(entry: Entry, { attempt }: Claim): void {
  delete entry.elsewhere
  // A row that waits has the number of its next request.
  const made = entry.state === 'pending' ? entry.attempt - 1 : entry.attempt
  entry.attempt = Math.min(Math.max(made, attempt, 1), mostAttempts)
  if (entry.tries.length < attempt) entry.tries = lost.slice(0, attempt)
  if (!isDoubtful(entry)) entry.state = 'ambiguous'
}

/** Reads the claims, once the database knows which earlier runs of this import are gone. */
async function readSettled(
  shared: SharedJournal,
  keys: readonly string[],
  owners: ReadonlySet<string>,
): Promise<Map<string, Claim>> {
  for (let waited = 0; ; waited += 250) {
    const claims = await shared.read(keys)
    const isOver = ![...claims.values()].some(({ owner, alive }) => alive && owners.has(owner))
    if (isOver || waited >= patienceMs) return claims
    await pause(250)
  }
}

/** What the journal on this computer says of a claim of its own; undefined if the row may be on the service. */
function settledBy(row: JournalRow | undefined, claim: Claim) {
  if (row?.state === 'created' || row?.state === 'refused') return outcomeOf(row)
  if (row && isDoubtful(row)) return undefined
  // A row is written down here before it is sent. So this one was claimed and not sent, or found missing and not sent again.
  if (claim.state === 'sending')
    return outcomeOf({ state: 'pending', attempt: row?.attempt ?? claim.attempt })
  return row && row.attempt > claim.attempt ? outcomeOf(row) : undefined
}
