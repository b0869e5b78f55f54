import { nameSome } from '../text/words.ts'
import { keyInWords } from './key-in-words.ts'
import { readCreatedKeys } from './read-journal.ts'
import type { Run } from './running.ts'
import { matchOf, type Scan } from './scan.ts'

/**
 * Why a row that a complete list lacks may exist all the same, by what this run and earlier ones saw, on any computer;
 * undefined if it does not. `isDenied`: the service refused the row.
 */
export async function whyUnreliable(run: Run, list: Scan, isDenied = false): Promise<string | undefined> {
  const { plan, job, shownAfterMs } = run
  if (!Number.isFinite(shownAfterMs) && !isDenied)
    return 'the list has not shown any new row yet, so a row that it lacks may be there all the same'
  if (shownAfterMs > job.settleMs)
    return `the list takes longer to show a new row (${Math.ceil(shownAfterMs / 1000)} s) than --settle waits for it`
  const missing = new Set<string>()
  for await (const key of acknowledgedKeys(run)) if (matchOf(list, key).count === 0) missing.add(key)
  if (missing.size === 0) return undefined
  const names = [...missing].map((key) => keyInWords(plan.entries.get(key)?.reference ?? key))
  return `the list also lacks ${missing.size === 1 ? 'a row' : `${missing.size} rows`} that the service acknowledged (${nameSome(names, 3)})`
}

/** The keys of all rows that the service acknowledged. */
async function* acknowledgedKeys({ plan, job }: Run): AsyncGenerator<string> {
  const { entries, before, others } = plan
  for (const [key, { writes, state, left }] of entries)
    if (writes === 'create' && state === 'done' && !left) yield key
  for (const [key, { creation, left }] of before?.rows ?? []) {
    const isSettled = entries.get(key)?.writes === 'create'
    if (creation?.state === 'done' && !isSettled && !left) yield key
  }
  for (const { path } of others) yield* readCreatedKeys(path)
  if (job.shared) yield* job.shared.createdKeys()
}
