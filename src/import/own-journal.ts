import type { ServicePlace } from '../origin.ts'
import { keyOf } from './natural-key.ts'
import { mostIds, type Replay, replay } from './replay.ts'
import { matchOf, type Scan } from './scan.ts'

/** The two paths that a journal can have: for the file, and for the file with this API key. */
export interface JournalPaths {
  readonly folder: string
  readonly plain: string
  readonly ofAccount: string
}

interface OwnJournal {
  readonly path: string
  readonly before: Replay | undefined
  /** False if another API key started it: the list shows whether it is the same service. */
  readonly certain: boolean
}

/** The journal of an import. If another key started it: the company changed its key, or it is another company. */
export async function findOwnJournal(
  { plain, ofAccount }: JournalPaths,
  { account }: ServicePlace,
): Promise<OwnJournal> {
  const before = await replay(plain)
  const journalAccount = before?.header?.account
  if (journalAccount === undefined || account === undefined || journalAccount === account) {
    return { path: plain, before, certain: true }
  }
  const own = await replay(ofAccount)
  if (own) return { path: ofAccount, before: own, certain: true }
  return { path: plain, before, certain: false }
}

/** The ids of some records that the journal has as created, by their key as a person reads it. */
export function idsIn({ rows, shown }: Replay): Map<string, string> {
  const ids = new Map<string, string>()
  if (shown?.id !== undefined) ids.set(shown.name, shown.id)
  for (const { name, state, id } of rows.values()) {
    if (ids.size >= mostIds) break
    if (state === 'created' && id !== undefined) ids.set(name, id)
  }
  return ids
}

/** Recognises a service by records created there earlier. No two companies have the same key under the same id. */
export function serviceOf(ids: ReadonlyMap<string, string>, list: Scan): 'same' | 'other' | 'unknown' {
  if (ids.size === 0) return 'unknown'
  const isThere = [...ids].some(([name, id]) => matchOf(list, keyOf(name)).ids.includes(id))
  return isThere ? 'same' : 'other'
}
