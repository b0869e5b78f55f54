import { type Found, foundLine } from '../journal/found-line.ts'
import type { Journal } from '../journal/journal.ts'
import type { Entry } from '../rows/ledger.ts'
import { keyOf } from '../rows/natural-key.ts'
import { matchOf, type Scan } from './scan.ts'

/** So many lines go to the disk together. */
const batch = 1000

/**
 * Notes in the journal what a complete list shows of the rows, where the rows themselves do not say it: the id of one
 * whose answer had none, how often a row is there that was created or refused, and that a row was there before.
 * `known`: what the journal has already; it is not written again.
 */
export async function noteFound(
  entries: Iterable<Entry>,
  list: Scan,
  journal: Journal,
  known: Map<string, Found>,
): Promise<void> {
  let writing: Promise<void>[] = []
  for (const entry of entries) {
    const key = keyOf(entry.name)
    const { count, ids } = matchOf(list, key)
    const id = count === 1 ? ids[0] : undefined
    const last = known.get(key)
    if (entry.row === 0 || !saysMore(entry, count, id, last)) continue
    entry.id ??= id
    if (last && last.count === count && last.id === id) continue
    const found = { count, ...(id !== undefined && { id }) }
    known.set(key, { ...found, at: 0 })
    writing.push(journal.append(foundLine(entry.name, found)))
    if (writing.length < batch) continue
    await Promise.all(writing)
    writing = []
  }
  await Promise.all(writing)
}

function saysMore(entry: Entry, count: number, id: string | undefined, last: Found | undefined): boolean {
  const { state, existingCount } = entry
  if (state === 'pending') return existingCount > 0
  if (state === 'refused') return count > 0 || last !== undefined
  return state === 'created' && (count !== 1 || (id !== undefined && entry.id !== id) || last !== undefined)
}
