import { matchOf, type Scan } from '../resolve/scan.ts'
import { keyOf } from '../rows/natural-key.ts'
import type { Place } from './journal-file.ts'
import { type Replay, replay } from './replay.ts'

/** The two places of a journal: of the file, and of the file with this key. */
export interface JournalPaths {
  readonly folder: string
  readonly plain: string
  readonly ofAccount: string
}

export interface OwnJournal {
  readonly path: string
  readonly before: Replay | undefined
  /** False when it was kept with another key: the list tells whether the service is the same. */
  readonly certain: boolean
}

/**
 * The journal of an import. One that was begun with another key may be of the same company, which has changed its key,
 * or of another company at the same address.
 */
export async function findOwnJournal(
  { plain, ofAccount }: JournalPaths,
  { account }: Place,
): Promise<OwnJournal> {
  const before = await replay(plain)
  const theirs = before?.header?.account
  if (theirs === undefined || account === undefined || theirs === account) {
    return { path: plain, before, certain: true }
  }
  const own = await replay(ofAccount)
  if (own) return { path: ofAccount, before: own, certain: true }
  return { path: plain, before, certain: false }
}

/** So many records are enough to know a service again. */
const mostIds = 50

/** Some records that a journal knows as created, by the name of their key. */
export function idsIn({ rows, shown }: Replay): Map<string, string> {
  const ids = new Map<string, string>()
  if (shown?.id !== undefined) ids.set(shown.name, shown.id)
  for (const { name, state, id } of rows.values()) {
    if (ids.size >= mostIds) break
    if (state === 'created' && id !== undefined) ids.set(name, id)
  }
  return ids
}

/** Whose list this is, by records that were once created there. No two companies have one key under one id. */
export function serviceOf(ids: ReadonlyMap<string, string>, list: Scan): 'same' | 'other' | 'unknown' {
  if (ids.size === 0) return 'unknown'
  const isThere = [...ids].some(([name, id]) => matchOf(list, keyOf(name)).ids.includes(id))
  return isThere ? 'same' : 'other'
}
