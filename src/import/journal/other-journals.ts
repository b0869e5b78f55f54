import { matchOf, type Scan } from '../resolve/scan.ts'
import type { Entry } from '../rows/ledger.ts'
import { isDoubtful } from '../rows/row-state.ts'
import { serviceOf } from './own-journal.ts'
import type { OtherJournal } from './read-others.ts'
import type { JournalRow } from './replay.ts'

/** Other journals, by how certain it is that they are about this service. */
export interface OtherJournals {
  /** Certainly about this service. */
  readonly same: readonly OtherJournal[]
  /** Cannot be told. */
  readonly unknown: readonly OtherJournal[]
}

/**
 * Sorts the journals of one address by service. The same API key is the same company. Another key may be a new key of
 * the same company: it is if the list has a record whose id the journal knows, and is not if it has none of them.
 */
export function sortJournals(
  others: readonly OtherJournal[],
  account: string | undefined,
  list: Scan,
): OtherJournals {
  const [same, unknown]: [OtherJournal[], OtherJournal[]] = [[], []]
  for (const other of others) {
    const isSame = other.account === undefined || other.account === account
    const verdict = isSame ? 'same' : serviceOf(other.ids, list)
    if (verdict === 'same') same.push(other)
    if (verdict === 'unknown') unknown.push(other)
  }
  return { same, unknown }
}

/**
 * Marks rows as in doubt if another import left them in doubt, or created them and the list does not show them. They
 * are looked up before they are sent. Returns their keys.
 */
export function markInDoubt(
  entries: ReadonlyMap<string, Entry>,
  { same, unknown }: OtherJournals,
  list: Scan,
): Set<string> {
  const marked = new Set<string>()
  for (const [others, isSure] of [
    [same, true],
    [unknown, false],
  ] as const) {
    for (const { rows } of others) {
      for (const [key, row] of rows) {
        const entry = entries.get(key)
        if (entry && markRow(entry, row, isSure, matchOf(list, key).count > 0)) marked.add(key)
      }
    }
  }
  return marked
}

/** Whether the other journal puts the row in doubt. */
function markRow(entry: Entry, row: JournalRow, isSure: boolean, isShown: boolean): boolean {
  if (entry.state === 'created') return false
  const wasSent = row.state === 'created' || isDoubtful(row) || (row.state === 'pending' && row.attempt > 1)
  if (!wasSent) return false
  // It was created and the list shows it: leave it.
  if (row.state === 'created' && isShown && entry.state === 'pending' && entry.attempt === 1) return false
  entry.attempt = Math.max(entry.attempt, row.attempt)
  if (entry.tries.length < row.tries.length) entry.tries = row.tries
  if (entry.state === 'pending') {
    // Two lists already showed that it is not there: it may be sent a second time.
    if (row.state === 'pending') return false
    // A second request is sent automatically only if the first was never acknowledged or may be another company's.
    entry.state = row.state === 'created' && isSure ? 'unresolved' : 'ambiguous'
  }
  return true
}
