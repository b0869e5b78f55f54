import type { Issue } from '../../errors.ts'
import { rowLabel } from '../report/report.ts'
import type { Entry } from '../rows/ledger.ts'

/** How many are kept; the rejects file has all of them. */
const mostKept = 10_000

/** Why rows were refused. */
export interface Refusals {
  add(entry: Entry, issues: readonly Issue[]): void
  /** The first ten thousand reasons. */
  readonly kept: readonly Issue[]
  /** How many reasons there are. */
  count(): number
}

export function collectRefusals(): Refusals {
  const kept: Issue[] = []
  let count = 0
  return {
    kept,
    count: () => count,
    add(entry, issues) {
      count += issues.length
      for (const { path, message } of issues.slice(0, mostKept - kept.length))
        kept.push({ path: path ? `${rowLabel(entry)}, ${path}` : rowLabel(entry), message })
    },
  }
}
