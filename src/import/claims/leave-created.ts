import type { SharedJournal } from '../../shared-journal/open-shared-journal.ts'
import { compare, type Verdict } from '../resolve/verify.ts'
import type { Ledger } from '../rows/ledger.ts'
import { keyOf } from '../rows/natural-key.ts'
import { leaveTo } from './taken.ts'

/**
 * Leaves to other runs what they created or claimed before this one, which stopped early, came to it: the list shows such
 * a row, and that is as it should be.
 */
export async function leaveCreated(
  shared: SharedJournal,
  ledger: Ledger,
  verdict: Verdict,
): Promise<Verdict> {
  const isOpen = ({ entry, expected }: Verdict['discrepancies'][number]) =>
    entry.state === 'pending' && expected === 0
  const open = verdict.discrepancies.filter(isOpen).map(({ entry }) => entry)
  if (open.length === 0) return verdict
  const claims = await shared.read(open.map(({ name }) => keyOf(name)))
  for (const entry of open) {
    const claim = claims.get(keyOf(entry.name))
    if (claim && claim.owner !== shared.owner && claim.state !== 'refused') leaveTo(claim, entry)
  }
  return compare(ledger, verdict.list)
}
