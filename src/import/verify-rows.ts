import { Failure } from '../errors.ts'
import type { SharedJournal } from '../shared-journal/claim.ts'
import { leaveToOtherRun } from './claimed-elsewhere.ts'
import type { Ledger, Stop } from './ledger.ts'
import { keyOf } from './natural-key.ts'
import type { RunningImport } from './running-import.ts'
import type { Scan } from './scan.ts'
import { compare, type Discrepancy, type Verdict, verify } from './verify.ts'

/** How long a list may take to show a new record. */
export const longestLagMs = 2000

/** After these stop reasons the list is not read again: the service cannot answer, or we must not ask. */
const unreadableAfter: ReadonlySet<Stop['why']> = new Set([
  'interrupted',
  'disk',
  'key',
  'unreachable',
  'hidden',
  'bug',
  'shared-journal',
])

/** Whether the list may be read after the rows were sent. */
export const mayReadAfter = (stop: Stop | undefined): boolean => !stop || !unreadableAfter.has(stop.why)

/** What the last look at the list showed. */
export interface Verified {
  readonly discrepancies: readonly Discrepancy[]
  /** The list that was read, if it could be. */
  readonly list?: Scan
  /** Why it could not be read. */
  readonly unverified?: Failure
}

/** Reads the list a last time and compares every row with it; if nothing was sent, the list from before will do. */
export async function verifyRows(
  { job, plan, ledger, hasMoved, onEvent }: RunningImport,
  stop: Stop | undefined,
): Promise<Verified> {
  if (!mayReadAfter(stop)) return { discrepancies: [] }
  const { baseline } = plan
  const isNewer = [...ledger.entries.values()].some(({ createdBy }) => createdBy !== undefined)
  if (!hasMoved && baseline && !isNewer) return compare(ledger, baseline)
  onEvent({ type: 'verifying' })
  try {
    const verdict = await verify(job, ledger, Math.min(job.settleMs, longestLagMs))
    return job.shared ? await leaveCreated(job.shared, ledger, verdict) : verdict
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { discrepancies: [], unverified: error }
  }
}

/**
 * Leaves to other runs what they created or claimed before this one, which stopped early, came to it: the list shows such
 * a row, and that is as it should be.
 */
async function leaveCreated(shared: SharedJournal, ledger: Ledger, verdict: Verdict): Promise<Verdict> {
  const isOpen = ({ entry, expected }: Verdict['discrepancies'][number]) =>
    entry.state === 'pending' && expected === 0
  const open = verdict.discrepancies.filter(isOpen).map(({ entry }) => entry)
  if (open.length === 0) return verdict
  const claims = await shared.read(open.map(({ name }) => keyOf(name)))
  for (const entry of open) {
    const claim = claims.get(keyOf(entry.name))
    if (claim && claim.owner !== shared.owner && claim.state !== 'refused') leaveToOtherRun(claim, entry)
  }
  return compare(ledger, verdict.list)
}
