import { asFailure, type Failure, onFailure } from '../errors.ts'
import { asNumbers } from '../model/natural-key.ts'
import { formatDuration } from '../text/duration.ts'
import { leaveToOtherRun } from './claims.ts'
import { type Entry, isUnclear, stateFound } from './entry.ts'
import type { Plan } from './plan.ts'
import { mayReadAfter, move, type Run, refuseRow, type Stop } from './running.ts'
import { type Match, matchOf, type Scan, scan } from './scan.ts'
import type { SharedJournal } from './shared-journal/claim.ts'
import { createSimilarSearch, isSame } from './similar-records.ts'

const mostScans = 4

/**
 * Finds out whether the unclear rows were created. One complete list that shows a row proves it. Missing is
 * a row only if two equal complete, reliable lists, read `settleMs` after the last unclear answer, do not show it:
 * its request may still arrive. A row with two POSTs always waits.
 */
export async function lookForRows(run: Run, entries: readonly Entry[]): Promise<void> {
  const { job, reliability } = run
  const { clock, signal } = job
  const first = await look(run, entries)
  const open: Entry[] = []
  for (const entry of entries) {
    const match = matchOf(first?.list, entry.key)
    if (entry.attempt === 1 && match.count === 1) await decide(run, entry, match)
    else open.push(entry)
  }
  if (open.length === 0 || signal.aborted) return
  const leftMs = run.unclearSince + run.settleMs - clock.monotonicNow()
  if (leftMs > 0) {
    run.onDoing(settling(leftMs))
    await clock.sleep(leftMs, signal)
    if (signal.aborted) return
  }
  const { last, isStable } = await lookTwice(run, open)
  const list = isStable ? last?.list : undefined
  const isMissing = ({ key }: Entry) => matchOf(last?.list, key).count === 0
  const against =
    list && open.some(isMissing)
      ? await reliability.whyUnreliable(list)
      : 'the list kept changing while it was read, so it is not reliable'
  for (const entry of open) {
    const like = last?.similar.get(entry.key)
    const why =
      (list && refusalIn(entry) ? await reliability.whyUnreliable(list, true) : against) ??
      (like && `the service has a record of the same name under another key (${like})`)
    if (isMissing(entry) && why !== undefined)
      await move(run, entry, 'unresolved', { issues: [{ path: '', message: why }] })
    else await decide(run, entry, matchOf(last?.list, entry.key))
  }
}

/** A list, and its records that may be one of the rows under another key. */
interface Look {
  readonly list: Scan
  /** Their keys, by the key of the row. */
  readonly similar: ReadonlyMap<string, string>
}

/** Reads the list until two in a row are equal, four times at most. */
async function lookTwice(run: Run, entries: readonly Entry[]) {
  let last: Look | undefined
  for (let scans = 0; scans < mostScans && !run.job.signal.aborted; scans++) {
    const before = last
    last = await look(run, entries)
    if (last && last.list.fingerprint === before?.list.fingerprint) return { last, isStable: true }
  }
  return { last, isStable: false }
}

/** Reads one complete list; undefined if it cannot. */
async function look(run: Run, entries: readonly Entry[]): Promise<Look | undefined> {
  const { toLookFor, entries: inFile } = run.plan
  const rows = entries.flatMap(({ key }) => {
    const row = toLookFor.get(key)
    return row ? [[key, row] as const] : []
  })
  const similar = createSimilarSearch(run.job.service.kind, rows, (key) => inFile.has(key))
  const keeps = new Set(entries.flatMap(({ key }) => [key, asNumbers(key)]))
  const list = await scan(run.job, { keeps, onItem: similar.onItem }).catch(onFailure(() => undefined))
  return list && { list, similar: similar.found }
}

/** Records what the list shows. A row that is missing there and was edited in the file will be sent again. */
async function decide(run: Run, entry: Entry, { count, ids, item }: Match): Promise<void> {
  const { kind, onFound } = run.job.service
  const sent = run.plan.toLookFor.get(entry.key)
  const refusal = count === 0 ? refusalIn(entry) : undefined
  if (refusal && sent) {
    const message = refusal.serviceMessage ?? `the service answered ${refusal.http}`
    await refuseRow(run, { entry, row: sent }, [{ path: '', message }], { via: 'list', http: refusal.http })
    return
  }
  // A row that was edited since is not the one that was sent.
  const row = entry.edited === undefined ? sent : undefined
  const to = stateFound(entry, { count, same: !row || isSame(kind, row.record, item) })
  const id = count === 1 ? ids[0] : undefined
  await move(run, entry, to, { via: 'list', id })
  if (row && to === 'done') onFound?.(row.record, id)
  if (to === 'ready' && entry.edited !== undefined) await move(run, entry, 'ready', { renewed: true })
}

/** The answer to the last request of a row, where it was a no that the service may have given after a commit: it has the last word. */
function refusalIn({ tries, state }: Entry) {
  const last = tries.at(-1)
  return state === 'unclear' && last?.type === 'answered' && last.isDenied ? last : undefined
}

/** The rows of which it is not known whether the service has them; those that a person left so are settled. */
export const unclearRows = ({ entries }: Plan): Entry[] =>
  [...entries.values()].filter((entry) => entry.writes === 'create' && isUnclear(entry) && !entry.left)

/** `waiting 2 seconds for late requests to be applied` */
export const settling = (ms: number) => `waiting ${formatDuration(ms)} for late requests to be applied`

/** A row that the service has more or fewer times than it should. */
export interface Discrepancy {
  readonly entry: Entry
  readonly expected: number
  readonly count: number
  readonly ids: readonly string[]
}

/** The last look at the list. */
export interface Verified {
  /** Empty if all is well. */
  readonly discrepancies: readonly Discrepancy[]
  readonly list?: Scan
  readonly unverified?: Failure
}

/** Holds every row against one reading of the list. */
function compare({ entries }: Plan, list: Scan): Verified & { readonly list: Scan } {
  const discrepancies = [...entries.values()].flatMap((entry) => {
    const expected = expectedOf(entry)
    const { count, ids } = matchOf(list, entry.key)
    return expected === undefined || count === expected ? [] : [{ entry, expected, count, ids }]
  })
  return { list, discrepancies }
}

/** How many records there should be; undefined for a row that is reported as unknown anyway. */
function expectedOf({ writes, state, existing, elsewhere, left }: Entry): number | undefined {
  // Another run may create it at any moment.
  if (elsewhere || left) return undefined
  if (writes === 'change' || state === 'ready' || state === 'held') return existing
  if (state === 'done') return 1
  // A refused row must not be on the service.
  return state === 'refused' ? 0 : undefined
}

/** How long a list may take to show a new record. */
export const longestLagMs = 2000

/** Compares every row with the list at the end: only this shows a record that was dropped, or came twice. */
export async function verifyRows(run: Run, stop: Stop | undefined): Promise<Verified> {
  const { job, plan, hasMoved } = run
  if (!mayReadAfter(stop)) return { discrepancies: [] }
  const { baseline } = plan
  const isNewer = [...plan.entries.values()].some(({ createdBy }) => createdBy !== undefined)
  if (!hasMoved && baseline && !isNewer) return compare(plan, baseline)
  run.onDoing('comparing with the service')
  try {
    let verified = compare(plan, await scan(job))
    if (verified.discrepancies.length > 0) {
      await job.clock.sleep(Math.min(job.settleMs, longestLagMs))
      verified = compare(plan, await scan(job))
    }
    if (job.shared && (await leaveCreated(job.shared, verified))) return compare(plan, verified.list)
    return verified
  } catch (error) {
    return { discrepancies: [], unverified: asFailure(error) }
  }
}

/** Leaves to other runs what they created or claimed before this one came to it. Returns whether any was. */
async function leaveCreated(shared: SharedJournal, { discrepancies }: Verified): Promise<boolean> {
  const open = discrepancies.filter(
    ({ entry, expected }) => entry.writes === 'create' && entry.state === 'ready' && expected === 0,
  )
  if (open.length === 0) return false
  const claims = await shared.read(open.map(({ entry }) => entry.key))
  for (const { entry } of open) {
    const claim = claims.get(entry.key)
    if (claim && claim.owner !== shared.owner && claim.state !== 'refused') leaveToOtherRun(claim, entry)
  }
  return true
}
