import type { JsonObject } from '../json/path.ts'
import type { Outcome, SharedJournal } from '../shared-journal/claim.ts'
import { ClaimedElsewhere } from './claimed-elsewhere.ts'
import type { Journal } from './journal.ts'
import { readListedRow } from './journal-file.ts'
import { keyOf } from './natural-key.ts'
import { mostAttempts, type RowState, states } from './row-state.ts'

/**
 * A journal on this computer that tells the shared one: a row is claimed there before its intent is written here, and its
 * outcome is written here first. So a run that loses the database keeps what it knows.
 */
export function withClaims(journal: Journal, shared: SharedJournal): Journal {
  return {
    async append(line) {
      const row = rowOf(line)
      if (row?.state === 'intent') {
        const { key, attempt, fingerprint } = row
        const other = await shared.claim({ key, attempt, fingerprint })
        if (other) throw new ClaimedElsewhere(other)
        return journal.append(line)
      }
      await journal.append(line)
      if (row) await shared.note(row.key, outcomeOf(row))
      const shown = readListedRow(line)
      if (shown) await shared.noteShown(keyOf(shown.name), shown.afterMs)
    },
    close: () => journal.close(),
  }
}

/** A row of a journal as the shared journal knows it. */
export function outcomeOf({ state, attempt, id }: RowState & { readonly id?: string | undefined }): Outcome {
  switch (state) {
    case 'created':
      return { state: 'created', attempt, id }
    case 'refused':
      return { state: 'refused', attempt: 0 }
    case 'pending':
      // This request was not made, or the service refused it for now: only those before it count.
      return { state: 'refused', attempt: attempt - 1 }
    case 'conflict':
    case 'duplicate':
      // It is never sent again, wherever.
      return { state: 'doubt', attempt: mostAttempts }
    default:
      return { state: 'doubt', attempt }
  }
}

function rowOf({ key, state, attempt, hash, id }: JsonObject) {
  const known = states.find((each) => each === state)
  if (typeof key !== 'string' || !known || typeof attempt !== 'number' || typeof hash !== 'string')
    return undefined
  return {
    key: keyOf(key),
    state: known,
    attempt,
    fingerprint: hash,
    ...(typeof id === 'string' && { id }),
  }
}
