import type { JournalRow } from '../journal/replay.ts'
import type { Entry } from '../rows/ledger.ts'
import { isDoubtful } from '../rows/row-state.ts'

/** What became of a row, as a results file says it. */
export type RowOutcome = 'created' | 'already there' | 'refused' | 'not sent' | 'unknown'

/**
 * The outcome of a row. `isOdd`: the list shows it more or fewer times than it should. `wasThere`: the service had it
 * before the import.
 */
export function outcomeOf(
  { state, attempt }: Pick<Entry | JournalRow, 'state' | 'attempt'>,
  { isOdd, wasThere }: { readonly isOdd: boolean; readonly wasThere: boolean },
): RowOutcome {
  if (isOdd || state === 'intent' || isDoubtful({ state, attempt })) return 'unknown'
  if (state === 'created' || state === 'refused') return state
  return wasThere ? 'already there' : 'not sent'
}
