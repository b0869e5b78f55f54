import type { Claim } from '../../shared-journal/claim.ts'
import type { ClaimReader } from '../../shared-journal/open-shared-journal.ts'
import { timeOf } from '../../shared-journal/owner.ts'
import type { Replay } from '../journal/replay.ts'
import type { Entry } from '../rows/ledger.ts'
import type { FilePlan } from '../rows/plan.ts'
import type { Remark } from '../rows/remarks.ts'
import { leaveTo } from './taken.ts'

/**
 * Leaves rows to the runs that have them, and returns a remark for each. Changes nothing in the shared journal: an import
 * looks again before it sends (`adopt-claims.ts`).
 */
export async function noteClaims(
  claims: Pick<ClaimReader, 'read'>,
  { entries }: Pick<FilePlan, 'entries'>,
  path: string,
  before: Replay | undefined,
): Promise<Remark[]> {
  const remarks: Remark[] = []
  const found = await claims.read([...entries.keys()])
  for (const [key, entry] of entries) {
    const claim = found.get(key)
    const isOpen = entry.state === 'pending' && entry.existingCount === 0
    if (!claim || !isOpen || claim.state === 'refused' || before?.owners.has(claim.owner)) continue
    remarks.push({ row: entry.row, path, value: entry.name, ...says(claim, entry) })
    if (claim.alive || claim.state === 'created') leaveTo(claim, entry)
  }
  return remarks
}

function says({ by, at, alive, state }: Claim, { name }: Entry): Pick<Remark, 'message' | 'cause'> {
  if (state === 'created')
    return {
      message: `${by} created ${name} at ${timeOf(at)}; it is not sent again`,
      cause: `created by ${by}; not sent again`,
    }
  if (alive)
    return {
      message: `${by} has been working on ${name} since ${timeOf(at)}; it is left to that run`,
      cause: `${by} is working on it; left to that run`,
    }
  return {
    message: `${by} claimed ${name} at ${timeOf(at)} and ended without saying what became of it; it is looked for before it is sent`,
    cause: `${by} ended without saying what became of it; looked for before it is sent`,
  }
}
