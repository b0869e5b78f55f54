import { type Replay, replay } from '../journal/replay.ts'
import { keyOf } from '../rows/natural-key.ts'
import { outcomeOf, type RowOutcome } from './outcome.ts'
import type { Result } from './report.ts'

/** What a results file says of a row. */
export interface RowResult {
  readonly outcome: RowOutcome
  /** The service's id of the record, where it is known. */
  readonly id: string | null
  /** When that came to be so, as 2026-08-12T09:30:00Z. */
  readonly time: string | null
}

/** The result of a row, by its key and its number. Ask in the order of the file: a key counts once. */
export type Outcomes = (name: string | undefined, row: number) => RowResult

const notSent: RowResult = { outcome: 'not sent', id: null, time: null }

/** The results that a journal knows. */
export function journalOutcomes({ rows, found }: Pick<Replay, 'rows' | 'found'>): Outcomes {
  const seen = new Set<string>()
  return (name) => {
    const key = name === undefined ? undefined : keyOf(name)
    if (key === undefined || seen.has(key)) return notSent
    seen.add(key)
    const [row, shown] = [rows.get(key), found.get(key)]
    const count = shown?.count
    const outcome = outcomeOf(row ?? { state: 'pending', attempt: 1 }, {
      isOdd:
        (row?.state === 'created' && count !== undefined && count !== 1) ||
        (row?.state === 'refused' && !!count),
      wasThere: !!count,
    })
    if (outcome === 'not sent') return notSent
    const at = outcome === 'already there' ? shown?.at : row?.at
    return { outcome, id: row?.id ?? shown?.id ?? null, time: timeOf(at) }
  }
}

/** The results of a run that has just ended. The times are in its journal, of which `path` is the place. */
export async function runOutcomes({ ledger, discrepancies }: Result, path: string): Promise<Outcomes> {
  const odd = new Set(discrepancies.map(({ entry }) => entry))
  // A disk that failed may not give the journal back either.
  const journal = await replay(path).catch(() => undefined)
  const written = journalOutcomes(journal ?? { rows: new Map(), found: new Map() })
  return (name, row) => {
    const noted = written(name, row)
    const entry = name === undefined ? undefined : ledger.entries.get(keyOf(name))
    if (!entry) return noted
    if (entry.row !== row) return notSent
    const outcome = outcomeOf(entry, { isOdd: odd.has(entry), wasThere: entry.existingCount > 0 })
    if (outcome === 'not sent') return notSent
    return { outcome, id: entry.id ?? noted.id, time: noted.time }
  }
}

function timeOf(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
}
