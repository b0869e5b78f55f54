import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '../../errors.ts'
import type { ImportService } from '../import-service.ts'
import type { Sighting } from '../journal/shown-line.ts'
import { matchOf, type Scan, scan } from '../resolve/scan.ts'
import type { Entry } from '../rows/ledger.ts'
import { keyOf } from '../rows/natural-key.ts'

export interface Prober {
  readonly service: ImportService
  readonly settleMs: number
  readonly clock: () => number
  readonly signal: AbortSignal
  /** Writes to the journal that the list showed a row. */
  readonly onShown: (shown: Sighting) => Promise<void>
  /** Called when it has to wait, with the milliseconds that it will go on looking. */
  readonly onWait: (ms: number) => void
}

/** A list may need a moment to show a new record, even with a --settle of 0. */
const shortestPatienceMs = 1000
const firstPauseMs = 250
const longestPauseMs = 10_000

/**
 * Looks for a row that was just created until the list shows it or `settleMs` are over. Returns undefined if the list
 * does not show it; throws a Failure if the list could not be read at the end.
 */
export async function probe(prober: Prober, { name }: Entry): Promise<Sighting | undefined> {
  const { settleMs, clock, signal, onShown, onWait } = prober
  const [began, patienceMs] = [clock(), Math.max(settleMs, shortestPatienceMs)]
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const afterMs = Math.round(clock() - began)
    const list = await look(prober.service)
    const sighting = list instanceof Failure ? undefined : matchOf(list, keyOf(name))
    if (sighting && sighting.count > 0) {
      const [id] = sighting.ids
      const shown = { name, afterMs, ...(id !== undefined && sighting.count === 1 && { id }) }
      await onShown(shown)
      return shown
    }
    const left = patienceMs - (clock() - began)
    const isOver = left <= 0 || signal.aborted
    if (list instanceof Failure && (isOver || list.code === 'auth')) throw list
    if (isOver) return undefined
    onWait(left)
    await pause(Math.min(pauseMs, left), undefined, { signal }).catch(() => {})
  }
}

/** Returns the failure, so that the caller can try again. */
async function look(service: ImportService): Promise<Scan | Failure> {
  try {
    return await scan(service)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}
