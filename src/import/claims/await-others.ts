import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '../../errors.ts'
import type { ClaimReader, SharedJournal } from '../../shared-journal/open-shared-journal.ts'
import { timeOf } from '../../shared-journal/owner.ts'
import type { Entry, Stop } from '../rows/ledger.ts'
import { keyOf } from '../rows/natural-key.ts'
import { doubt } from './adopt-claims.ts'
import { leaveTo } from './taken.ts'

/** What became of the rows that other runs had. */
export interface Handed {
  /** Rows that this run can send now. */
  readonly ready: number
  /** Rows whose run ended without saying what became of them: this run looks for them now. */
  readonly doubtful: ReadonlySet<string>
  /** How long to wait before it looks, in milliseconds. */
  readonly settleMs: number
}

export interface Waiting {
  readonly shared: SharedJournal
  /** How long to wait without any news, in milliseconds. */
  readonly patienceMs: number
  readonly clock: () => number
  readonly signal: AbortSignal
}

const betweenLooksMs = 250

/**
 * Waits for the rows that other runs are at, until one of them is ours, none is left, or there was no news for too long.
 */
export async function awaitOthers(
  { shared, patienceMs, clock, signal }: Waiting,
  entries: Iterable<Entry>,
): Promise<Handed> {
  let open = elsewhereIn(entries)
  const doubtful = new Set<string>()
  let [ready, settleMs, news] = [0, 0, clock()]
  while (open.length > 0 && !signal.aborted) {
    const claims = await shared.read(open.map(({ name }) => keyOf(name)))
    for (const entry of open) {
      const key = keyOf(entry.name)
      const claim = claims.get(key)
      const isHeld = claim && (claim.state === 'sending' || claim.state === 'doubt')
      if (!claim) delete entry.elsewhere
      else if (!isHeld || claim.alive) leaveTo(claim, entry)
      else if (await shared.takeOver(claim, { state: 'doubt', attempt: claim.attempt })) {
        doubt(entry, claim)
        doubtful.add(key)
        settleMs = Math.max(settleMs, claim.settleMs)
      }
      if (!entry.elsewhere && !doubtful.has(key) && entry.existingCount === 0) ready += 1
    }
    const left = open.filter(({ elsewhere }) => elsewhere)
    if (ready + doubtful.size > 0) break
    if (left.length < open.length) news = clock()
    open = left
    if (open.length > 0 && clock() - news >= patienceMs) break
    if (open.length > 0) await pause(betweenLooksMs, undefined, { signal }).catch(() => {})
  }
  return { ready, doubtful, settleMs }
}

export const elsewhereIn = (entries: Iterable<Entry>): Entry[] =>
  [...entries].filter(({ elsewhere }) => elsewhere)

/**
 * A list that changes while it is read is no fault where another run is creating records: the failure then says who (exit 11).
 */
export async function othersBehind(
  shared: Pick<ClaimReader, 'atWork'> | undefined,
  error: unknown,
): Promise<Stop | undefined> {
  if (!shared || !(error instanceof Failure) || error.code !== 'invalid-response') return undefined
  const who = await shared.atWork().catch(() => undefined)
  if (who === undefined) return undefined
  const failure = new Failure('locked', `${error.message} It may be because ${who}.`, {
    retryable: true,
    hint: 'Wait until that run has ended.',
  })
  return { why: 'others', failure }
}

/** The failure of a run that has nothing left but rows of others (exit 11). */
export function othersAtWork(entries: readonly Entry[]): Failure {
  const claims = entries.flatMap(({ elsewhere }) => elsewhere ?? [])
  const names = [...new Set(claims.map(({ by }) => by))]
  const since = Math.min(...claims.map(({ at }) => at))
  const rows = claims.length === 1 ? '1 row' : `${claims.length} rows`
  return new Failure(
    'locked',
    `${names.join(' and ')} ${names.length === 1 ? 'has' : 'have'} been working on ${rows} since ${timeOf(since)}.`,
    { retryable: true, hint: 'Wait until that run has ended.' },
  )
}
