import type { Ledger } from '../rows/ledger.ts'

/** Counts rows whose first request seemed lost, but arrived since, as created by this import. */
export async function adoptLateArrivals(ledger: Ledger): Promise<void> {
  for (const entry of ledger.entries.values()) {
    if (entry.state !== 'pending' || entry.attempt === 1 || entry.existingCount === 0) continue
    if (entry.createdBy !== undefined) continue
    const count = entry.existingCount
    entry.existingCount = 0
    await ledger.move(entry, { type: 'found', count, same: true }, { via: 'list' })
  }
}
