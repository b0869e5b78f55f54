import type { Ledger } from './ledger.ts'
import { createdIn, type OtherJournal } from './read-others.ts'
import type { Replay } from './replay.ts'
import { matchOf, type Scan } from './scan.ts'

/** Decides whether a row that the list does not show is really missing. */
export interface ListReliability {
  /** Notes how long after its creation the list showed a row, in milliseconds. Replaces what earlier runs measured. */
  noteShown(afterMs: number): void
  /**
   * Why a row missing from the list may exist anyway. Undefined if it does not exist: the list shows every row
   * that the service acknowledged, and shows new ones within the time that we wait.
   */
  whyUnreliable(list: Scan): Promise<string | undefined>
}

interface Sources {
  readonly ledger: Ledger
  readonly before: Replay | undefined
  /** The other journals of this service. */
  readonly others: readonly OtherJournal[]
  readonly settleMs: number
  /** The journal that several computers share, and how long a list last took to show a new row there. */
  readonly shared?:
    | { readonly createdKeys: () => AsyncIterable<string>; readonly shownMs: number | undefined }
    | undefined
}

/** The message names no more than these. */
const mostNamed = 3

/** By what this run and earlier ones saw, those of other computers included. */
export function createListReliability({
  ledger,
  before,
  others,
  settleMs,
  shared,
}: Sources): ListReliability {
  const shown = [before?.shown, ...others.map(({ shown }) => shown)].map((each) => each?.afterMs)
  const earlier = [...shown, shared?.shownMs]
  let shownAfterMs = Math.max(...earlier.filter((ms) => ms !== undefined))

  /** The keys of all rows that the service acknowledged. */
  async function* acknowledged(): AsyncGenerator<string> {
    for (const [key, { state, left }] of ledger.entries) if (state === 'created' && !left) yield key
    for (const [key, { state }] of before?.rows ?? []) {
      if (state === 'created' && !ledger.entries.has(key) && !before?.left.has(key)) yield key
    }
    for (const { path } of others) yield* await createdIn(path)
    if (shared) yield* shared.createdKeys()
  }

  return {
    noteShown(afterMs) {
      shownAfterMs = afterMs
    },
    async whyUnreliable(list) {
      if (!Number.isFinite(shownAfterMs)) {
        return 'the list has not yet shown any row that an import created, so a missing row proves nothing'
      }
      if (shownAfterMs > settleMs) {
        return `the list takes longer to show a new row (${seconds(shownAfterMs)}) than --settle waits for it`
      }
      const missing = new Set<string>()
      for await (const key of acknowledged()) if (matchOf(list, key).count === 0) missing.add(key)
      if (missing.size === 0) return undefined
      const names = [...missing].slice(0, mostNamed).map((key) => ledger.entries.get(key)?.name ?? key)
      const more = missing.size > mostNamed ? ' and others' : ''
      return `the list also lacks ${missing.size === 1 ? 'a row' : `${missing.size} rows`} that the service acknowledged (${names.join(', ')}${more})`
    },
  }
}

const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`
