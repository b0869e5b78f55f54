import { matchOf, type Scan } from '../resolve/scan.ts'
import type { Entry } from '../rows/ledger.ts'
import { isDoubtful } from '../rows/row-state.ts'
import { serviceOf } from './own-journal.ts'
import type { OtherJournal } from './read-others.ts'
import type { Remembered } from './replay.ts'

/** What other journals know of this service. */
export interface OtherJournals {
  /** Those that are certainly of this service. */
  readonly same: readonly OtherJournal[]
  /** Those that do not say. */
  readonly unknown: readonly OtherJournal[]
}

/**
 * Sorts the journals of one address by their service: the same key is the same company. Another key may be a new key
 * of the same company; it is, when the list has a record that the journal knows by its id, and is not, when it has
 * none of them.
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
 * Puts in doubt what another import left in doubt, or created, and the list does not show: it is looked for before it
 * is sent. Returns the keys of those rows.
 */
export function takeOver(
  entries: ReadonlyMap<string, Entry>,
  { same, unknown }: OtherJournals,
  list: Scan,
): Set<string> {
  const doubtful = new Set<string>()
  for (const [others, isSure] of [
    [same, true],
    [unknown, false],
  ] as const) {
    for (const { rows } of others) {
      for (const [key, row] of rows) {
        const entry = entries.get(key)
        if (entry && takeOne(entry, row, isSure, matchOf(list, key).count > 0)) doubtful.add(key)
      }
    }
  }
  return doubtful
}

/** Whether the row is in doubt now by what the other journal says. */
function takeOne(entry: Entry, row: Remembered, isSure: boolean, isShown: boolean): boolean {
  if (entry.state === 'created') return false
  const wasSent = row.state === 'created' || isDoubtful(row) || (row.state === 'pending' && row.attempt > 1)
  if (!wasSent) return false
  // What is there and was created is there: it is left as it is.
  if (row.state === 'created' && isShown && entry.state === 'pending' && entry.attempt === 1) return false
  entry.attempt = Math.max(entry.attempt, row.attempt)
  if (entry.tries.length < row.tries.length) entry.tries = row.tries
  if (entry.state === 'pending') {
    // Two lists have shown already that it is not there: it may be sent a second time.
    if (row.state === 'pending') return false
    // A second request is sent by itself for what never was acknowledged, or may be another company's.
    entry.state = row.state === 'created' && isSure ? 'unresolved' : 'ambiguous'
  }
  return true
}
