import { nameSome } from '../text/words.ts'
import type { ImportEntry } from './entry.ts'
import { keyInWords } from './key-in-words.ts'
import { type JournalledImport, readCreatedKeys } from './read-journal.ts'
import { matchOf, type Scan } from './scan.ts'

/** Decides whether a row that the list does not show is really missing. */
export type ListReliability = ReturnType<typeof createListReliability>

interface Sources {
  readonly entries: ReadonlyMap<string, ImportEntry>
  readonly before: JournalledImport | undefined
  readonly others: readonly JournalledImport[]
}

/** The journal that several computers share, and how long a list last took to show a new row there. */
interface SharedSource {
  readonly createdKeys: () => AsyncIterable<string>
  readonly shownMs: number | undefined
}

/** Decides whether a row that the list does not show is missing, by what this run and earlier ones saw, on any computer. */
export function createListReliability(
  { entries, before, others }: Sources,
  settleMs: number,
  shared?: SharedSource,
) {
  const shown = [before?.shown, ...others.map(({ shown }) => shown)].map((each) => each?.afterMs)
  const earlier = [...shown, shared?.shownMs]
  let shownAfterMs = Math.max(...earlier.filter((ms) => ms !== undefined))

  /** The keys of all rows that the service acknowledged. */
  async function* acknowledgedKeys(): AsyncGenerator<string> {
    for (const [key, { writes, state, left }] of entries)
      if (writes === 'create' && state === 'done' && !left) yield key
    for (const [key, { creation, left }] of before?.rows ?? []) {
      const isSettled = entries.get(key)?.writes === 'create'
      if (creation?.state === 'done' && !isSettled && !left) yield key
    }
    for (const { path } of others) yield* readCreatedKeys(path)
    if (shared) yield* shared.createdKeys()
  }

  return {
    /** Notes how long after its creation the list showed a row, in milliseconds. Replaces what earlier runs measured. */
    noteShown(afterMs: number): void {
      shownAfterMs = afterMs
    },
    /**
     * Why a row that the list lacks may exist all the same; undefined if it does not. `isDenied`: the service
     * refused the row.
     */
    async whyUnreliable(list: Scan, isDenied = false): Promise<string | undefined> {
      if (!Number.isFinite(shownAfterMs) && !isDenied) {
        return 'the list has not shown any new row yet, so a row that it lacks may be there all the same'
      }
      if (shownAfterMs > settleMs) {
        return `the list takes longer to show a new row (${Math.ceil(shownAfterMs / 1000)} s) than --settle waits for it`
      }
      const missing = new Set<string>()
      for await (const key of acknowledgedKeys()) if (matchOf(list, key).count === 0) missing.add(key)
      if (missing.size === 0) return undefined
      const names = [...missing].map((key) => keyInWords(entries.get(key)?.reference ?? key))
      return `the list also lacks ${missing.size === 1 ? 'a row' : `${missing.size} rows`} that the service acknowledged (${nameSome(names, 3)})`
    },
  }
}
